#!/bin/sh
# SPDX-License-Identifier: MIT
# The installed library can be used as docs/guide/embed.md shows: its C snippet, built with find_package and
# with pkg-config; a program that reads a waveform, in C and C++; the man pages are where man
# finds them, completion is where shells do; the Verilog of the unit is there.
#   install.sh BUILD_FOLDER   (in the root of the sources)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
diff -r rtl "$work/prefix/share/pcounter/rtl"
mkdir "$work/app"
{
    echo '#include <pcounter/pcounter.h>'
    echo '#include <stdio.h>'
    echo 'static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];'
    echo 'int main(void) {'
    awk '/^```c$/ { inside = 1; next } /^```/ { inside = 0 } inside' docs/guide/embed.md
    echo '    if (printf("%u", (unsigned)events) > 0) puts(" events");'
    echo '    pc_unit_destroy(unit); return 0; }'
} >"$work/app/main.c"
cat >"$work/app/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(app C)
find_package(pcounter 1.0 REQUIRED)
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
# one of the libraries alone: a unit needs libc and no more
sed 's/pcounter 1.0 REQUIRED/pcounter 1.0 REQUIRED COMPONENTS model/; s/pcounter::pcounter/pcounter::model/' \
    "$work/app/CMakeLists.txt" >"$work/CMakeLists.model"
mkdir "$work/model"
cp "$work/app/main.c" "$work/model"
cp "$work/CMakeLists.model" "$work/model/CMakeLists.txt"
# also where the libraries of the readers are not installed: pkg-config finds none here
PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR="$work/none" \
    cmake -S "$work/model" -B "$work/model/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
cmake --build "$work/model/build" >/dev/null
"$work/model/build/app" | grep -q events
# shellcheck disable=SC2046 # words on purpose
cc -o "$work/app/model" "$work/app/main.c" $(pkg-config --cflags --libs pcounter-model)
"$work/app/model" | grep -q events
if ldd "$work/app/model" | grep -v 'linux-vdso\|libc\.\|ld-linux'; then
    echo 'libpcounter-model wants more than libc' >&2
    exit 1
fi
sed -i 's/model/nosuch/' "$work/model/CMakeLists.txt"
if cmake -S "$work/model" -B "$work/nosuch" -G Ninja -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null 2>"$work/messages"; then
    echo 'a component that there is not was found' >&2
    exit 1
fi
grep -q 'no component nosuch' "$work/messages"
# and as a part of another project, which need not compile all of it here
mkdir "$work/part"
cp "$work/app/main.c" "$work/part"
cat >"$work/part/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(app C)
add_subdirectory("$PWD" pcounter EXCLUDE_FROM_ALL)
add_executable(app main.c)
target_link_libraries(app PRIVATE pcounter::pcounter)
END
cmake -S "$work/part" -B "$work/part/build" -G Ninja >/dev/null
cmake --build "$work/part/build" --target pc_tables CMakeFiles/app.dir/main.c.o >/dev/null
ninja -C "$work/part/build" -n app >/dev/null
cat >"$work/app/wave.c" <<'END'
#include <pcounter/pcounter.h>
int main(int argc, char **argv)
{
    struct pc_wave_desc desc = { 0 };
    struct pc_wave *wave;
    struct pc_error err;

    desc.path = argv[argc - 1];
    if (pc_wave_open(&desc, &wave, &err) != PC_OK)
        return 1;
    pc_wave_close(wave);
    return 0;
}
END
sed 's/= { 0 }/= {}/' "$work/app/wave.c" >"$work/app/wave.cpp"
# shellcheck disable=SC2046 # words on purpose
cc -o "$work/app/wave" "$work/app/wave.c" $(pkg-config --cflags --libs pcounter)
"$work/app/wave" examples/soc/soc.fst
if command -v c++ >/dev/null; then
    # shellcheck disable=SC2046 # words on purpose
    c++ -std=c++11 -Wall -Wextra -Wpedantic -Werror -o "$work/app/wave" "$work/app/wave.cpp" \
        $(pkg-config --cflags --libs pcounter)
    "$work/app/wave" examples/soc/soc.fst
else
    echo 'SKIP the same in C++: no c++ here' >&2
fi
for page in man/*.[157]; do
    [ -e "$work/prefix/share/man/man${page##*.}/${page#man/}" ]
done
for page in libpcounter pcounter-unit pcounter-wave; do
    [ -s "$work/prefix/share/man/man3/$page.3" ]
done
# completion, and what installs it by hand is the same
for file in bash-completion/completions/pcounter zsh/site-functions/_pcounter fish/vendor_completions.d/pcounter.fish; do
    [ -s "$work/prefix/share/$file" ]
    shell=${file%%-*}
    "$work/prefix/bin/pcounter" --generate "complete-${shell%%/*}" | cmp - "$work/prefix/share/$file"
done
if [ -e "$work/prefix/bin/pcounter-mpi" ]; then
    cmp "$work/prefix/share/bash-completion/completions/pcounter" "$work/prefix/share/bash-completion/completions/pcounter-mpi"
    cmp "$work/prefix/share/fish/vendor_completions.d/pcounter.fish" "$work/prefix/share/fish/vendor_completions.d/pcounter-mpi.fish"
fi
cmp LICENSE "$(find "$work/prefix" -name LICENSE)"
echo '10 passed, 0 failed'
