#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed library can be used as README.md shows: its C snippet, built with find_package and
# with pkg-config.    install.sh BUILD_FOLDER   (in the root of the sources)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
mkdir "$work/app"
{
    echo '#include <pcounter/pcounter.h>'
    echo '#include <stdio.h>'
    echo 'static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];'
    echo 'int main(void) {'
    awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' README.md
    echo '    printf("%u events\\n", (unsigned)events); pc_unit_destroy(unit); return 0; }'
} >"$work/app/main.c"
cat >"$work/app/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(app C)
find_package(pcounter 0.1 REQUIRED)
add_executable(app main.c)
target_link_libraries(app PRIVATE pcounter::pcounter)
END
cmake -S "$work/app" -B "$work/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/build" >/dev/null
"$work/build/app" | grep -q events
PKG_CONFIG_PATH=$(dirname "$(find "$work/prefix" -name pcounter.pc)")
export PKG_CONFIG_PATH
# shellcheck disable=SC2046 # words on purpose
cc -o "$work/app/direct" "$work/app/main.c" $(pkg-config --static --cflags --libs pcounter)
"$work/app/direct" | grep -q events
echo '2 passed, 0 failed'
