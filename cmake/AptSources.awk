# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# Converts the machine's apt sources to a private list of the distribution's source packages, or with
# types=deb of its binary packages, in deb822 format on stdout. Reads one-line and deb822 files.
#
#   awk -v codename=bookworm -v more="trixie forky" [-v types=deb] -f AptSources.awk FILES...
#
# An entry counts if it has the component main and a suite of this release: that leaves out
# archives of other software. `more` names further releases to list from the same mirrors.

function our_suite(name)
{
    return name == codename || index(name, codename "-") == 1
}

# A path ("./", "stable/") or the name of another release is not used.
function emit(uris, suites, components, options,    count, parts, i, ours, base)
{
    if ((" " components " ") !~ / main /)
        return
    count = split(suites, parts, " ")
    for (i = 1; i <= count; ++i) {
        if (our_suite(parts[i]))
            ours = ours " " parts[i]
        if (parts[i] == codename)
            base = 1
    }
    if (ours == "")
        return
    write(uris, ours, options)
    if (base && more != "")
        write(uris, " " more, options)
}

function write(uris, suites, options,    key)
{
    key = uris suites
    if (key in seen)
        return
    seen[key] = 1
    printf "Types: %s\nURIs: %s\nSuites:%s\nComponents: main\n%s\n",
           types == "" ? "deb-src" : types, uris, suites, options
}

function flush_stanza()
{
    if (stanza_uris != "" && stanza_enabled)
        emit(stanza_uris, stanza_suites, stanza_components, stanza_options)
    stanza_uris = stanza_suites = stanza_components = stanza_options = ""
    stanza_enabled = 1
    field = ""
}

# Converts apt's one-line [option=value ...] to deb822 fields.
function deb822_options(text,    count, parts, i, name, value, result)
{
    count = split(text, parts, /[ \t]+/)
    for (i = 1; i <= count; ++i) {
        name = tolower(parts[i])
        sub(/[+-]?=.*/, "", name)
        value = parts[i]
        sub(/^[^=]*=/, "", value)
        gsub(/,/, " ", value)
        if (name == "signed-by")
            result = result "Signed-By: " value "\n"
        else if (name == "trusted")
            result = result "Trusted: " value "\n"
        else if (name == "check-valid-until")
            result = result "Check-Valid-Until: " value "\n"
        else if (name == "allow-insecure")
            result = result "Allow-Insecure: " value "\n"
    }
    return result
}

BEGIN { stanza_enabled = 1 }

FNR == 1 { flush_stanza() }

/^[ \t]*#/ { next }

/^(deb|deb-src)[ \t]/ {
    line = $0
    sub(/[ \t]+#.*$/, "", line)
    options = ""
    if (match(line, /\[[^]]*\]/)) {
        options = deb822_options(substr(line, RSTART + 1, RLENGTH - 2))
        line = substr(line, 1, RSTART - 1) " " substr(line, RSTART + RLENGTH)
    }
    count = split(line, word, " ")
    components = ""
    for (i = 4; i <= count; ++i)
        components = components " " word[i]
    emit(word[2], word[3], components, options)
    next
}

/^[ \t]*$/ { flush_stanza(); next }

# A continued field, such as an embedded key or a long list.
/^[ \t]/ {
    if (field == "uris")
        stanza_uris = stanza_uris " " $0
    else if (field == "suites")
        stanza_suites = stanza_suites " " $0
    else if (field == "components")
        stanza_components = stanza_components " " $0
    else if (field == "kept")
        stanza_options = stanza_options $0 "\n"
    next
}

/^[A-Za-z-]+:/ {
    name = tolower($0)
    sub(/:.*/, "", name)
    value = $0
    sub(/^[^:]*:[ \t]*/, "", value)
    field = name
    if (name == "uris")
        stanza_uris = value
    else if (name == "suites")
        stanza_suites = value
    else if (name == "components")
        stanza_components = value
    else if (name == "enabled")
        stanza_enabled = (tolower(value) !~ /^(no|false|0|off|disable)/)
    else if (name ~ /^(signed-by|trusted|check-valid-until|allow-insecure)$/) {
        stanza_options = stanza_options $0 "\n"
        field = "kept"
    }
}

END { flush_stanza() }
