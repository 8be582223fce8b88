# SPDX-License-Identifier: MIT
# A table as VCD: the first line has paths and widths (a.b.name:8), each further one a clock with
# their values, decimal; the first column's clock, clk_i, is made here.  "-" repeats a value.
function binary(n,  s) {
    for (s = ""; n > 0; n = int(n / 2))
        s = (n % 2) s
    return s == "" ? "0" : s
}
function close_scopes(to) {
    for (; depth > to; depth--)
        print "$upscope $end"
}
NR == 1 {
    print "$timescale 1ns $end"
    for (i = 1; i <= NF; i++) {
        cut = match($i, /:[0-9]+$/)
        width[i] = substr($i, cut + 1)
        n = split(substr($i, 1, cut - 1), part, ".")
        for (same = 0; same < depth && same < n - 1 && part[same + 1] == open[same + 1]; same++)
            ;
        close_scopes(same)
        for (k = same + 1; k < n; k++) {
            print "$scope module " part[k] " $end"
            open[k] = part[k]
            depth++
        }
        print "$var wire " width[i] " s" i " " part[n] " $end"
    }
    close_scopes(0)
    print "$enddefinitions $end"
    next
}
{
    print "#" 10 * (NR - 2) "\n0s1"
    for (i = 2; i <= NF; i++)
        if ($i != "-")
            print width[i] == 1 ? $i "s" i : "b" binary($i) " s" i
    print "#" 10 * (NR - 2) + 5 "\n1s1"
}
