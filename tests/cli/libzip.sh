#!/bin/sh
# SPDX-License-Identifier: MIT
# libzip is loaded when a session of sigrok is opened: no start waits for it, and without it, or with
# one that lacks something, all else goes on.
#   libzip.sh PROGRAM SONAME CC
set -u
program=$1 soname=$2 cc=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
# says CODE TEXT ENVIRONMENT...: the session is not read, because of TEXT
says() {
    code=$1 text=$2
    shift 2
    got=$(env "$@" "$program" info "$work/damaged.sr" 2>&1 >/dev/null)
    [ $? -eq 2 ] || fail "$*: not exit 2"
    case $got in
    "pcounter: error[PC-E$code]: "*"$text"*) ;;
    *) fail "$*: $got" ;;
    esac
}
printf 'PK\003\004 and no more' >"$work/damaged.sr"
mkdir "$work/text" "$work/empty"
echo 'no library' >"$work/text/$soname"
echo 'int nothing;' | "$cc" -shared -fPIC -x c - -o "$work/empty/$soname" || fail "$cc makes no library"

says 0719 'Not a zip archive' # the real one
says 0728 "$soname" LD_LIBRARY_PATH="$work/text"
says 0728 "$soname has no zip_" LD_LIBRARY_PATH="$work/empty"
LD_LIBRARY_PATH=$work/text "$program" info "$(dirname "$0")/run-wave.vcd" >/dev/null ||
    fail 'a VCD is not read without libzip'
objdump -p "$program" | grep -q 'NEEDED.*libc\.so' || fail 'objdump shows no libraries'
objdump -p "$program" | grep 'NEEDED.*lib\(zip\|m\)\.so' && fail 'a start waits for them'
[ "$bad" -eq 0 ] && echo '6 passed, 0 failed'
