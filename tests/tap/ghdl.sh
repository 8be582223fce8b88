#!/bin/sh
# SPDX-License-Identifier: MIT
# GHDL by VPI: counts, values and intervals as of its VCD.
#   ghdl.sh PROGRAM SOURCES
set -eu
program=$1 root=$2
. "$root/tests/tap/equal.sh"
need ghdl tap_ghdl ghdl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vpi=$("$program" version --vpi)
cat >"$work/tb.vhd" <<'V'
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity sub is
    port (clk : in std_logic; q : out unsigned(3 downto 0));
end;
architecture a of sub is
    signal c : unsigned(3 downto 0) := "0000";
begin
    process (clk) begin
        if rising_edge(clk) then
            c <= c + 1;
        end if;
    end process;
    q <= c;
end;
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;
entity tb is end;
architecture a of tb is
    signal clk : std_logic := '0';
    signal q : unsigned(3 downto 0) := "0000";
    signal w : std_logic;
begin
    clk <= not clk after 5 ns when now < 10 us;
    u : entity work.sub port map (clk, q);
    w <= q(0) and q(2);
end;
V
cd "$work"
ghdl -a tb.vhd && ghdl -e tb
ghdl -r tb --vcd=tb.vcd >/dev/null 2>&1
run="ghdl -r tb --vpi=$vpi/pcounter.vpi"
# shellcheck disable=SC2086 # the command's words
{
    equal tb.vcd stat -q -c tb.clk -e tb.w -e 'tb.q == 5' --value tb.u.q --format json -- $run
    equal tb.vcd stat -q -c tb.clk -e tb.w -I 1us --format json -- $run
    equal tb.vcd stat -q -c 'negedge tb.clk' --latency 'd = rise(tb.w) -> fall(tb.w)' --format json -- $run
}
echo "$checks passed, 0 failed"
