#!/bin/sh
# SPDX-License-Identifier: MIT
# run --card and replay --card on a card of `pcounter card`: what they read, put back, refuse, and how
# they end.    real.sh PROGRAM
# shellcheck disable=SC2015,SC2016 # fail() comes after either; "$PROGRAM" is for the shell inside
set -u
program=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export TMPDIR="$work"
cd "$work" || exit 2
bad=0 passed=0
fail() { echo "FAILED: $*" >&2; bad=$((bad + 1)); }
is() { # what, have, want
    if [ "$2" = "$3" ]; then passed=$((passed + 1)); else fail "$1: $2, expected $3"; fi
}
if ! "$program" card -a G92 -- true 2>err && grep -q "a file system of its own" err; then
    echo "*** SKIP: $(cat err) ***" >&2
    exit 77
fi
export PROGRAM="$program"
on() { # chip, commands: with the card on the bus; stdout, and stderr in err
    "$program" card -a "$1" -o report -- sh -c "$2" 2>err
}
run='"$PROGRAM" run --card 01:00.0'

cat >swap.pcs <<'END'
chip G92
w a7c0 1
w a420 ffff
run 1000
w a420 ffff
r a7c0 03000001
END
on G92 "$run swap.pcs; echo \$?" >out
is "a script" "$(cat out)" "00a7c0 03000001
0"
grep -q "at least 1,000 cycles passed in .run., at 27,000,000 Hz by PTIMER; 2 registers put back" err || fail "the note: $(cat err)"
# The model reads the same from this file; a wrong expectation is exit code 1.
is "on the model" "$("$program" run -q swap.pcs)" "00a7c0 03000001"
is "an expectation" "$(on G92 "printf 'chip G92\nr a7c0 1\n' | $run -q -; echo \$?" | tail -n 1)" 1

# Waits are as long as they say: 10^5 cycles at 1 MHz are 0.1 s of the card's time, 50 million cycles of its 500 MHz.
printf 'chip G92\nw a7c0 1\nw a420 ffff\nrun 100000\nw a420 ffff\nr a600\n' >wait.pcs
cycles=$(on G92 "$run -q --clock 1M wait.pcs" | sed 's/.* //')
[ $((0x$cycles)) -ge 50000000 ] && [ $((0x$cycles)) -lt 51000000 ] || fail "a wait of $((0x$cycles)) cycles"
passed=$((passed + 1))

# Old values are restored after the end, after an error in the middle, and after signals; not after keep.
state="printf 'chip G92\nr a7c0\nr a400\nr a420\n' | $run -q - | sed 's/c0 0./c0 ./'" # QUAD_STATE is what happened
before="printf 'chip G92\nw a7c0 2\nw a400 11\nw a420 0\nkeep\n' | $run -q -"
change="chip G92\nw a7c0 1\nw a400 22\nw a420 aaaa\n"
want="00a7c0 .000002
00a400 00000011
00a420 00000000"
on G92 "$before; printf '${change}r a400\n' | $run -q -; $state" >out
is "put back" "$(cat out)" "00a400 00000022
$want"
printf '%brun 1000000000000\nw a400 33\n' "$change" >long.pcs
for signal in INT TERM HUP; do
    on G92 "$before; $run -q long.pcs & pid=\$!; sleep 0.3; kill -$signal \$pid; wait \$pid; echo \$?; $state" >out
    is "SIG$signal" "$(cat out)" "130
$want"
    grep -q "interrupted in line 5 of long.pcs" err || fail "SIG$signal: $(cat err)"
done
on G92 "$before; { printf '$change'; printf 'repeat 100000000 r a600\n'; } >repeat.pcs; $run -q repeat.pcs & pid=\$!; sleep 0.3; kill -INT \$pid
    sleep 0.1; kill -INT \$pid 2>/dev/null; wait \$pid; echo \$?; $state" >out
is "twice in a repeat" "$(cat out)" "130
$want"
# A card that answers no more: memory is switched off in the middle.
on G92 "{ printf '$change'; printf 'run 30000000\nr a400\n'; } >off.pcs; $run off.pcs & pid=\$!; sleep 0.3; setpci -s 1:0 4.W=0; wait \$pid; echo \$?" >out
if command -v setpci >/dev/null; then
    is "a card that goes" "$(cat out)" 2
    grep -q "error.PC-E2105.*and the boot id read ffffffff" err && grep -q "no register was put back" err || fail "a card that goes: $(cat err)"
    on G92 "setpci -s 1:0 4.W=0; $run swap.pcs; echo \$?" >out
    is "a card that sleeps" "$(cat out)" 2
    grep -q "its boot id reads ffffffff" err || fail "a card that sleeps: $(cat err)"
else
    echo '*** SKIP cards that go: no setpci here ***' >&2
fi

# Parts of a register, which is put back whole.
on G92 "printf 'chip G92\nw a400 1\nkeep\n' | $run -q -; printf 'chip G92\nw8 a401 aa\nw16 a402 bbcc\nr a400\n' | $run -q -; $state" >out
is "parts" "$(sed -n '1p; 3p' out | xargs)" "00a400 bbccaa01 00a400 00000001"

