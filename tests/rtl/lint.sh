#!/bin/sh
# SPDX-License-Identifier: MIT
# Verilator has no warning of any kind for the Verilog of rtl/, but for names and bits that a layout
# does not use; neither has Icarus Verilog with -Wall. A copy with a signal of the wrong width must
# fail.
#   lint.sh RTL
set -eu
rtl=$(realpath "${1:?usage: lint.sh RTL}")
for tool in iverilog verilator; do
    if ! command -v $tool > /dev/null; then
        echo "SKIP rtl_lint: $tool is not installed" >&2
        exit 77
    fi
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Has Verilator look at one top; false if it says anything.
lint() { # FOLDER TOP LAYOUT DOMAINS
    wrapper=
    [ "$2" = pcounter ] || wrapper=$1/$2.v
    verilator --lint-only -Wall -Wno-UNUSEDPARAM -Wno-UNUSEDSIGNAL -I"$1" --top-module "$2" \
        "-GLAYOUT=\"$3\"" "-GDOMAINS=$4" -GSIGNALS=128 "$1/pcounter.v" ${wrapper:+"$wrapper"} \
        "$1"/pcounter_[cdi]*.v > "$work/said" 2>&1 && [ ! -s "$work/said" ]
}
fail() {
    cat "$work/said"
    echo "$1" >&2
    exit 1
}
for layout in NV10 NV15 NV20 NV30 NV40 G80 G84 G92 GT215 GF100 GK104; do
    domains=3
    case $layout in NV1?) domains=1 ;; NV[23]?) domains=2 ;; esac
    for top in pcounter pcounter_axil pcounter_apb; do
        lint "$rtl" "$top" "$layout" "$domains" || fail "$top, $layout: verilator warns"
    done
done
for top in pcounter pcounter_axil pcounter_apb; do
    iverilog -g2005 -Wall -I"$rtl" -s $top -o "$work/unit" "$rtl"/*.v > "$work/said" 2>&1 ||
        fail "$top: iverilog refuses it"
    [ ! -s "$work/said" ] || fail "$top: iverilog warns"
done

cp -r "$rtl" "$work/copy"
sed -i "s/shared <= {16'b0, record_dma};/shared <= record_dma;/" "$work/copy/pcounter.v"
if cmp -s "$rtl/pcounter.v" "$work/copy/pcounter.v" || lint "$work/copy" pcounter G80 1; then
    fail "a wrong width is not noticed"
fi
echo "no warnings"
