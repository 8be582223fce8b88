/* SPDX-License-Identifier: MIT */
/*
 * Instruction words of every class (HPM.INSN.*), 32 bits and compressed, XLEN 32 and 64:
 * unit, operation and rd as CVA6 has them, and so the events that a retirement fires.
 */
#include "hpm_test.h"

enum { B32 = 1, B64 = 2, BOTH = 3 };

struct insn_case {
    uint32_t insn;
    uint8_t xlen; /* of the cases, or-ed */
    uint8_t fu;
    uint32_t events; /* in profile spec */
    const char *text;
};

#define EV(n)   (1u << (n))
#define CONTROL EV(9)

static const struct insn_case cases[] = {
    { 0x00000013, BOTH, PC_HPM_FU_ALU, EV(20), "nop" },
    { 0x00c58533, BOTH, PC_HPM_FU_ALU, EV(20), "add a0,a1,a2" },
    { 0x40c58533, BOTH, PC_HPM_FU_ALU, EV(20), "sub a0,a1,a2" },
    { 0x00c5f533, BOTH, PC_HPM_FU_ALU, EV(20), "and a0,a1,a2" },
    { 0x00559513, BOTH, PC_HPM_FU_ALU, EV(20), "slli a0,a1,5" },
    { 0x00001537, BOTH, PC_HPM_FU_ALU, EV(20), "lui a0,1" },
    { 0x00001517, BOTH, PC_HPM_FU_ALU, EV(20), "auipc a0,1" },
    { 0x0015851b, B64, PC_HPM_FU_ALU, EV(20), "addiw a0,a1,1" },
    { 0x00c5853b, B64, PC_HPM_FU_ALU, EV(20), "addw a0,a1,a2" },
    { 0x20c5a533, BOTH, PC_HPM_FU_ALU, EV(20), "sh1add a0,a1,a2" },
    { 0x60059513, BOTH, PC_HPM_FU_ALU, EV(20), "clz a0,a1" },
    { 0x0ac5c533, BOTH, PC_HPM_FU_ALU, EV(20), "min a0,a1,a2" },
    { 0x0ec5d533, BOTH, PC_HPM_FU_ALU, EV(20), "czero.eqz a0,a1,a2" },
    { 0x02c58533, BOTH, PC_HPM_FU_MULT, EV(20), "mul a0,a1,a2" },
    { 0x02c5c533, BOTH, PC_HPM_FU_MULT, EV(20), "div a0,a1,a2" },
    { 0x02c5853b, B64, PC_HPM_FU_MULT, EV(20), "mulw a0,a1,a2" },
    { 0x0ac59533, BOTH, PC_HPM_FU_MULT, EV(20), "clmul a0,a1,a2" },
    { 0x22c58533, BOTH, PC_HPM_FU_AES, 0, "aes32esi a0,a1,a2,0" },
    { 0xeec58533, BOTH, PC_HPM_FU_AES, 0, "aes32dsmi a0,a1,a2,3" },
    { 0x32c58533, BOTH, PC_HPM_FU_AES, 0, "aes64es a0,a1,a2" },
    { 0x7ec58533, BOTH, PC_HPM_FU_AES, 0, "aes64ks2 a0,a1,a2" },
    { 0x50c58533, BOTH, PC_HPM_FU_AES, 0, "sha512sum0r a0,a1,a2" },
    { 0x31059513, BOTH, PC_HPM_FU_AES, 0, "aes64ks1i a0,a1,0" },
    { 0x30059513, BOTH, PC_HPM_FU_AES, 0, "aes64im a0,a1" },
    { 0x10259513, BOTH, PC_HPM_FU_AES, 0, "sha256sig0 a0,a1" },
    { 0x00058503, BOTH, PC_HPM_FU_LOAD, EV(5), "lb a0,0(a1)" },
    { 0x0005a503, BOTH, PC_HPM_FU_LOAD, EV(5), "lw a0,0(a1)" },
    { 0x0005b503, B64, PC_HPM_FU_LOAD, EV(5), "ld a0,0(a1)" },
    { 0x0005a507, BOTH, PC_HPM_FU_LOAD, EV(5), "flw fa0,0(a1)" },
    { 0x0005b507, BOTH, PC_HPM_FU_LOAD, EV(5), "fld fa0,0(a1)" },
    { 0x6005c573, BOTH, PC_HPM_FU_LOAD, EV(5), "hlv.b a0,(a1)" },
    { 0x62a5c073, BOTH, PC_HPM_FU_STORE, EV(6), "hsv.b a0,(a1)" },
    { 0x00a5a023, BOTH, PC_HPM_FU_STORE, EV(6), "sw a0,0(a1)" },
    { 0x00a5b023, B64, PC_HPM_FU_STORE, EV(6), "sd a0,0(a1)" },
    { 0x00a5a027, BOTH, PC_HPM_FU_STORE, EV(6), "fsw fa0,0(a1)" },
    { 0x1005a52f, BOTH, PC_HPM_FU_STORE, EV(6), "lr.w a0,(a1)" },
    { 0x18c5a52f, BOTH, PC_HPM_FU_STORE, EV(6), "sc.w a0,a2,(a1)" },
    { 0x00c5a52f, BOTH, PC_HPM_FU_STORE, EV(6), "amoadd.w a0,a2,(a1)" },
    { 0x0025a00f, BOTH, PC_HPM_FU_STORE, EV(6), "cbo.flush (a1)" },
    { 0x0ff0000f, BOTH, PC_HPM_FU_CSR, 0, "fence" },
    { 0x0000100f, BOTH, PC_HPM_FU_CSR, 0, "fence.i" },
    { 0x12000073, BOTH, PC_HPM_FU_CSR, 0, "sfence.vma" },
    { 0x30200073, BOTH, PC_HPM_FU_CSR, 0, "mret" },
    { 0x10200073, BOTH, PC_HPM_FU_CSR, 0, "sret" },
    { 0x10500073, BOTH, PC_HPM_FU_CSR, 0, "wfi" },
    { 0xc0002573, BOTH, PC_HPM_FU_CSR, 0, "rdcycle a0" },
    { 0x00c58463, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "beq a1,a2,.+8" },
    { 0x00c58463 | 1 << 7, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "beq whose rd field is odd" },
    { 0x008000ef, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "jal ra,.+8" },
    { 0x008002ef, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "jal t0,.+8" },
    { 0x0080006f, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "j .+8" },
    { 0x0080056f, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "jal a0,.+8" },
    { 0x000500e7, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "jalr ra,0(a0)" },
    { 0x000502e7, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "jalr t0,0(a0)" },
    { 0x00008067, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(13), "ret" },
    { 0x00028067, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(13), "jr t0" },
    { 0x00050067, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "jr a0" },
    { 0x00050567, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "jalr a0,0(a0)" },
    { 0x02c5f553, BOTH, PC_HPM_FU_FPU, EV(21), "fadd.d fa0,fa1,fa2" },
    { 0x68c5f543, BOTH, PC_HPM_FU_FPU, EV(21), "fmadd.s fa0,fa1,fa2,fa3" },
    { 0x68c5f54f, BOTH, PC_HPM_FU_FPU, EV(21), "fnmadd.s fa0,fa1,fa2,fa3" },
    { 0xe2058553, BOTH, PC_HPM_FU_FPU, EV(21), "fmv.x.d a0,fa1" },
    { 0x82c58533, BOTH, PC_HPM_FU_FPU_VEC, EV(21), "vfadd.s of the vectorial FP" },
    { 0x00c58557, BOTH, PC_HPM_FU_ACCEL, 0, "vadd.vv" },
    { 0x02058507, BOTH, PC_HPM_FU_ACCEL, 0, "vle8.v" },
    { 0x0205f527, BOTH, PC_HPM_FU_ACCEL, 0, "vse64.v" },
    { 0x00c5857b, BOTH, PC_HPM_FU_CVXIF, 0, "custom-3" },
    /* compressed, with noise in the high half */
    { 0xabcd0001, BOTH, PC_HPM_FU_ALU, EV(20), "c.nop" },
    { 0x0800, BOTH, PC_HPM_FU_ALU, EV(20), "c.addi4spn s0,sp,16" },
    { 0x4188, BOTH, PC_HPM_FU_LOAD, EV(5), "c.lw a0,0(a1)" },
    { 0x6188, BOTH, PC_HPM_FU_LOAD, EV(5), "c.ld a0,0(a1)" },
    { 0x2188, BOTH, PC_HPM_FU_LOAD, EV(5), "c.fld fa0,0(a1)" },
    { 0xc188, BOTH, PC_HPM_FU_STORE, EV(6), "c.sw a0,0(a1)" },
    { 0xe188, BOTH, PC_HPM_FU_STORE, EV(6), "c.sd a0,0(a1)" },
    { 0xa188, BOTH, PC_HPM_FU_STORE, EV(6), "c.fsd fa0,0(a1)" },
    { 0x8188, BOTH, PC_HPM_FU_LOAD, EV(5), "c.lbu a0,0(a1)" },
    { 0x8588, BOTH, PC_HPM_FU_LOAD, EV(5), "c.lhu a0,0(a1)" },
    { 0x8988, BOTH, PC_HPM_FU_STORE, EV(6), "c.sb a0,0(a1)" },
    { 0x8d88, BOTH, PC_HPM_FU_STORE, EV(6), "c.sh a0,0(a1)" },
    { 0x0505, BOTH, PC_HPM_FU_ALU, EV(20), "c.addi a0,1" },
    { 0x2001, B32, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "c.jal" },
    { 0x2505, B64, PC_HPM_FU_ALU, EV(20), "c.addiw a0,1" },
    { 0x4505, BOTH, PC_HPM_FU_ALU, EV(20), "c.li a0,1" },
    { 0x6505, BOTH, PC_HPM_FU_ALU, EV(20), "c.lui a0,1" },
    { 0x8d0d, BOTH, PC_HPM_FU_ALU, EV(20), "c.sub a0,a1" },
    { 0x9d4d, BOTH, PC_HPM_FU_MULT, EV(20), "c.mul a0,a1" },
    { 0x9d61, BOTH, PC_HPM_FU_ALU, EV(20), "c.zext.b a0" },
    { 0xa001, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "c.j ." },
    { 0xc119, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "c.beqz a0" },
    { 0xe119, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "c.bnez a0" },
    { 0x050e, BOTH, PC_HPM_FU_ALU, EV(20), "c.slli a0,3" },
    { 0x4502, BOTH, PC_HPM_FU_LOAD, EV(5), "c.lwsp a0,0(sp)" },
    { 0x6502, BOTH, PC_HPM_FU_LOAD, EV(5), "c.ldsp a0,0(sp)" },
    { 0xc02a, BOTH, PC_HPM_FU_STORE, EV(6), "c.swsp a0,0(sp)" },
    { 0xe02a, BOTH, PC_HPM_FU_STORE, EV(6), "c.sdsp a0,0(sp)" },
    { 0x8082, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(13), "c.jr ra" },
    { 0x8502, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL, "c.jr a0" },
    { 0x9502, BOTH, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "c.jalr a0" },
    { 0x852e, BOTH, PC_HPM_FU_ALU, EV(20), "c.mv a0,a1" },
    { 0x952e, BOTH, PC_HPM_FU_ALU, EV(20), "c.add a0,a1" },
    { 0x9002, BOTH, PC_HPM_FU_CSR, 0, "c.ebreak" },
    { 0xa02a, B64, PC_HPM_FU_STORE, EV(6), "c.fsdsp fa0,0(sp)" },
    { 0xb842, B32, PC_HPM_FU_ALU, EV(20), "cm.push {ra},-16" },
    { 0xba42, B32, PC_HPM_FU_ALU, EV(20), "cm.pop {ra},16" },
    { 0xbe42, B32, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(13), "cm.popret {ra},16" },
    { 0xbc42, B32, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(13), "cm.popretz {ra},16" },
    { 0xac22, B32, PC_HPM_FU_ALU, EV(20), "cm.mvsa01 s0,s0" },
    { 0xac62, B32, PC_HPM_FU_ALU, EV(20), "cm.mva01s s0,s0" },
    { 0xa002, B32, PC_HPM_FU_CTRL_FLOW, CONTROL, "cm.jt 0" },
    { 0xa07e, B32, PC_HPM_FU_CTRL_FLOW, CONTROL, "cm.jt 31" },
    { 0xa082, B32, PC_HPM_FU_CTRL_FLOW, CONTROL | EV(12), "cm.jalt 32" },
    /* nothing that CVA6 has */
    { 0x0000, BOTH, PC_HPM_FU_NONE, 0, "the illegal zero word" },
    { 0x8002, BOTH, PC_HPM_FU_NONE, 0, "c.jr x0" },
    { 0xb042, B32, PC_HPM_FU_NONE, 0, "an unused place of Zcmp" },
    { 0x0000001f, BOTH, PC_HPM_FU_NONE, 0, "a 48-bit prefix" },
    { 0x0000007f, BOTH, PC_HPM_FU_NONE, 0, "an all-ones opcode" },
    { 0x0015851b, B32, PC_HPM_FU_NONE, 0, "addiw in XLEN 32" },
    { 0x02c5853b, B32, PC_HPM_FU_NONE, 0, "mulw in XLEN 32" },
};

