#!/bin/sh
# SPDX-License-Identifier: MIT
# libzip is loaded when a session of sigrok is opened, liblzma and libbz2 for files of xz and bzip2, libjansson by diff, libyaml for a
# map of buses: no start waits for them, and without them, or with some that lack something, all else goes on. Without libisal
# gzip is zlib's.
#   loaded.sh PROGRAM LIBZIP LIBJANSSON LIBYAML CC LIBLZMA LIBBZ2 [LIBISAL]    (LIB...: sonames)
set -u
program=$1 libzip=$2 libjansson=$3 libyaml=$4 cc=$5 liblzma=$6 libbz2=$7 libisal=${8-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
# says EXIT CODE TEXT ENVIRONMENT CALL...: it fails, because of TEXT
says() {
    exit=$1 code=$2 text=$3
    shift 3
    got=$(env "$1" "$program" "$2" "$3" ${4:+"$4"} 2>&1 >/dev/null)
    [ $? -eq "$exit" ] || fail "$*: not exit $exit"
    case $got in
    "pcounter: error[PC-E$code]: "*"$text"*) ;;
    *) fail "$*: $got" ;;
    esac
}
printf 'PK\003\004 and no more' >"$work/damaged.sr"
mkdir "$work/text" "$work/empty"
for soname in "$libzip" "$libjansson" "$libyaml" "$liblzma" "$libbz2" ${libisal:+"$libisal"}; do
    echo 'no library' >"$work/text/$soname"
    echo 'int nothing;' | "$cc" -shared -fPIC -x c - -o "$work/empty/$soname" || fail "$cc makes no library"
done
says 2 0719 'Not a zip archive' A=b info "$work/damaged.sr" '' # the real one
says 2 0728 "$libzip" LD_LIBRARY_PATH="$work/text" info "$work/damaged.sr" ''
says 2 0728 "$libzip has no zip_" LD_LIBRARY_PATH="$work/empty" info "$work/damaged.sr" ''
printf '\3757zXZ\0\0\0 and no more' >"$work/damaged.xz"
printf 'BZh91AY&SY and no more' >"$work/damaged.bz2"
says 2 0504 'damaged xz data' A=b info "$work/damaged.xz" ''
says 2 0515 "$liblzma" LD_LIBRARY_PATH="$work/text" info "$work/damaged.xz" ''
says 2 0515 "$liblzma has no lzma_" LD_LIBRARY_PATH="$work/empty" info "$work/damaged.xz" ''
says 2 0504 'damaged bzip2 data' A=b info "$work/damaged.bz2" ''
says 2 0515 "$libbz2" LD_LIBRARY_PATH="$work/text" info "$work/damaged.bz2" ''
says 2 0515 "$libbz2 has no BZ2_" LD_LIBRARY_PATH="$work/empty" info "$work/damaged.bz2" ''
gzip -c "$(dirname "$0")/data/wave.vcd" >"$work/wave.gz"
"$program" info --format json "$work/wave.gz" >"$work/real" || fail 'a gzip file'
for other in text empty; do
    LD_LIBRARY_PATH=$work/$other "$program" info --format json "$work/wave.gz" >"$work/other" || fail "a gzip file by zlib, $other"
    cmp "$work/real" "$work/other" || fail "zlib reads something else, $other"
done
report=$(dirname "$0")/diff/before.json
"$program" diff "$report" "$report" >/dev/null || fail 'the real libjansson'
says 2 1700 "$libjansson" LD_LIBRARY_PATH="$work/text" diff "$report" "$report"
says 2 1700 "json_" LD_LIBRARY_PATH="$work/empty" diff "$report" "$report"
map=--map=$(dirname "$0")/bus/link.yaml
wave=$(dirname "$0")/data/bus.vcd
"$program" bus "$map" "$wave" >/dev/null || fail 'the real libyaml'
says 2 1840 "$libyaml" LD_LIBRARY_PATH="$work/text" bus "$map" "$wave"
says 2 1840 "yaml_" LD_LIBRARY_PATH="$work/empty" bus "$map" "$wave"
LD_LIBRARY_PATH=$work/text "$program" bus "$wave" >/dev/null || fail 'buses are not found without libyaml'
# what it is refused it may call a mistake in the file, or go on without
"$cc" -shared -fPIC -x c - -o "$work/empty/$libjansson" <<'END' || fail "$cc makes no library"
static void *(*get)(unsigned long);
void json_set_alloc_funcs(void *(*m)(unsigned long), void (*f)(void *)) { (void)f; get = m; }
void *json_loadb(const char *text, unsigned long size, unsigned long flags, void *error)
{
    (void)text, (void)size, (void)flags, (void)error;
    return get(-1UL / 2);
}
int json_array_get, json_array_set_new, json_array_size, json_delete, json_null, json_integer_value, json_number_value, json_object_get, json_string_value;
int json_object_iter, json_object_iter_key, json_object_iter_next, json_object_iter_value;
END
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}allocator_may_return_null=1:log_path=$work/asan
export ASAN_OPTIONS
says 4 0130 'takes more than' LD_LIBRARY_PATH="$work/empty" diff "$report" "$report"
LD_LIBRARY_PATH=$work/text "$program" info "$(dirname "$0")/data/wave.vcd" >/dev/null ||
    fail 'a VCD is not read without them'
objdump -p "$program" | grep -q 'NEEDED.*libc\.so' || fail 'objdump shows no libraries'
objdump -p "$program" | grep 'NEEDED.*lib\(zip\|jansson\|yaml\|m\)\.so' && fail 'a start waits for them'
[ "$bad" -eq 0 ] && echo '23 passed, 0 failed'
