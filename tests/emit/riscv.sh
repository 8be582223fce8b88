# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: MIT
# Builds programs for RISC-V by clang and lld; read by tests that run them. $source is the root of the sources.

riscv_missing() { # says which program is missing, if one is
    for riscv_tool in clang ld.lld; do
        command -v $riscv_tool >/dev/null 2>&1 || { echo "$riscv_tool is not installed"; return; }
    done
    clang --print-targets | grep -q riscv64 || echo 'this clang does not compile for RISC-V'
}
# Clang 14 takes instructions of Zicsr as a part of the base, later ones by name alone.
riscv_zicsr=
if clang --target=riscv64 -march=rv64i_zicsr -x c -c -o /dev/null /dev/null 2>/dev/null; then
    riscv_zicsr=_zicsr
fi
riscv_build() { # MARCH ABI OUTPUT SOURCE-OR-OPTION...
    riscv_march=$1 riscv_abi=$2 riscv_output=$3
    shift 3
    case $riscv_march in rv32*) riscv_target=riscv32 ;; *) riscv_target=riscv64 ;; esac
    clang --target=$riscv_target -march="$riscv_march$riscv_zicsr" -mabi="$riscv_abi" -mno-relax -static -nostdlib \
        -fuse-ld=lld -Wl,-T,"$source/examples/cva6-exec/program.ld" -I. -o "$riscv_output" "$@"
}
