# SPDX-License-Identifier: MIT
# A VCD of two counters of 16 bits with selectors, of which one thing is wrong: awk -v fault=NAME -f counter.awk
#   carry     the carry from bit 7 to bit 8 is lost
#   prio      a write of the low half adds the event
#   element   counter 0 takes event 2 where event 1 is selected
#   selector  counter 1 takes the selector of counter 0
#   reset     counter 0 is 1 after the reset
#   after     a counter counts once more in the clock after a write
#   bit       bit 3 of a written value is inverted
function noise() { # minimal standard
    state = state * 16807 % 2147483647
    return state
}
function put(value, width, code,    i, text) {
    for (i = width - 1; i >= 0; i--) text = text int(value / 2 ^ i) % 2
    print (width == 1 ? text code : "b" text " " code)
}
function bit(value, n) { return int(value / 2 ^ n) % 2 }
# the value after an edge of counter n
function next_of(n, value, sel,    event, low) {
    if (fault == "selector" && n == 1) sel = sel0
    if (fault == "element" && n == 0 && sel == 1) sel = 2
    event = bit(ev, sel)
    if (fault == "after" && written[n] && we != n + 1) event = 1
    written[n] = we == n + 1
    if (we == n + 1) {
        low = fault == "bit" ? wdata + (bit(wdata, 3) ? -8 : 8) : wdata
        return int(value / 256) * 256 + (low + (fault == "prio" ? event : 0)) % 256
    }
    if (fault == "carry") return int(value / 256) * 256 + (value + event) % 256
    return (value + event) % 65536
}
BEGIN {
    state = 20261128
    print "$timescale 1ns $end\n$scope module dut $end"
    print "$var wire 1 c clk $end\n$var wire 1 r rst_n $end\n$var wire 4 e ev [3:0] $end"
    print "$var wire 2 w we [1:0] $end\n$var wire 8 d wdata [7:0] $end"
    print "$var reg 16 0 cnt0 [15:0] $end\n$var reg 16 1 cnt1 [15:0] $end"
    print "$var reg 2 s sel0 [1:0] $end\n$var reg 2 t sel1 [1:0] $end\n$upscope $end\n$enddefinitions $end"
    cnt0 = fault == "reset"; sel0 = 1; sel1 = 3
    for (t = 0; t < 900; t++) {
        rst_n = t >= 3
        print "#" 10 * t; put(0, 1, "c")
        put(rst_n, 1, "r"); put(ev, 4, "e"); put(we, 2, "w"); put(wdata, 8, "d")
        if (t == 0) { put(cnt0, 16, "0"); put(cnt1, 16, "1"); put(sel0, 2, "s"); put(sel1, 2, "t") }
        print "#" 10 * t + 5; put(1, 1, "c")
        if (rst_n) { a = next_of(0, cnt0, sel0); b = next_of(1, cnt1, sel1); cnt0 = a; cnt1 = b }
        put(cnt0, 16, "0"); put(cnt1, 16, "1")
        ev = int(noise() / 64) % 16
        we = int(noise() / 64) % 64; we = we < 3 && t > 5 ? we : 0
        wdata = we ? 240 + int(noise() / 64) % 8 : 0
    }
}
