// Copyright (C) 2026 The QPool authors
// SPDX-License-Identifier: BSD-3-Clause

#include "board.h"

#include <cstddef>

extern "C" {
extern char bssBegin[], bssEnd[], stackTop[];
[[noreturn]] void startBoard();
}

int main();

namespace {

volatile std::uint32_t &at(std::uint32_t address)
{
    return *reinterpret_cast<volatile std::uint32_t *>(address);
}

constexpr std::uint32_t sysTickControl = 0xE000E010;
constexpr std::uint32_t sysTickReload = 0xE000E014;
constexpr std::uint32_t sysTickValue = 0xE000E018;
constexpr std::uint32_t timerControl = 0x40000000; // CMSDK's first timer
constexpr std::uint32_t timerValue = 0x40000004;
constexpr std::uint32_t timerReload = 0x40000008;

std::uint32_t callDebugger(std::uint32_t operation, const void *argument)
{
    register std::uint32_t r0 asm("r0") = operation;
    register const void *r1 asm("r1") = argument;
    asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
}

void (*s_tickHandler)() = nullptr;

void onTick() { s_tickHandler(); }

void onFault()
{
    Board::print("the processor found a fault\n");
    Board::exit(3);
}

// The processor reads the first two at reset; an interrupt handler is an ordinary function.
using Vector = void (*)();
[[gnu::section(".vectors"), gnu::used]] const Vector s_vectors[16] = {
    reinterpret_cast<Vector>(stackTop), startBoard, onFault, onFault, onFault, onFault, onFault,
    nullptr, nullptr, nullptr, nullptr, onFault, nullptr, nullptr, onFault, onTick,
};

} // namespace

void startBoard()
{
    for (char *byte = bssBegin; byte != bssEnd; ++byte)
        *byte = 0;
    Board::exit(main());
}

namespace Board {

void print(const char *text)
{
    callDebugger(0x04, text); // SYS_WRITE0
}

void print(const char *text, std::uint32_t number)
{
    char digits[12];
    char *first = digits + sizeof(digits) - 1;
    *first = '\0';
    do {
        *--first = char('0' + number % 10);
        number /= 10;
    } while (number > 0);
    print(text);
    print(first);
}

void exit(int code)
{
    const std::uint32_t parameters[] = { 0x20026, std::uint32_t(code) }; // ADP_Stopped_ApplicationExit
    callDebugger(0x20, parameters); // SYS_EXIT_EXTENDED
    for (;;) { }
}

void startTicks(std::uint32_t cycles, void (*handler)())
{
    s_tickHandler = handler;
    at(sysTickReload) = cycles - 1;
    at(sysTickValue) = 0;
    at(sysTickControl) = 7; // on, with its interrupt, at the processor's clock
}

void stopTicks()
{
    at(sysTickControl) = 0;
}

void startTimer()
{
    at(timerReload) = 0xFFFFFFFF;
    at(timerValue) = 0xFFFFFFFF;
    at(timerControl) = 1;
}

std::uint32_t timer()
{
    return 0xFFFFFFFF - at(timerValue);
}

} // namespace Board
