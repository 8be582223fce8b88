#!/bin/sh
# SPDX-License-Identifier: MIT
# tools/clause-cover.sh finds what it is there for: in a small tree with one clause and one decision
# each mistake is made once.
# cover_fails.sh CLAUSE-COVER.SH
set -eu
export LC_ALL=C
cover=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
tried=0
d=D # so that the ids of this tree are not taken for those of the sources

tree() { # a tree without mistakes
    rm -rf tree
    for folder in src cli include tests docs/hardware man data bench examples; do
        mkdir -p "tree/$folder"
    done
    echo "| PC.A.1 | a rule | all | $d-01 | - |" >tree/docs/hardware/clauses.md
    echo '| PD.A.1 | a rule | all | - | - |' >tree/docs/hardware/clauses-pdaemon.md
    printf '%s\n\n' "**$d-01 One.** x" "**$d-02a Two.** x" '## Entries without code' "| $d-02a | none |" \
        >tree/docs/hardware/decisions.md
    echo "/* PC.A.1 PD.A.1 $d-01 */" | tee tree/src/a.c >tree/tests/a.c
}

check() { # check STATUS WORDS: the tool's status, and that it says so
    status=0
    sh "$cover" --src tree >out 2>&1 || status=$?
    tried=$((tried + 1))
    if [ "$status" -ne "$1" ] || ! tr '\n' ' ' <out | grep -q -- "$2"; then
        echo "status $status and no \"$2\":"
        cat out
        exit 1
    fi
}

tree; check 0 'decisions: 2, without code: 1'
tree; echo "/* $d-03 */" >>tree/cli/b.c; check 1 "cited, without an entry:   $d-03 "
tree; echo "# P$d-07" >>tree/data/b.csv; check 1 "cited, without an entry:   P$d-07 "
tree; sed -i "/^[*][*]$d-01/d" tree/docs/hardware/decisions.md; check 1 "cited, without an entry:   $d-01 "
tree; sed -i "/^| $d-02a/d" tree/docs/hardware/decisions.md; check 1 "nor tests/ cite:   $d-02a "
tree; echo "| $d-01 | why |" >>tree/docs/hardware/decisions.md; check 1 "have code, or no entry:   $d-01 "
tree; echo "| $d-09 | why |" >>tree/docs/hardware/decisions.md; check 1 "have code, or no entry:   $d-09 "
tree; sed -i "1s/^/**$d-01 Again.** x\n\n/" tree/docs/hardware/decisions.md; check 1 "with two entries:   $d-01 "
tree; echo "/* PD.A.1 $d-01 */" >tree/tests/a.c; check 1 "without a test: 1 of 2   PC.A.1 "
tree; echo "/* PC.A.1 $d-01 */" >tree/src/a.c; check 1 "in src/: 1 of 2   PD.A.1 "
tree; echo '/* PC.B.1 */' >>tree/src/a.c; check 1 'that are no clause:   PC.B.1 '
echo "$tried passed, 0 failed"