# Refused, with nothing written.
refused() { # what, text, chip, commands
    on "$3" "$4; echo \$?" >out
    is "code of $1" "$(tail -n 1 out)" 2
    grep -q -e "$2" err || fail "$1: $(cat err)"
    ! grep -q ", [1-9][0-9,]* write" report || fail "$1: $(cat report)"
}
refused "another chip" "is a G80 by its boot id 050000a1, not a G92" G80 "$run swap.pcs"
refused "a command for the model" "set. is a command for the model" G92 "printf 'chip G92\nw a7c0 1\nset 0 1 1\n' | $run -"
refused "an address" "PC-E2107.*0x001234" G92 "printf 'chip G92\nw a7c0 1\nw 1234 1\n' | $run -"
refused "a domain that is not there" "PC-E2107.*0x00a7dc" NV40 "printf 'chip NV40\nw a7dc 1\n' | $run -"
refused "-a" "is a G92 by its boot id" G92 "\"\$PROGRAM\" run -q --log mmiotrace=a.mmt swap.pcs; \"\$PROGRAM\" replay -a G80 --card 01:00.0 a.mmt"
on G92 "printf 'chip G92\nw 1234 1\nr 1234\n' | $run -q --any-register -; echo \$?" >out
is "--any-register" "$(cat out)" "001234 00000000
0"
"$program" run --card 01:00.0 swap.pcs >out 2>err
is "no card" "$?" 2
grep -q "PC-E2101\|PC-E2102\|PC-E2103\|PC-E2104" err || fail "no card: $(cat err)"
# A driver has the card; and a file system that gives it to root alone.
folder=/sys/bus/pci/devices/0000:01:00.0
driven="mkdir /sys/bus/pci/drivers/nouveau; ln -s /sys/bus/pci/drivers/nouveau $folder/driver"
refused "a driver" "PC-E2104.*the driver nouveau uses the card" G92 "$driven; $run swap.pcs"
on G92 "$driven; $run --in-use -o in-use.json swap.pcs; echo \$?" >out
is "--in-use" "$(cat out)" 0
grep -q '"driver": "nouveau", "cycles_at_least": 1000, "clock_hz": 27000000, "put_back": 2, "not_restored": 0, "differ": null' in-use.json ||
    fail "--in-use: $(cat in-use.json)"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    chmod 755 "$work"
    on G92 "setpriv --reuid 65534 --regid 65534 --clear-groups $run swap.pcs; echo \$?" >out
    is "no rights" "$(cat out)" 2
    grep -q "PC-E2103.*Permission denied" err && grep -q "run it as root" err || fail "no rights: $(cat err)"
fi
usage() { # text, arguments
    text=$1
    shift
    "$program" "$@" >out 2>err
    is "code of $*" $? 2
    grep -q -e "$text" err || fail "$*: $(cat err)"
}
usage "an address of the PCI bus is expected" run --card ../x swap.pcs
usage "an address of the PCI bus is expected" run --card 0000:01:00.8 swap.pcs
usage "card ADDR is missing" run --beside swap.pcs
usage "card ADDR is missing" replay --in-use a.mmt
usage "it needs --beside" run --card 01:00.0 --set quad-exit=empty swap.pcs
usage "is about the model" run --card 01:00.0 --explain swap.pcs
usage "is about the model" replay --card 01:00.0 --with x a.mmt

# Beside the model: the first read that differs, and only where something does.
printf 'chip G92\nw a7c0 1\nw a420 ffff\nw a7c0 0\nr a7c0\nr a400\nr a7c0\n' >exit.pcs
beside="\"\$PROGRAM\" run --card 01:00.0 --beside exit.pcs >reads; echo \$?"
is "the same" "$(on G92 "$beside")" 0
grep -q "0 reads differ between" err || fail "the same: $(cat err)"
"$program" card -a G92 --option quad-exit=empty -o report -- sh -c "$beside" >out 2>err
is "another" "$(cat out)" 1
grep -q "exit.pcs:5: 0x00a7c0 reads 00000000 on the card, 01000000 on the model" err && grep -q "2 reads differ between" err ||
    fail "another: $(cat err)"
"$program" card -a G92 --option quad-exit=empty -o report -- sh -c "\"\$PROGRAM\" run --card 01:00.0 --beside --set quad-exit=empty exit.pcs >reads; echo \$?" >out 2>err
is "another, set" "$(cat out)" 0

# A trace on a card: one of the card itself reads the same, one of another does not.
"$program" card -a G92 --log mmiotrace=card.mmt -o report -- sh -c "$run -q --log mmiotrace=run.mmt exit.pcs" >out
for log in card run; do
    on G92 "\"\$PROGRAM\" replay --card 01:00.0 --expect-reads $log.mmt; echo \$?; $state" >out
    is "replay of $log.mmt" "$(tail -n 4 out)" "0
00a7c0 .000000
00a400 00000000
00a420 00000000"
done
"$program" card -a G92 --option quad-exit=empty -o report -- sh -c '"$PROGRAM" replay --card 01:00.0 --expect-reads run.mmt; echo $?' >out 2>err
is "replay on another" "$(cat out)" "read mismatch at line 9: 0x00a7c0 CTRL[0] trace=0x01000000 card=0x00000000  (QUAD_STATE VALID vs EMPTY)
1"
"$program" replay --expect-reads --strict run.mmt >out 2>err || fail "a log of a card by the model: $(cat out err)"
printf 'chip G92\nset 0 1 1\nr a7c0\n' >model.pcs
"$program" run -q --log mmiotrace=model.mmt model.pcs >out
refused "a log with a command for the model" "PC-E0823.*set 0 1 1" G92 '"$PROGRAM" replay --card 01:00.0 model.mmt'
refused "a trace of another chip" "PC-E1207.*is that of G92, and the card 0000:01:00.0 is a G80" G80 '"$PROGRAM" replay --card 01:00.0 run.mmt'
grep -q "help: give the address of a G92, or replay it without --card" err || fail "help for another chip: $(cat err)"

echo "$passed passed, $bad failed"
[ $bad -eq 0 ]
