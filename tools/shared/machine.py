# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

"""What a measurement depends on besides what is measured."""

import os
import platform
import re


def machine_properties():
    """The properties of the machine on which its results depend."""
    model = platform.processor() or platform.machine()
    memory = None
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"^model name\s*:\s*(.*)$", file.read(), re.M)
            model = found[1] if found else model
        with open("/proc/meminfo", encoding="utf-8") as file:
            found = re.search(r"^MemTotal:\s*(\d+) kB", file.read(), re.M)
            memory = found and round(int(found[1]) / 1024 / 1024, 1)
    except OSError:
        pass
    return {
        "processor": model,
        "processors": len(os.sched_getaffinity(0)),
        "memory_gib": memory,
        "system": f"{platform.system()} {platform.release()}",
        "libc": " ".join(platform.libc_ver()),
        "load_before": round(os.getloadavg()[0], 2),
    }
