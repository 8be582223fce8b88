#!/bin/sh
# SPDX-License-Identifier: MIT
# Dependencies point one way: what each folder of src/ may include. (That cli/ sees the public headers
# alone needs no test: it is compiled without -Isrc.)
# Kernels (src/kernel) are loops over planes that know no unit: the model and the readers use them as well.
#   layers.sh   (in the root of the sources)
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# layer: what it may include; public headers, tables and itself always
cat >"$work/allowed" <<'END'
base:
kernel: base model/rules
model/chips: base
model/rules: base
model/regs: base model/rules model/chips
model/unit: base model/chips model/rules model/regs kernel
model/gpu: base model/chips model/regs model/unit
model/hpm: base model/rules kernel
model/engine: base model/chips model/rules model/regs kernel model/unit
wave: base kernel
lang/expr: base
lang/names: base model/chips
lang/compile: base model/rules lang/expr
lang/plan: base model/rules lang/compile lang/expr
lang/metric: base
lang/measure: base
lang/bus: base lang/measure
lang/core: base lang/expr
script: base model/chips
dpi:
END
find src -name '*.[ch]' -o -name '*.def' | sort | while read -r file; do
    awk -v file="$file" '
        function layer(path,   part) {
            sub(/^src\//, "", path)
            split(path, part, "/")
            return part[1] ~ /^(model|lang)$/ ? part[1] "/" part[2] : part[1]
        }
        match($0, /^ *# *include "/) {
            name = substr($0, RSTART + RLENGTH)
            sub(/".*/, "", name)
            if (name ~ /^pcounter\//) next
            if (name !~ /\// && (getline line < ("src/" name)) < 0) next  # a table, made by the build
            close("src/" name)
            from = layer(file); to = layer(name)
            if (from != to) print from, to, file ":" FNR, name
        }' "$file"
done >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 50 ] || { echo 'too few includes were found' >&2; exit 1; }
awk -F: 'NR == FNR { n = split($2, to, " "); known[$1] = 1; for (i = 1; i <= n; i++) may[$1 " " to[i]] = 1; next }
         { split($0, e, " "); tried++
           if (!(e[1] in known)) { print e[3] ":" e[4] ": the layer " e[1] " is not known here"; bad = 1 }
           else if (!((e[1] " " e[2]) in may)) { print $0 ": " e[1] " must not include " e[2]; bad = 1 } }
         END { if (!bad) print tried " passed, 0 failed"; exit bad }' "$work/allowed" "$work/edges"
# The allowed edges have no circle.
sed 's|\([a-z/]*\):\(.*\)|\1\2|' "$work/allowed" | awk '{ for (i = 2; i <= NF; i++) print $i, $1 }' | tsort >/dev/null
