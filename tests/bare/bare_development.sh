# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: BSD-3-Clause

# A C++ program built with libqpool-dev, by CMake and by pkg-config.

source "$(dirname "$0")/common.sh"
source "$(dirname "$0")/packages.sh"
machine=$QPOOL_BARE/development

prepare()
{
    new_machine development
    apt_get "$machine" install g++ make cmake pkg-config
    # The libraries need no Qt.
    on_machine "$machine" root sh -c 'apt-get -q -y --no-install-recommends install /packages/libqpool*.deb' >"$QPOOL_BARE/apt.log" 2>&1 ||
        { cat "$QPOOL_BARE/apt.log"; fail "libqpool-dev cannot be installed"; }
    [[ ! -e $(echo "$machine"/usr/lib/*/libQt6Core.so.6) ]] || fail "libqpool-dev installs Qt"
    rm -rf "$machine/home/user/consumers"
    cp -r "$QPOOL_ROOT/tests/auto/build/consumers" "$machine/home/user/consumers"
    on_machine "$machine" root chown -R user /home/user/consumers
}
timed "A machine with a compiler and libqpool-dev" prepare

by_cmake()
{
    on_machine "$machine" user bash -ec '
        cd
        for name in allocator malloc; do
            cmake -S consumers/$name -B $name-build -DCMAKE_BUILD_TYPE=Release >/dev/null
            cmake --build $name-build >/dev/null
        done
        [[ $(allocator-build/allocator) == "48 bytes" && $(allocator-build/shared) == "48 bytes" ]]
        [[ $(malloc-build/malloc) == "the pool'"'"'s" ]]
        readelf -d allocator-build/shared | grep -q "libqpool.so.[0-9]"'
}
timed "By CMake" by_cmake

by_pkgconfig()
{
    on_machine "$machine" user bash -ec '
        cd
        for library in qpool-allocator qpool-pools qpool-sharedmemory qpool; do
            pkg-config --exists --print-errors $library
            g++ -std=c++17 consumers/allocator/main.cpp -o $library-program $(pkg-config --cflags --libs $library)
            [[ $(./$library-program) == "48 bytes" ]]
        done
        gcc consumers/malloc/main.c -o malloc-program $(pkg-config --cflags --libs qpool-malloc)
        [[ $(./malloc-program) == "the pool'"'"'s" ]]'
}
timed "By pkg-config" by_pkgconfig