static void check(const struct insn_case *c, const char *config)
{
    struct pc_hpm *h = hpm_new(config, "spec", 0, 0);
    struct pc_hpm_in in = { .mode = mode_m() };
    struct pc_error err;
    bool known = pc_hpm_classify(pc_hpm_get_config(h), c->insn, &in.port[0]);

    if (in.port[0].fu != c->fu || known != (c->fu != PC_HPM_FU_NONE))
        fail_msg("%s (%08x), %s: unit %u, not %u", c->text, (unsigned)c->insn, config,
                 in.port[0].fu, c->fu);
    struct pc_hpm_out out = clock_of(h, &in);
    if (out.events != c->events)
        fail_msg("%s (%08x), %s: events %08x, not %08x", c->text, (unsigned)c->insn, config,
                 (unsigned)out.events, (unsigned)c->events);
    for (unsigned e = 1; e < PC_HPM_EVENTS; e++) { /* and the counters see it in retire() */
        select_event(h, 3, e);
        poke(h, 3, 0);
        test_ok(pc_hpm_retire(h, mode_m(), &c->insn, 1, 0, &err), &err);
        assert_int_equal(peek(h, 3), c->events >> e & 1);
    }
    assert_int_equal(peek(h, 2), PC_HPM_EVENTS); /* what retires retires */
    pc_hpm_destroy(h);
}

