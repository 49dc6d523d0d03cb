# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only

# shellcheck shell=bash
# What ./qpool package puts into the packages beside what is compiled: cmake/packaging/QPoolPackages.cmake.

# The files of the command that the packages have: those that build nothing. installed.sh stands in for the others.
packaged_parts=(common.sh histogram.sh options.sh program.sh start.sh)
packaged_runners=(tools/compare tools/gdb tools/shared tools/trace)

# project_version [CMAKELISTS]
project_version() { sed -nE 's/^project\(QPool VERSION ([0-9.]+).*/\1/p' "${1-$QPOOL_ROOT/CMakeLists.txt}"; }

# The time that reproducible files bear: of the last commit, or of the newest entry in the list of changes.
source_time()
{
    if [[ ${SOURCE_DATE_EPOCH-} ]]; then
        echo "$SOURCE_DATE_EPOCH"
    else
        git -C "$QPOOL_ROOT" log -1 --format=%ct 2>/dev/null || stat -c %Y "$QPOOL_ROOT/CHANGELOG.md"
    fi
}

# Sets maintainer to who answers for the packages: whoever makes them, and not QPool's authors. Debian's tools read the
# same variables; DEBEMAIL may have the name, too.
choose_maintainer()
{
    maintainer=${DEBEMAIL-}
    [[ $maintainer == *\<* ]] || maintainer="${DEBFULLNAME-} <$maintainer>"
    if [[ $maintainer == " <>" ]]; then
        maintainer="Local build without a maintainer <nobody@packages.invalid>"
    elif [[ ! $maintainer =~ ^[^[:space:]\<][^\<]*\ \<[^[:space:]@\>]+@[^[:space:]@\>]+\>$ ]]; then
        usage_error "$maintainer is no maintainer: set DEBFULLNAME to a name and DEBEMAIL to an address, or neither"
    fi
}

