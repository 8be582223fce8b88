# SPDX-License-Identifier: MIT
# data/circuits.csv -> what src/kernel/lut.h and kernel/circuits.h read:
#   CIRCUIT(number, arguments that are used, gates, result)   for each kind of function
#   KIND(n)   for each table whose bit 0 is 0, in order: struct pc_lut_plan in one number
BEGIN {
    FS = ","
    print "/* generated from data/circuits.csv by tools/gen_circuits.awk */"
    orders = kinds = 0
    name["&"] = "v_and"; name["-"] = "v_andnot"; name["|"] = "v_or"; name["^"] = "v_xor"
    for (i = 0; i < 16; i++)
        for (k = 0; k < 4; k++)
            bit[i, k] = int(i / 2 ^ k) % 2
    # order[p, k]: which argument the k-th input of the circuit is
    for (a = 0; a < 4; a++)
        for (b = 0; b < 4; b++)
            for (c = 0; c < 4; c++) {
                d = 6 - a - b - c
                if (a == b || a == c || b == c || d < 0 || d > 3 || d == a || d == b || d == c)
                    continue
                order[orders, 0] = a; order[orders, 1] = b
                order[orders, 2] = c; order[orders, 3] = d
                orders++
            }
    # inputs[p, i]: those of the circuit where the arguments are i
    for (p = 0; p < orders; p++)
        for (i = 0; i < 16; i++)
            for (k = 0; k < 4; k++)
                inputs[p, i] += bit[i, order[p, k]] * 2 ^ k
    for (i = 0; i < 16; i++)
        for (n = 0; n < 16; n++)
            for (k = 0; k < 4; k++)
                either[i, n] += (bit[i, k] != bit[n, k]) * 2 ^ k
}
NR == 1 { next }
NF != 2 || $1 !~ /^[0-9a-f][0-9a-f][0-9a-f][0-9a-f]$/ || $2 !~ /^([e-k]=[a-k][-&|^][a-k] ?)*$/ {
    printf "data/circuits.csv:%d: expected a table and its gates\n", NR > "/dev/stderr"
    exit failed = 1
}
{
    for (i = 0; i < 16; i++)
        value[i] = bit[index("0123456789abcdef", substr($1, 4 - int(i / 4), 1)) - 1, i % 4]
    circuit($1, $2)
    reach()
    kinds++
}
END {
    if (failed)
        exit 1
    for (t = 0; t < 32768; t++) {
        if (!(t in kind)) {
            printf "data/circuits.csv: no circuit makes %04x\n", 2 * t > "/dev/stderr"
            exit 1
        }
        printf "KIND(%d)%s", kind[t], t % 8 == 7 ? "\n" : " "
    }
}

function circuit(table, text,   n, g, gate, gates, result, used) {
    used = 0
    for (g = 0; g < 4; g++)
        if (text ~ substr("abcd", g + 1, 1) || (text == "" && g == 0 && table != "0000"))
            used += 2 ^ g
    result = text == "" ? (table == "0000" ? "v_set(0)" : "a") : ""
    n = split(text, gate, " ")
    for (g = 1; g <= n; g++) {
        result = substr(gate[g], 1, 1)
        gates = gates sprintf("const vec %s = %s(%s, %s); ", result, name[substr(gate[g], 4, 1)],
                              substr(gate[g], 3, 1), substr(gate[g], 5, 1))
    }
    printf "CIRCUIT(%d, %d, %s, %s)\n", kinds, used, gates, result
}

# All tables that this one becomes where arguments change places or are inverted, or the result is.
function reach(   p, n, i, t, inverted) {
    for (n = 0; n < 16; n++) {
        inverted = value[n]
        for (p = 0; p < orders; p++) {
            t = 0
            for (i = 1; i < 16; i++)
                if (value[either[inputs[p, i], n]] != inverted)
                    t += 2 ^ (i - 1)
            if (!(t in kind))
                kind[t] = kinds + 256 * n + 4096 * (order[p, 0] + 4 * order[p, 1] + \
                          16 * order[p, 2] + 64 * order[p, 3]) + 1048576 * inverted
        }
    }
}
