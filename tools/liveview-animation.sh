#!/bin/bash
# Copyright (C) 2026 The QPool authors
# SPDX-License-Identifier: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only
#
# Makes the short animation in the README from the program's own frames:
#   ./qpool demo --headless --seconds 12 --tour --frames FOLDER --size 960x640 ...
# and then every other frame, in few colours, as a GIF.

set -euo pipefail

root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
target=${1:-$root/doc/images/liveview.gif}

if [[ ${1-} == -h || ${1-} == --help ]]; then
    echo "usage: tools/liveview-animation.sh [FILE.gif]"
    echo "Writes an animation of the live view's pages; needs the package ffmpeg."
    exit 0
fi
command -v ffmpeg >/dev/null || {
    echo "liveview-animation: ffmpeg is missing: apt-get install ffmpeg" >&2
    exit 1
}
mkdir -p "$(dirname "$target")"
frames=$(mktemp -d)
trap 'rm -rf "$frames"' EXIT

"$root/qpool" demo --headless --seconds 12 --tour --frames "$frames" --size 960x640 \
    --theme dark --view cumulative
# To a file beside the target first: a failure leaves the old one.
ffmpeg -v error -y -framerate 10 -i "$frames/frame-%04d.png" \
    -vf "fps=5,split[a][b];[a]palettegen=max_colors=64:stats_mode=diff[p];[b][p]paletteuse=dither=none:diff_mode=rectangle" \
    "$frames/liveview.gif"
mv "$frames/liveview.gif" "$target"
echo "$target: $(($(stat -c %s "$target") / 1024)) KiB"