# stage_command FOLDER: the command, as below /usr.
stage_command()
{
    local folder=$1 share=$1/share/qpool file group core
    mkdir -p "$folder/bin" "$share/cmake/qpool/commands" "$share/tools"
    ln -s ../share/qpool/qpool "$folder/bin/qpool"
    cp "$QPOOL_ROOT/qpool" "$share/"
    for file in "${packaged_parts[@]}"; do
        cp "$QPOOL_ROOT/cmake/qpool/$file" "$share/cmake/qpool/"
    done
    cp "$QPOOL_ROOT/cmake/packaging/installed.sh" "$share/cmake/qpool/"
    for file in "$QPOOL_ROOT"/cmake/qpool/commands/*.sh; do
        load_command "$(basename "$file" .sh)"
        group=group_$(basename "$file" .sh)
        [[ ${!group} != use && ${!group} != observe ]] || cp "$file" "$share/cmake/qpool/commands/"
    done
    for file in "${packaged_runners[@]}"; do
        mkdir -p "$share/$file"
        cp "$QPOOL_ROOT/$file"/*.py "$share/$file/"
    done
    find "$share" -type f -exec sed -E -i -f "$QPOOL_ROOT/cmake/packaging/installed.sed" {} +
    find "$share" -type f -exec chmod 644 {} +
    chmod 755 "$share/qpool"

    core=$(readlink -f "$(distributions_qtcore)")
    cat >"$share/installation" <<FACTS
# What cmake/qpool/installed.sh knows: written when the packages were made.
qpool_version=$(project_version)
qpool_libraries=lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
qpool_programs=libexec/qpool
qpool_qt_name=$(qtcore_package)
qpool_qt_package=$(installed_qt_version)
qpool_qt_file='$(basename "$core") $(stat -c '%s %Y' "$core")'
FACTS
    "$QPOOL_ROOT/cmake/packaging/manuals.sh" "$share/qpool" "$folder/share"
    gzip -9n "$folder"/share/man/man1/*
}

distributions_qtcore() { echo "/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)/libQt6Core.so.6"; }

# The name of its package has changed between releases of the distribution.
qtcore_package() { dpkg-query -S "$(distributions_qtcore)" | sed -E 's/[:,].*//'; }

# shellcheck disable=SC2016 # dpkg's, not the shell's
installed_qt_version() { dpkg-query -W -f '${Version}' "$(qtcore_package)"; }

# stage_qtcore FOLDER
stage_qtcore()
{
    local library name
    library=$(readlink -f "$pooled_library")
    name=$(basename "$library")
    mkdir -p "$1"
    strip --strip-unneeded --remove-section=.comment -o "$1/$name" "$library"
    chmod 644 "$1/$name"
    ln -s "$name" "$1/libQt6Core.so.6"
}

# stage_documents FOLDER: what Debian's policy wants of each package.
stage_documents()
{
    local folder=$1
    mkdir -p "$folder/qtcore"
    cp "$QPOOL_ROOT/cmake/packaging/copyright" "$folder/"
    {
        cat "$QPOOL_ROOT/cmake/packaging/copyright"
        printf '\nComment: This QtCore is the source of the package qt6-base %s, changed by QPool. What follows is that\n' "$qt_package_version"
        printf ' package'"'"'s own file, without its first paragraph.\n\n'
        sed '1,/^$/d' /usr/share/doc/qt6-base-dev/copyright
    } >"$folder/qtcore/copyright"
    gzip -9nc "$QPOOL_ROOT/CHANGELOG.md" >"$folder/changelog.gz"
    printf 'qpool (%s-1) UNRELEASED; urgency=medium\n\n  * The release %s: see changelog.gz.\n\n -- %s  %s\n' \
        "$(project_version)" "$(project_version)" "$maintainer" "$(date -uR -d "@$(source_time)")" |
        gzip -9n >"$folder/changelog.Debian.gz"
}

# package_source FOLDER: an archive of the last commit, and its SPDX document; three steps. Nothing in them depends on
# when, where or by whom they are made.
package_source()
{
    local output=$1 made=$QPOOL_BUILD/package/source name begun problem
    qpool_steps=3
    [[ -e $QPOOL_ROOT/.git ]] || fail "$QPOOL_ROOT is no git repository: an archive is made of its last commit"
    problem=$(git -C "$QPOOL_ROOT" rev-parse --verify HEAD 2>&1 >/dev/null) ||
        fail "the last commit of $QPOOL_ROOT, of which an archive is made, cannot be read: ${problem%%$'\n'*}"
    take_lock
    install_packages source
    name=qpool-$(git -C "$QPOOL_ROOT" show HEAD:CMakeLists.txt | project_version /dev/stdin)
    [[ ! $(git -C "$QPOOL_ROOT" status --porcelain) ]] || say "The archive has the last commit, without the uncommitted changes."

    step "The archive"
    rm -rf "$made"
    mkdir -p "$made"
    git -C "$QPOOL_ROOT" archive --format=tar "--prefix=$name/" HEAD >"$made/$name.tar"
    tar -xf "$made/$name.tar" -C "$made"
    gzip -9n "$made/$name.tar"
    step_done

    step "The SPDX document"
    begun=$(TZ=UTC git -C "$QPOOL_ROOT" log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)
    (cd "$made/$name" && reuse lint >"$made/lint.log" 2>&1) ||
        fail "files without a copyright or a licence: $(grep -m 1 '^\* ' "$made/lint.log" || true): see $made/lint.log"
    (cd "$made/$name" && reuse spdx 2>/dev/null) |
        spdx_without_chance "$name" "$begun" "$(sha256sum <"$made/$name.tar.gz" | cut -c1-32)" >"$made/$name.spdx"
    step_done
    deliver "$output" "$made/$name.tar.gz" "$made/$name.spdx"
    rm -rf "$made"
    say "Made: $output/$name.tar.gz and $name.spdx"
}

# spdx_without_chance NAME TIME ID: reuse's document, with the name, time and identity of what it describes, and files
# in order. Paragraphs are separated by empty lines; the first describes the document.
spdx_without_chance()
{
    awk -v name="$1" -v time="$2" -v id="$3" -v RS= '
        NR == 1 {
            sub(/DocumentName: [^\n]*/, "DocumentName: " name)
            sub(/DocumentNamespace: [^\n]*/, "DocumentNamespace: http://spdx.org/spdxdocs/" name "-" id)
            sub(/Created: [^\n]*/, "Created: " time)
            lines = split($0, line, "\n")
            for (i = 1; i <= lines; ++i)
                if (line[i] !~ /^Relationship:/) print line[i]
            for (i = 1; i <= lines; ++i)
                if (line[i] ~ /^Relationship:/) print line[i] | "LC_ALL=C sort"
            close("LC_ALL=C sort")
            next
        }
        { gsub(/\n/, "\001"); print | "LC_ALL=C sort" }' | tr '\001' '\n' | sed 's/^FileName/\n&/'
}
