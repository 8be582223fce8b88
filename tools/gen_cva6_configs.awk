# SPDX-License-Identifier: MIT
# data/cva6_configs.csv -> rows of the configuration table of src/model/hpm/config.c
# Fields hold no quotes and no commas; none is "-".
BEGIN { FS = ","; print "/* generated from data/cva6_configs.csv by tools/gen_cva6_configs.awk */" }
NR == 1 { next }
NF != 23 { printf "data/cva6_configs.csv:%d: %d fields, expected 23\n", NR, NF > "/dev/stderr"; exit 1 }
function none(s) { return s == "-" ? "" : s }
function yes(s) { return s == "1" ? "true" : "false" }
{
    printf "{ .name = \"%s\", .aliases = \"%s\", .xlen = %s, .commit_ports = %s,\n", $1, none($2), $3, $4
    printf "  .perf_counter_en = %s, .zicntr = %s, .zihpm = %s,\n", yes($5), yes($6), yes($7)
    printf "  .rvs = %s, .rvu = %s, .rvh = %s, .rvc = %s, .rvf = %s,\n", yes($8), yes($9), yes($10), yes($11), yes($12)
    printf "  .rvb = %s, .zcb = %s, .zicond = %s, .zkn = %s, .zicbom = %s,\n", yes($13), yes($14), yes($15), yes($16), yes($17)
    printf "  .debug = %s, .dcache = PC_HPM_DCACHE_%s, .dcache_ways = %s,\n", yes($18), $19, $20
    printf "  .mmu = %s, .shared_tlb = %s, .notes = \"%s\" },\n", yes($21), yes($22), none($23)
}
