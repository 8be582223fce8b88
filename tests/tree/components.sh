#!/bin/sh
# SPDX-License-Identifier: MIT
# Which functions each library has, by the headers of its list, and that it links with no more than it may:
# the model with libc alone, lang with the model, wave with the model and the libraries of its formats.
#   components.sh CC MODEL LANG WAVE INCLUDE_FOLDER LINK_FLAG...   (the flags are for wave)
set -eu
cc=$1
model=$2
lang=$3
wave=$4
include=$5/pcounter
shift 5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
bad=0
tried=0
listed=

defined() { nm --defined-only "$@" 2>/dev/null | awk 'NF == 3 && $2 ~ /^[A-Z]$/ { print $3 }' | sort -u; }
# declared HEADER...: the functions with PC_API before them
declared() {
    for header in "$@"; do cat "$include/$header.h"; done | tr '\n' ' ' | sed 's/PC_API/\n&/g' |
        sed -n 's/^PC_API[^(;]*[ *]\(pc_[a-z0-9_]*\)(.*/\1/p' | sort -u
}

# has LIBRARY HEADER...: all of the headers' functions are in it
has() {
    library=$1
    shift
    listed="$listed $*"
    declared "$@" >"$work/declared"
    defined "$library" | comm -23 "$work/declared" - >"$work/missing"
    tried=$((tried + $(wc -l <"$work/declared")))
    [ ! -s "$work/missing" ] || { echo "${library##*/} lacks, of $*: $(tr '\n' ' ' <"$work/missing")" >&2; bad=1; }
}

# links FILE_OR_FLAG...: all of the libraries, with nothing undefined (libgcc is the compiler's own)
links() {
    tried=$((tried + 1))
    "$cc" -shared -nodefaultlibs -Wl,--no-undefined -o "$work/all.so" -Wl,--whole-archive "$@" -lc -lgcc \
        >"$work/messages" 2>&1 && return
    echo "${1##*/} needs more than it may:" >&2
    sed -n 's/.*\(undefined .*\)/  \1/p' "$work/messages" | sort -u >&2
    bad=1
}

has "$model" base chips registers unit run live gpu idle hpm
has "$lang" names expr compile measure unstable/plan unstable/metric unstable/activity unstable/bus unstable/core
has "$wave" wave unstable/trace
# pcounter.h includes the others, script is in libpcounter alone, and the last two are what a simulator calls
for header in "$include"/*.h "$include"/unstable/*.h; do
    name=${header#"$include/"}
    name=${name%.h}
    case " $listed pcounter unstable/script tap pcounter_dpi " in
    *" $name "*) ;;
    *) echo "no library of this test lists $name.h" >&2; bad=1 ;;
    esac
done
links "$model" -Wl,--no-whole-archive
links "$lang" "$model" -Wl,--no-whole-archive
links "$wave" "$model" -Wl,--no-whole-archive "$@"
# libc has these, too, but a model starts no thread and loads no library
if nm --undefined-only "$model" "$lang" 2>/dev/null | grep -w 'dlopen\|dlsym\|pthread_create' >&2; then
    echo 'the model or the language must not call these' >&2
    bad=1
fi
[ "$tried" -gt 100 ] || { echo 'too few functions were found' >&2; bad=1; }
[ "$bad" = 0 ] && echo "$tried passed, 0 failed"
exit "$bad"
