# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The set-up step: installs missing packages. It is shell because CMake itself may be missing.

packages_of()
{
    local group
    for group in "$@"; do
        awk -v group="$group" '$1 == group { for (i = 2; i <= NF; ++i) print $i }' \
            "$QPOOL_ROOT/cmake/packages.txt"
    done | sort -u
}

missing_packages()
{
    local wanted installed
    wanted=$(packages_of "$@")
    # shellcheck disable=SC2086 # one word a package
    installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' $wanted 2>/dev/null |
        awk '$1 == "installed" { print $2 }' | sort -u)
    comm -23 <(echo "$wanted") <(echo "$installed")
}

as_root()
{
    if ((EUID == 0)); then
        "$@"
    elif [[ ${CI-} == true ]]; then
        sudo -n "$@"
    else
        sudo "$@"
    fi
}

apt_get()
{
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -y -q \
        -o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@"
}

# Reduces apt's output to one line for every few packages.
show_install_progress()
{
    local line total=0 count=0
    while IFS= read -r line; do
        if [[ $line =~ ([0-9]+)\ newly\ installed ]]; then
            total=${BASH_REMATCH[1]}
        elif [[ $line =~ ^Need\ to\ get\ (.*)\ of\ archives ]]; then
            note "getting ${BASH_REMATCH[1]}"
        elif [[ $line == Unpacking\ * ]]; then
            count=$((count + 1))
            ((count % 40)) || note "unpacked $count of $total packages"
        fi
    done
    return 0
}

# install_packages GROUP...: one step.
install_packages()
{
    step "Packages"
    if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
        fail "this system has no apt: QPool needs the contents of these Debian packages: $(packages_of "$@" | tr '\n' ' ')"
    fi
    local missing log=$QPOOL_BUILD/log/packages.log
    missing=$(missing_packages "$@")
    if [[ -z $missing ]]; then
        step_done "all there"
        return 0
    fi
    missing=${missing//$'\n'/ }
    note "installing: $missing"
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        fail "packages are missing and there is no sudo: as root, run apt-get install $missing"
    fi
    mkdir -p "$(dirname "$log")"
    # An update may fail because of an unrelated archive; the installation shows whether it matters.
    apt_get update >"$log" 2>&1 9>&- || true
    # shellcheck disable=SC2086 # one word a package
    if ! apt_get install --no-install-recommends $missing 2>&1 9>&- | tee -a "$log" | show_install_progress; then
        local cause
        cause=$(grep -m1 -E '^E: |password is required' "$log" || true)
        [[ $cause ]] && printf '%s\n' "$cause" >&2
        fail "installing the missing packages failed: $(cause_in_log "$log")"
    fi
    step_done
}
