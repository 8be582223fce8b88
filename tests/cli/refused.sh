#!/bin/sh
# SPDX-License-Identifier: MIT
# Outputs that cannot be replaced, threads that are not to be had, and Ctrl-C while a FIFO is waited for.
#   refused.sh PROGRAM LIBRARY     (LIBRARY: refuse.c)
# shellcheck disable=SC2015,SC2086,SC2181 # A && B || fail, and so of $?; words of a call
set -u
usage='usage: refused.sh PROGRAM LIBRARY'
program=$(realpath "${1:?$usage}")
library=$(realpath "${2:?$usage}")
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
wave=$root/tests/cli/data/tiny.vcd
script=$root/examples/scripts/nv34-quad-pm-trigger.pcs
vectors=$root/tests/hpm/check/good.txt
call="stat --clock clk -e valid $wave"

# --- in place: the same file has all of it, and a note says so ---
"$program" $call >want
for no in temporary rename; do
    printf 'old and longer than what comes, by far: %300s\n' x >file
    before=$(stat -c %i file)
    LD_PRELOAD=$library PC_NO=$no "$program" $call -o file >stdout 2>messages
    [ $? -eq 0 ] && [ ! -s stdout ] && grep -q 'note\[PC-N0360\]: file: ' messages || fail "$no: $(cat messages)"
    cmp -s want file || fail "$no: another output"
    [ "$(stat -c %i file)" = "$before" ] || fail "$no: another file"
    # an error in the call leaves what was there
    LD_PRELOAD=$library PC_NO=$no "$program" stat -q --clock clk -e nothing $wave -o file >stdout 2>messages
    [ $? -eq 2 ] && cmp -s want file || fail "$no: an error, and another file"
    rm -f file
    [ "$(ls)" = "$(printf 'messages\nstdout\nwant')" ] || fail "$no: left behind: $(ls)"
done
LD_PRELOAD=$library PC_NO=temporary "$program" $call -o none >stdout 2>messages
[ $? -eq 2 ] && grep -q 'PC-E0901.*none: Permission denied' messages && [ ! -e none ] || fail "a new file: $(cat messages)"

# a file system whose files all have names
LD_PRELOAD=$library PC_NO=nameless "$program" $call -o file >stdout 2>messages
[ $? -eq 0 ] && cmp -s want file || fail "nameless: $(cat messages)"
rm -f file
[ "$(ls)" = "$(printf 'messages\nstdout\nwant')" ] || fail "nameless: left behind: $(ls)"

# a folder of another user, and a file that is mounted
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null 2>&1; then
    chmod 755 .
    mkdir folder
    echo old >folder/file
    chmod 666 folder/file
    cp "$wave" wave.vcd
    setpriv --reuid=65534 --clear-groups "$program" stat --clock clk -e valid "$work/wave.vcd" -o folder/file 2>messages
    code=$?
    if grep -q 'cannot open\|not found\|Permission denied$' messages; then
        echo 'SKIP: a folder of another user; that one cannot see these files'
    else
        [ $code -eq 0 ] && grep -q PC-N0360 messages && ! grep -q old folder/file || fail "a folder of another user: $(cat messages)"
    fi
fi
if unshare -m true 2>/dev/null; then
    echo inner >a
    echo outer >b
    unshare -m sh -c "mount --bind a b && $program $call -o b" 2>messages
    [ $? -eq 0 ] && cmp -s a want && [ "$(cat b)" = outer ] && grep -q PC-N0360 messages || fail "a file that is mounted: $(cat messages)"
else
    echo 'SKIP: a file that is mounted; no mounts here'
fi
"$program" $call -o /dev/null || fail '-o /dev/null'
"$program" $call -o /dev/full 2>messages
[ $? -eq 2 ] && grep -q 'PC-E0901.*/dev/full: No space' messages || fail "-o /dev/full: $(cat messages)"
if [ -d /dev/shm ] && shm=$(mktemp /dev/shm/pcounter.XXXXXX.txt 2>/dev/null); then
    "$program" $call -o "$shm"
    "$program" $call -o "$shm"
    cmp -s want "$shm" || fail 'a file of /dev/shm is not replaced'
    rm -f "$shm"
fi

# --- several outputs: all or none ---
for last in --dump=0:16=/dev/full --log=mmiotrace=/dev/full --log=mmiotrace=none/log --dump=0:16=none/dump; do
    rm -f reads log dump
    "$program" run -q "$script" -o reads --dump 0:16=dump "$last" 2>messages
    [ $? -eq 2 ] && grep -q PC-E0901 messages && [ ! -e reads ] && [ ! -e dump ] || fail "run $last: $(cat messages) $(ls)"
done
"$program" record -q --clock clk --stop valid --dump /dev/full -o rows $wave 2>messages
[ $? -eq 2 ] && [ ! -e rows ] || fail "record --dump /dev/full: $(cat messages)"
"$program" run -q "$script" -o reads --dump 0:16=dump --log mmiotrace=log 2>messages
[ $? -eq 0 ] && [ -s reads ] && [ -s log ] && [ -e dump ] || fail "run with three outputs: $(cat messages)"

# --- a FIFO that nobody reads ---
mkfifo fifo
# shellcheck disable=SC2016 # for the inner shell
for output in "$call -o fifo" "info $wave -o fifo" "list chips -o fifo" "check $vectors -o fifo" \
    "run -q $script -o fifo" "run -q $script --dump 0:16=fifo" "run -q $script --log mmiotrace=fifo"; do
    timeout --preserve-status -s INT 0.5 "$program" $output >stdout 2>messages
    code=$?
    [ $code -eq 130 ] || fail "$output: Ctrl-C: exit code $code: $(cat messages)"
done

# --- no threads ---
while IFS= read -r call; do
    "$program" $call >want 2>want-messages
    code=$?
    LD_PRELOAD=$library PC_NO=thread "$program" $call >got 2>messages
    [ $? -eq $code ] && cmp -s want got && cmp -s want-messages messages || fail "$call without threads: $(cat messages)"
done <<END
stat -j4 --clock clk -e valid $wave $wave $wave
stat -j4 --clock soc_tb.clk -e hit $root/examples/soc/soc.vcd.gz
info -j4 $root/examples/soc/soc.vcd.gz
record --clock soc_tb.clk --stop hit $root/examples/soc/soc.vcd.gz
check $vectors
check -j3 $vectors $vectors $vectors
replay $root/tests/cli/replay/g92.mmt
END
[ $bad -eq 0 ] && echo 'what was refused is as it should be'
exit $((bad != 0))
