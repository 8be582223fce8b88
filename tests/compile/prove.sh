#!/bin/sh
# SPDX-License-Identifier: MIT
# A sample of what the compiler finds, proven by others: yosys (SAT) or z3 (SMT), against
# restatements of the input selection in their own languages.  The same with one table turned
# over must fail in every case, else the proof proves nothing.
#   prove.sh yosys|z3 PROVE
set -eu
tool=${1:?usage: prove.sh yosys|z3 PROVE}
prove=$(realpath "${2:?usage: prove.sh yosys|z3 PROVE}")
here=$(realpath "$(dirname "$0")")
if ! command -v "$tool" > /dev/null; then
    echo "SKIP compile_prove_$tool: $tool is not installed (Debian package $tool)" >&2
    exit 77
fi
cases=45
[ -z "${PC_TEST_LONG-}" ] || cases=300
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir good bad
"$prove" good $cases
"$prove" bad 20 bad > bad/log

prove_z3() { # FOLDER: one answer a case
    cat "$here/inputs.smt2" "$1/proof.smt2" > "$1/all.smt2"
    z3 "$1/all.smt2" > "$1/answers"
}
prove_yosys() { # FOLDER
    yosys -q -p "read_verilog $here/inputs.v $1/proof.v; hierarchy -top proof; proc; flatten; opt;
                 sat -verify -prove differs 0 proof" > "$1/answers" 2>&1
}

if [ "$tool" = z3 ]; then
    prove_z3 good
    prove_z3 bad
    if [ "$(sort good/answers | uniq -c | tr -s ' ')" != " $cases unsat" ]; then
        echo "z3 finds a state where registers and expression differ, or did not finish:"
        grep -n -v unsat good/answers | head
        exit 1
    fi
    [ "$(sort bad/answers | uniq -c | tr -s ' ')" = " 20 sat" ] || {
        echo "a wrong table was not noticed"
        exit 1
    }
else
    prove_yosys good || {
        cat good/answers
        exit 1
    }
    ! prove_yosys bad || {
        echo "a wrong table was not noticed"
        exit 1
    }
    grep -q "proof did fail" bad/answers || {
        cat bad/answers
        exit 1
    }
fi
echo "$cases programs proven by $tool; a wrong one is noticed"