/* Verifies the class of every row in the XLENs it is for. */
static void words_of_every_class(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (cases[i].xlen & B32)
            check(&cases[i], RV32);
        if (cases[i].xlen & B64)
            check(&cases[i], RV64);
    }
}

/* Verifies that a core without C knows no compressed word. */
static void without_compressed(void **state)
{
    const struct pc_hpm_config *c = pc_hpm_config_find(FPGA);
    struct pc_hpm_port p;

    (void)state;
    for (uint32_t insn = 0; insn < 0x10000; insn++)
        if ((insn & 3) != 3)
            assert_false(pc_hpm_classify(c, insn, &p));
    assert_true(pc_hpm_classify(c, 0x13, &p));
}

/* Verifies that no word of 16 bits, nor any of a random million, leaves the port out of range. */
static void any_word_is_safe(void **state)
{
    const struct pc_hpm_config *configs[] = { pc_hpm_config_find(RV32), pc_hpm_config_find(RV64) };
    struct test_rng rng = test_rng_start(5, NULL);
    struct pc_hpm_port p;

    (void)state;
    for (uint32_t i = 0; i < 1000000; i++) {
        uint32_t insn = i < 0x10000 ? i : (uint32_t)test_rand(&rng);
        bool known = pc_hpm_classify(configs[i & 1], insn, &p);
        assert_true(p.ack && p.fu <= PC_HPM_FU_AES && p.op <= PC_HPM_OP_OTHER && p.rd < 32 &&
                    p.rs1 < 32);
        assert_int_equal(known, p.fu != PC_HPM_FU_NONE);
    }
}

