# SPDX-License-Identifier: MIT
# awk -v names="clk a b" -f ones.awk FILE: cycles of the first signal, and in how many of them each
# other signal is 1.  A value is that in front of the time stamp, wherever the clock's line stands.
BEGIN { n = split(names, name, " "); for (i = 1; i <= n; i++) at[name[i]] = i; was = "x" }
/^\$var/ { if (($5 in at) && !(at[$5] in seen)) { id[$4] = at[$5]; seen[at[$5]] = 1 } next }
/^#/ { for (k in new) { now[k] = new[k]; delete new[k] } next }
/^[01]/ {
    k = substr($0, 2)
    if (!(k in id)) next
    v = substr($0, 1, 1); i = id[k]
    if (i > 1) { new[i] = v; next }
    if (v == "1" && was == "0") { cycles++; for (j = 2; j <= n; j++) count[j] += now[j] }
    was = v
}
END { printf "%d", cycles; for (j = 2; j <= n; j++) printf " %d", count[j]; print "" }
