#!/bin/sh
# SPDX-License-Identifier: MIT
# How a counted simulation can end: commands that do not start, do not connect, fail, are killed; a second
# simulator; a signal that does not exist. Nothing stays behind: no process, socket or folder.
#   ends.sh PROGRAM SOURCES
set -eu
program=$1 root=$2
. "$root/tests/tap/equal.sh"
need iverilog tap_ends iverilog
work=$(mktemp -d)
XDG_RUNTIME_DIR=$work/run
export XDG_RUNTIME_DIR
mkdir -m 700 "$XDG_RUNTIME_DIR"
trap 'rm -rf "$work"' EXIT
vpi=$("$program" version --vpi)
cat >"$work/t.v" <<'V'
module t;
    reg clk = 0;
    reg [31:0] n = 0;
    always #1 clk = !clk;
    always @(posedge clk) begin
        n <= n + 1;
        if (n == 2000 && !$test$plusargs("endless")) $finish;
    end
    initial if ($test$plusargs("alone")) $display("alone");
endmodule
V
iverilog -o "$work/t.vvp" "$work/t.v"
sim="vvp -n -M$vpi -mpcounter $work/t.vvp"

# CODE TEXT VERB...: the exit code, and what stderr has
ends() {
    code=$1 text=$2 got=0
    shift 2
    timeout 60 "$program" "$@" >"$work/out" 2>"$work/err" || got=$?
    [ "$got" -eq "$code" ] || { cat "$work/err" >&2; fail "$*: exit code $got, not $code"; }
    [ -z "$text" ] || grep -qF -e "$text" "$work/err" || { cat "$work/err" >&2; fail "$*: no \"$text\""; }
    nothing_stays "$*"
    checks=$((checks + 1))
}
nothing_stays() { # after up to 20 seconds
    for i in $(seq 100); do
        [ -z "$(ls -A "$XDG_RUNTIME_DIR")" ] && ! pgrep -f "$work/t.vvp" >/dev/null && return
        sleep 0.2
    done
    fail "$1: something stays: $(ls -A "$XDG_RUNTIME_DIR") $(pgrep -f "$work/t.vvp" || true)"
}

# shellcheck disable=SC2086 # the command's words
{
    ends 2 'cannot start no-such-simulator' stat -c t.clk -- no-such-simulator
    ends 2 'no command after --' stat -c t.clk --
    ends 2 'PC-E0791' stat -c t.clk -- true
    ends 2 'ended with 3, and no simulation in it had connected' stat -c t.clk -- sh -c 'exit 3'
    ends 2 'PC-E0791' stat -c t.clk -- vvp -n "$work/t.vvp"
    ends 2 'PC-E0520' stat -c t.clk -e t.nothing -- $sim
    ends 2 'unknown option' stat -c t.clk --nothing -- $sim
    ends 1 'sh ended with 4' stat -c t.clk -e 't.n[0]' -- sh -c "$sim; exit 4"
    ends 0 'is counted already' stat -c t.clk -e 't.n[0]' -- sh -c "$sim; $sim"
    ends 0 '' stat -q -c t.clk -e 't.n[0]' --to 100 --stop -- $sim +endless
    ends 0 '' stat -q -c t.clk -e 't.n[0]' --to 100 -- $sim
    ends 2 '--stop needs a simulation' stat -c t.clk --stop "$root/examples/soc/soc.fst"
}
grep -q 'alone' "$work/out" && fail "the simulation's words are in the report"
# shellcheck disable=SC2086
"$program" stat -q -c t.clk -e 't.n[0]' -o "$work/report.json" -- $sim +alone >"$work/out" 2>/dev/null
grep -q '^alone' "$work/out" || fail "with -o the simulation keeps its output"
grep -q '"cycles": 2001' "$work/report.json" || fail "the report of -o"

# SIGNAL WHO CODE: sent while an endless simulation is counted
killed() {
    got=0
    # shellcheck disable=SC2086
    "$program" stat -q -c t.clk -e 't.n[0]' -- $sim +endless >"$work/out" 2>"$work/err" &
    pid=$!
    for i in $(seq 100); do
        pgrep -f "$work/t.vvp" >/dev/null && break
        sleep 0.1
    done
    sleep 0.3
    case $2 in
    pcounter) kill "-$1" "$pid" ;;
    simulation) pkill "-$1" -x vvp -f "$work/t.vvp" 2>/dev/null || pkill "-$1" -f "$work/t.vvp" ;;
    esac
    wait "$pid" 2>/dev/null || got=$?
    [ "$got" -eq "$3" ] || { cat "$work/err" >&2; fail "$1 to the $2: exit code $got, not $3"; }
    nothing_stays "$1 to the $2"
    checks=$((checks + 1))
}
killed INT pcounter 130
killed TERM pcounter 143
killed KILL pcounter 137
echo "$checks passed, 0 failed"
