# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# The set-up step: installs missing packages. It is shell because CMake itself may be missing.

# --yes: install missing packages without asking; --no-install: fail instead. CI=true is --yes.
qpool_install=ask
[[ ${CI-} != true ]] || qpool_install=yes

set_install_option()
{
    qpool_install=${1#--}
}

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

# ask_to_install PACKAGES: goes on only if the user says yes. The question is on standard error, because standard
# output may be a program's.
ask_to_install()
{
    local answer
    if [[ ! -t 0 || ! -t 2 ]]; then
        fail "packages are missing, and nobody can be asked: call again with --yes, or as root, apt-get install $1"
    fi
    {
        show_step
        say "These packages of the distribution are missing, and would be installed with root's rights:"
        say "  $1" | fold -s -w 100
        # shellcheck disable=SC2086 # one word a package
        apt-get install --no-install-recommends --assume-no $1 2>/dev/null | grep -E '^(Need to get|After this operation)' || true
        printf 'Install them? [y/N] '
    } >&2
    read -r answer || answer=
    [[ $answer =~ ^[yY] ]] || fail "nothing was installed: the packages are needed"
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
    # Those of CI are brought up to date, too.
    [[ " $* " != *" ci "* ]] || missing=$(printf '%s\n' "$missing" "$(packages_of ci)" | sort -u)
    missing=${missing//$'\n'/ }
    [[ $qpool_install != no-install ]] ||
        fail "packages are missing: apt-get install $missing, or leave out --no-install"
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        fail "packages are missing and there is no sudo: as root, run apt-get install $missing"
    fi
    [[ $qpool_install == yes ]] || ask_to_install "$missing"
    note "installing: $missing"
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
