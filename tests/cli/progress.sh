#!/bin/sh
# SPDX-License-Identifier: MIT
# Progress is a line on a terminal's stderr, gone before anything else is printed; nothing of it
# under -q, nor where stderr is no terminal.  The terminal is script(1)'s.
#
#   progress.sh PROGRAM SHARED
set -eu
program=$1
shared=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() {
    echo "$1" >&2
    exit 1
}

command -v script >/dev/null || {
    echo 'SKIP: script(1) is not installed'
    exit 77
}
script -qec true /dev/null </dev/null >/dev/null 2>&1 || {
    echo 'SKIP: there are no pseudo-terminals here'
    exit 77
}

# The header, then cycles, a pause that is longer than the half second without progress, and again.
cat >"$work/slow" <<'EOF'
#!/bin/sh
cycles() {
    awk -v from="$1" 'BEGIN {
        for (t = from; t < from + 400000; t++)
            printf "#%d\n%d!\n%d#\n", t, t % 2, int(t / 2) % 2
    }'
}
printf '$timescale 1ns $end\n$scope module top $end\n$var wire 1 ! clk $end\n'
printf '$var wire 1 # a $end\n$upscope $end\n$enddefinitions $end\n'
cycles 0
sleep 0.7
cycles 400000
EOF
chmod +x "$work/slow"
clear=$(printf '\r\033')'\[K'

# Records what a terminal shows of the program; standard input is the slow waveform.
terminal() {
    script -qec "$work/slow | $program $* >$work/out" /dev/null </dev/null >"$work/terminal"
}

terminal stat --clock clk -e a -
grep -q "${clear}[0-9.]* [KM]iB  [0-9.]* [KM]iB/s  cycle [0-9,]*" "$work/terminal" ||
    fail 'stat shows no progress'
[ "$(tail -c 4 "$work/terminal" | od -An -c | tr -d ' \n')" = '\r033[K' ] ||
    fail 'stat leaves its line behind'
terminal idle --clock clk --map GR=a -
grep -q "${clear}.*cycle" "$work/terminal" || fail 'idle shows no progress'
terminal info -
grep -q "$clear.*B/s" "$work/terminal" || fail 'info shows no progress'
if [ -d "$shared/waves" ] && command -v fst2vcd >/dev/null; then
    mv "$work/slow" "$work/plain"
    fst2vcd -f "$shared/waves/cva6/cva6_towers.fst" -o "$work/core.vcd"
    printf '#!/bin/sh\nhead -c 3000000 %s; sleep 0.7; tail -c +3000001 %s\n' \
        "$work/core.vcd" "$work/core.vcd" >"$work/slow"
    chmod +x "$work/slow"
    terminal check --core cv64a6_imafdc_sv39 --profile rtl -
    grep -q "${clear}.*cycle" "$work/terminal" || fail 'check shows no progress'
    mv "$work/plain" "$work/slow"
else
    echo 'SKIP: no waveform of a core in ../shared, or no fst2vcd; progress of check is not looked at'
fi
printf 'chip G92\nrepeat 1000000000 r a7c0\n' >"$work/long.pcs"
shown="${clear}line 2  [0-9,]* of 1,000,000,000 accesses  [0-9]*s${clear}pcounter: interrupted in line 2"
for seconds in 1.5 3 9; do # more, where the machine had no time for it
    script -qec "timeout --foreground -s INT $seconds $program run $work/long.pcs" /dev/null </dev/null >"$work/terminal" || true
    ! grep -q "$shown" "$work/terminal" || break
done
grep -q "$shown" "$work/terminal" || fail 'run shows no progress'
terminal stat -q --clock clk -e a -
[ ! -s "$work/terminal" ] || fail 'progress in spite of -q'
"$work/slow" | "$program" stat --clock clk -e a - >/dev/null 2>"$work/stderr"
[ ! -s "$work/stderr" ] || fail 'progress on something that is no terminal'
echo 'progress of stat, idle, info and check on a terminal; none elsewhere'
