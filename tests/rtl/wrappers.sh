#!/bin/sh
# SPDX-License-Identifier: MIT
# Simulates the test benches of the AXI4-Lite and the APB wrapper of rtl/ by Icarus Verilog, with
# several seeds. Wrappers with a fault in the handshake must fail, else the benches prove nothing.
#   wrappers.sh RTL
set -eu
rtl=$(realpath "${1:?usage: wrappers.sh RTL}")
here=$(realpath "$(dirname "$0")")
if ! command -v iverilog > /dev/null || ! command -v vvp > /dev/null; then
    echo "SKIP rtl_wrappers: iverilog and vvp are not installed" >&2
    exit 77
fi
seeds="1 2 3"
[ -z "${PC_TEST_LONG-}" ] || seeds=$(seq 1 40)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Runs a bench; false if it does not end with OK.
bench() { # FOLDER NAME SEED
    iverilog -g2005 -Wall -I"$1" -P"$2_tb.SEED=$3" -s "$2_tb" -o bench.vvp "$here/$2_tb.v" "$1"/*.v
    vvp -n bench.vvp > said
    tail -1 said | grep -q "OK$"
}
for name in axil apb; do
    for seed in $seeds; do
        bench "$rtl" $name "$seed" || {
            tail -5 said
            echo "$name, seed $seed: the bench complains" >&2
            exit 1
        }
        tail -1 said
    done
done

broken() { # WHAT NAME SED
    rm -rf copy
    cp -r "$rtl" copy
    sed -i "$3" "copy/pcounter_$2.v"
    if cmp -s "$rtl/pcounter_$2.v" "copy/pcounter_$2.v" || bench copy "$2" 1; then
        echo "$2: not noticed: $1" >&2
        exit 1
    fi
}
broken "a response is dropped before it is taken" axil 's/if (s_axil_bvalid && s_axil_bready)/if (s_axil_bvalid)/'
broken "data are overwritten before they are taken" axil 's/ && !s_axil_rvalid;/;/'
broken "an empty write is an error" axil 's/answer_empty ? OKAY : //'
broken "outside is SLVERR" axil "s/DECERR = 2'b11/DECERR = 2'b10/"
broken "data before the address are lost" axil 's/have_aw <= 1;/have_aw <= 1; have_w <= 0;/'
broken "reads wait for a write's response" axil 's/wire can_read = /wire can_read = !s_axil_bvalid \&\& /'
broken "a transfer acts twice" apb 's/ && !done;/;/'
broken "the setup phase acts" apb 's/psel && penable && !done/psel \&\& !done/'
broken "a refused transfer is no error" apb 's/assign pslverr = .*/assign pslverr = done \&\& outside;/'
broken "an empty write is an error" apb 's/(!empty && error)/error/'