/* Verifies that more instructions than ports are refused, and none retires then. */
static void too_many_at_once(void **state)
{
    static const uint32_t nops[3] = { 0x13, 0x13, 0x13 };
    struct pc_hpm *h = hpm_new(RV64, "spec", 0, 0), *one = hpm_new(FPGA, "spec", 0, 0);
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_hpm_retire(h, mode_m(), nops, 3, 0, &err), PC_EARG);
    assert_int_equal(err.code, 1006);
    assert_int_equal(pc_hpm_retire(one, mode_m(), nops, 2, 0, &err), PC_EARG);
    assert_int_equal(peek(h, 0) + peek(one, 0), 0);
    test_ok(pc_hpm_retire(h, mode_m(), nops, 2, 0, &err), &err);
    test_ok(pc_hpm_retire(h, mode_m(), NULL, 0, 1u << PC_HPM_EXCEPTION, &err), &err);
    assert_int_equal(peek(h, 0), 2);
    assert_int_equal(peek(h, 2), 2);
    pc_hpm_destroy(h);
    pc_hpm_destroy(one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_of_every_class),
        cmocka_unit_test(without_compressed),
        cmocka_unit_test(any_word_is_safe),
        cmocka_unit_test(too_many_at_once),
    };
    return cmocka_run_group_tests_name("hpm insn", tests, NULL, NULL);
}
