# SPDX-License-Identifier: MIT
# Forms of instructions that access memory, as functions in assembly and rows of a table, for instructions.c.
#   form(FEATURES, TEXT, READS, WRITES): M in the text is the memory operand.  What is accessed:
#     ""      nothing
#     "N"     N bytes; "N,N" those, and then those
#     "mN/S"  elements of S bytes of N, which have a bit in k1
#     "pN/S"  as many of them as k1 has bits
#     "aS:L"  S bytes, if one of the L bits of k1 is set
#     "tN/S:L" elements that are repeated, L in all, if one of their bits is set
#     "vN/S"  elements whose sign is set in vector 1
function form(features, text, reads, writes) {
    gsub(/M/, "(%rsi)", text)
    gsub(/"/, "\\\"", text)
    printf "__asm__(\".text\\n.globl form_%d\\n.type form_%d, @function\\nform_%d:\\n\" FORM_BEGIN_%s \"\\n\\t%s\\n\" FORM_END_%s);\n",
        count, count, count, level(features), text, level(features)
    rows = rows sprintf("    { form_%d, \"%s\", \"%s\", \"%s\", \"%s\" },\n", count, features, text, reads, writes)
    names = names sprintf("form_fn form_%d;\n", count)
    count++
}
function level(features) {
    return features ~ /avx512/ ? "ZMM" : features ~ /avx/ ? "YMM" : "XMM"
}
# Operations of two operands with a result in memory or in a register, and of one
function general(    n, i, size, reg, imm, op, lock) {
    n = split("add adc sub sbb and or xor cmp test", ops, " ")
    split("b w l q", suffix, " ")
    split("cl cx ecx rcx", regs, " ")
    for (size = 1; size <= 4; size++) {
        bytes = 2 ^ (size - 1)
        reg = "%" regs[size]
        imm = size == 1 ? "$0x9d" : size == 2 ? "$0x9d3c" : "$0x7d3c5a69"
        for (i = 1; i <= n; i++) {
            op = ops[i] suffix[size]
            keeps = ops[i] == "cmp" || ops[i] == "test"
            form("base", op " " reg ", M", bytes, keeps ? "" : bytes)
            form("base", op " M, " reg, bytes, "")
            form("base", op " " imm ", M", bytes, keeps ? "" : bytes)
            if (!keeps) {
                form("base", op " $-3, M", bytes, bytes)
                form("base", "lock " op " " reg ", M", bytes, bytes)
            }
        }
        n1 = split("inc dec neg not", ones, " ")
        for (i = 1; i <= n1; i++) {
            form("base", ones[i] suffix[size] " M", bytes, bytes)
            form("base", "lock " ones[i] suffix[size] " M", bytes, bytes)
        }
        form("base", "xchg" suffix[size] " " reg ", M", bytes, bytes)
        form("base", "xadd" suffix[size] " " reg ", M", bytes, bytes)
        form("base", "lock xadd" suffix[size] " " reg ", M", bytes, bytes)
        form("base", "cmpxchg" suffix[size] " " reg ", M", bytes, bytes)
        # with what is there in the accumulator
        form("base", "mov" suffix[size] " M, %" substr("al ax eaxrax", 3 * size - 2, 3) "; lock cmpxchg" suffix[size] " " reg ", M",
             bytes "," bytes, bytes)
        form("base", "mov" suffix[size] " " reg ", M", "", bytes)
        form("base", "mov" suffix[size] " M, " reg, bytes, "")
        form("base", "mov" suffix[size] " " imm ", M", "", bytes)
        form("base", "movs" suffix[size], bytes, bytes)
        form("base", "stos" suffix[size], "", bytes)
        form("base", "lods" suffix[size], bytes, "")
        form("base", "scas" suffix[size], bytes, "")
        if (size > 1) {
            n2 = split("bt bts btr btc", bits, " ")
            for (i = 1; i <= n2; i++) {
                form("base", bits[i] suffix[size] " $5, M", bytes, i == 1 ? "" : bytes)
                form("base", "and $7, %ecx; " (i == 1 ? "" : "lock ") bits[i] suffix[size] " " reg ", M", bytes, i == 1 ? "" : bytes)
            }
            form("base", "imul" suffix[size] " M, " reg, bytes, "")
            form("base", "cmovne" suffix[size] " M, " reg, bytes, "")
            form("base", "bsf" suffix[size] " M, " reg, bytes, "")
        }
        n3 = split("shl shr sar rol ror rcl rcr", shifts, " ")
        for (i = 1; i <= n3; i++)
            form("base", shifts[i] suffix[size] " $3, M", bytes, bytes)
        form("base", "mul" suffix[size] " M", bytes, "")
    }
    form("base", "movzbl M, %ecx", 1, ""); form("base", "movzwq M, %rcx", 2, ""); form("base", "movsbw M, %cx", 1, "")
    form("base", "movslq M, %rcx", 4, ""); form("base", "movb %ch, M", "", 1); form("base", "movb M, %dh", 1, "")
    form("base", "addb %ch, M", 1, 1); form("base", "xorb M, %dh", 1, ""); form("base", "sete M", "", 1)
    form("base", "pushq M; popq %rcx", 8, ""); form("base", "pushq %rcx; popq M", "", 8)
    form("base", "cmpxchg8b M", 8, 8); form("base", "lock cmpxchg8b M", 8, 8); form("base", "lock cmpxchg16b M", 16, 16)
    form("base", "movl M, %eax; movl 4M, %edx; lock cmpxchg8b M", "4,4,8", 8)
    form("base", "addq %rsi, M", 8, 8); form("base", "movq %rsi, M", "", 8); form("base", "xorl %esi, M", 4, 4)
    form("base", "movnti %rcx, M", "", 8); form("base", "fildl M; fistpl 312(%r15)", 4, ""); form("base", "movq M, %mm0; movq %mm0, 312(%r15); emms", 8, "")
    form("movbe", "movbel M, %ecx", 4, ""); form("movbe", "movbeq %rcx, M", "", 8)
    form("bmi1", "andnl M, %ecx, %edx", 4, ""); form("bmi2", "shlxl %ecx, M, %edx", 4, "")
}
function sse(    i, n) {
    n = split("movups movupd movdqu movaps movapd movdqa", m, " ")
    for (i = 1; i <= n; i++) {
        form("sse2", m[i] " M, %xmm0", 16, ""); form("sse2", m[i] " %xmm0, M", "", 16)
        form("avx", "v" m[i] " M, %ymm0", 32, ""); form("avx", "v" m[i] " %ymm0, M", "", 32)
        form("avx", "v" m[i] " M, %xmm0", 16, ""); form("avx", "v" m[i] " %xmm0, M", "", 16)
    }
    form("sse2", "movd M, %xmm0", 4, ""); form("sse2", "movd %xmm0, M", "", 4); form("sse2", "movq M, %xmm0", 8, "")
    form("sse2", "movss M, %xmm0", 4, ""); form("sse2", "movsd %xmm0, M", "", 8); form("sse2", "movhps M, %xmm0", 8, "")
    form("sse2", "movlpd %xmm0, M", "", 8); form("sse2", "movntdq %xmm0, M", "", 16); form("sse2", "paddd M, %xmm0", 16, "")
    form("sse2", "pxor M, %xmm0", 16, ""); form("sse2", "cvtsi2sdl M, %xmm0", 4, ""); form("sse2", "pshufd $0x1b, M, %xmm0", 16, "")
    form("sse4_1", "pinsrd $2, M, %xmm0", 4, ""); form("sse4_1", "pextrb $3, %xmm0, M", "", 1); form("sse4_1", "pmovzxbd M, %xmm0", 4, "")
    form("sse4_1", "movntdqa M, %xmm0", 16, "")
    form("sse2", "mov %rsi, %rdi; maskmovdqu %xmm1, %xmm0", "", "v16/1")
    form("avx", "mov %rsi, %rdi; vmaskmovdqu %xmm1, %xmm0", "", "v16/1")
    form("avx", "vbroadcastss M, %ymm0", 4, ""); form("avx", "vbroadcastf128 M, %ymm0", 16, ""); form("avx", "vextractf128 $1, %ymm0, M", "", 16)
    form("avx", "vmaskmovps M, %ymm1, %ymm0", "v32/4", ""); form("avx", "vmaskmovps %ymm0, %ymm1, M", "", "v32/4")
    form("avx", "vmaskmovpd M, %xmm1, %xmm0", "v16/8", ""); form("avx", "vmaskmovpd %xmm0, %xmm1, M", "", "v16/8")
    form("avx2", "vpmaskmovd M, %ymm1, %ymm0", "v32/4", ""); form("avx2", "vpmaskmovq %ymm0, %ymm1, M", "", "v32/8")
    form("avx2", "vpaddd M, %ymm1, %ymm0", 32, ""); form("avx2", "vpmovzxbw M, %ymm0", 16, ""); form("avx2", "vinserti128 $1, M, %ymm1, %ymm0", 16, "")
    form("f16c avx", "vcvtps2ph $0, %ymm0, M", "", 16); form("f16c avx", "vcvtph2ps M, %xmm0", 8, "")
}
function masked(    i, n, width, z) {
    split("16 32 64", widths, " "); split("xmm ymm zmm", vectors, " ")
    n = split("vmovdqu8/1 vmovdqu16/2 vmovdqu32/4 vmovdqu64/8 vmovups/4 vmovupd/8 vmovdqa32/4 vmovdqa64/8 vmovaps/4 vmovapd/8", m, " ")
    for (width = 1; width <= 3; width++) {
        w = widths[width]; v = "%" vectors[width]
        f = "avx512f avx512vl avx512bw"
        for (i = 1; i <= n; i++) {
            split(m[i], p, "/")
            form(f, p[1] " M, " v "0{%k1}", "m" w "/" p[2], ""); form(f, p[1] " M, " v "0{%k1}{z}", "m" w "/" p[2], "")
            form(f, p[1] " " v "0, M{%k1}", "", "m" w "/" p[2]); form(f, p[1] " M, " v "0", w, ""); form(f, p[1] " " v "0, M", "", w)
        }
        n1 = split("d/4/vpcompressd/vpexpandd q/8/vpcompressq/vpexpandq ps/4/vcompressps/vexpandps pd/8/vcompresspd/vexpandpd b/1/vpcompressb/vpexpandb w/2/vpcompressw/vpexpandw", c, " ")
        for (i = 1; i <= n1; i++) {
            split(c[i], p, "/")
            h = p[2] < 4 ? f " avx512_vbmi2" : f
            form(h, p[3] " " v "0, M{%k1}", "", "p" w "/" p[2]); form(h, p[4] " M, " v "0{%k1}", "p" w "/" p[2], "")
            form(h, p[4] " M, " v "0{%k1}{z}", "p" w "/" p[2], ""); form(h, p[3] " " v "0, M", "", w)
        }
        n2 = split("vpaddb/1 vpaddw/2 vpaddd/4 vpaddq/8 vpandd/4 vpxorq/8 vaddps/4 vmulpd/8 vpmaxub/1 vpblendmd/4 vpternlogd/4 vfmadd213ps/4", a, " ")
        for (i = 1; i <= n2; i++) {
            split(a[i], p, "/")
            extra = p[1] == "vpternlogd" ? "$0x6a, " : ""
            form(f, p[1] " " extra "M, " v "1, " v "0{%k1}", "m" w "/" p[2], "")
            form(f, p[1] " " extra "M, " v "1, " v "0", w, "")
            if (p[2] >= 4)
                form(f, p[1] " " extra "M{1to" w / p[2] "}, " v "1, " v "0{%k1}", "a" p[2] ":" w / p[2], "")
        }
        form(f, "vpcmpeqd M, " v "1, %k2{%k1}", "m" w "/4", ""); form(f, "vptestmb M, " v "1, %k2{%k1}", "m" w "/1", "")
        form(f, "vpmovzxbw M, " v "0{%k1}", "m" w / 2 "/1", ""); form(f, "vpmovsxbd M, " v "0{%k1}", "m" w / 4 "/1", "")
        form(f, "vpmovdb " v "0, M{%k1}", "", "m" w / 4 "/1"); form(f, "vpmovqd " v "0, M{%k1}", "", "m" w / 2 "/4")
        form(f, "vpmovwb " v "0, M{%k1}", "", "m" w / 2 "/1"); form(f, "vcvtps2pd M, " v "0{%k1}", "m" w / 2 "/4", "")
        form(f, "vcvtps2ph $0, " v "0, M{%k1}", "", "m" w / 2 "/2"); form(f, "vcvtph2ps M, " v "0{%k1}", "m" w / 2 "/2", "")
        form(f, "vcvtdq2pd M, " v "0{%k1}", "m" w / 2 "/4", ""); form(f, "vpbroadcastb M, " v "0{%k1}", "a1:" w, "")
        form(f, "vpbroadcastd M, " v "0{%k1}", "a4:" w / 4, ""); form(f, "vpbroadcastq M, " v "0{%k1}{z}", "a8:" w / 8, "")
        form(f " avx512_vnni", "vpdpbusd M, " v "1, " v "0{%k1}", "m" w "/4", "")
        form(f " avx512_vnni", "vpdpwssd M, " v "1, " v "0{%k1}", "m" w "/4", "")
        form(f " avx512_bf16", "vdpbf16ps M, " v "1, " v "0{%k1}", "m" w "/4", "")
        form(f " avx512_bitalg", "vpopcntb M, " v "0{%k1}", "m" w "/1", "")
        form(f " avx512_vbmi2", "vpshldd $5, M, " v "1, " v "0{%k1}", "m" w "/4", "")
        form(f " avx512_fp16", "vaddph M, " v "1, " v "0{%k1}", "m" w "/2", ""); form(f " avx512_fp16", "vfmulcph M, " v "1, " v "2{%k1}", "m" w "/4", "")
        form(f, "vpermd M, " (width == 1 ? "%ymm" : v) "1, " (width == 1 ? "%ymm" : v) "0{%k1}", width == 1 ? 32 : w, "")
        form(f, "vpunpckldq M, " v "1, " v "0{%k1}", w, ""); form(f, "vpshufb M, " v "1, " v "0{%k1}", w, "")
    }
    f = "avx512f avx512vl avx512dq"
    form(f, "vbroadcastf32x4 M, %zmm0{%k1}", "t16/4:16", ""); form(f, "vbroadcasti64x2 M, %zmm0{%k1}", "t16/8:8", "")
    form(f, "vbroadcastf32x8 M, %zmm0{%k1}", "t32/4:16", ""); form(f, "vbroadcastf32x2 M, %zmm0{%k1}", "t8/4:16", "")
    form(f, "vextracti32x4 $2, %zmm0, M{%k1}", "", "m16/4"); form(f, "vextractf64x4 $1, %zmm0, M{%k1}", "", "m32/8")
    form(f, "vinserti32x4 $1, M, %zmm1, %zmm0{%k1}", 16, "")
    form(f, "vmovss M, %xmm0{%k1}", "m4/4", ""); form(f, "vmovsd %xmm0, M{%k1}", "", "m8/8"); form(f, "vaddss M, %xmm1, %xmm0{%k1}", "m4/4", "")
    form(f, "vcvtsi2sdl M, %xmm1, %xmm0", 4, ""); form(f, "vpinsrd $1, M, %xmm1, %xmm0", 4, ""); form(f, "vmovd M, %xmm17", 4, "")
    form(f, "vmovdqu32 M, %zmm17; vmovdqa32 %zmm17, %zmm0", 64, ""); form(f, "vmovdqa32 %zmm0, %zmm31; vmovdqu32 %zmm31, M{%k1}", "", "m64/4")
    form("avx512f avx512bw", "kmovq M, %k2; kmovq %k2, %rcx", 8, ""); form("avx512f avx512bw", "kmovd %k1, M", "", 4)
}
# The vector of indices is made here; elements are in the first 32 bytes.  Each is an access.
function gathers(    i, n) {
    n = split("vpgatherdd/4/4 vpgatherdq/4/8 vpgatherqd/8/4 vpgatherqq/8/8 vgatherdps/4/4 vgatherdpd/4/8 vgatherqps/8/4 vgatherqpd/8/8", g, " ")
    for (i = 1; i <= n; i++) {
        split(g[i], p, "/")
        wide = p[2] > p[3] ? p[2] : p[3]
        load = p[2] == 4 ? "pmovzxbd" : "pmovzxbq"
        # index and data of the same length but for the wider one
        dx = p[2] < p[3] ? "x" : "y"; dd = p[3] < p[2] ? "x" : "y"
        form("avx2", "v" load " INDEXES(%rip), %" dx "mm2; " p[1] " %" dd "mm1, (%rsi,%" dx "mm2,4), %" dd "mm0", "g" 32 / wide "/" p[3], "")
        dx = p[2] < p[3] ? "y" : "z"; dd = p[3] < p[2] ? "y" : "z"
        form("avx512f avx512vl avx512bw", "v" load " INDEXES(%rip), %" dx "mm2; " p[1] " (%rsi,%" dx "mm2,4), %" dd "mm0{%k1}", "k" 64 / wide "/" p[3], "")
        s = p[1]; sub(/gather/, "scatter", s)
        form("avx512f avx512vl avx512bw", "v" load " INDEXES(%rip), %" dx "mm2; " s " %" dd "mm0, (%rsi,%" dx "mm2,4){%k1}", "", "k" 64 / wide "/" p[3])
        form("avx512f avx512vl avx512bw", "v" load " INDEXES(%rip), %xmm2; " s " %xmm0, (%rsi,%xmm2,4){%k1}", "", "k" 16 / wide "/" p[3])
    }
}
BEGIN {
    general(); sse(); masked(); gathers()
    printf "%sstatic const struct form forms[] = {\n%s};\n", names, rows
}
