// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#ifndef BOARD_H
#define BOARD_H

#include <cstdint>

// The parts of the board that the examples use: a timer, an interrupt, and a debugger's console.
namespace Board {

// Writes to the debugger, by semihosting.
void print(const char *text);
void print(const char *text, std::uint32_t number);
[[noreturn]] void exit(int code);

// Calls \a handler every \a cycles cycles of the processor, at most 24 bits, from an interrupt.
void startTicks(std::uint32_t cycles, void (*handler)());
void stopTicks();

// A timer of 25 MHz; wraps.
void startTimer();
std::uint32_t timer();

// Under qemu's -icount shift=0.
inline constexpr std::uint32_t InstructionsPerTimerTick = 40;

} // namespace Board

#endif // BOARD_H
