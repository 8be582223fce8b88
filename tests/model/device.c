/* SPDX-License-Identifier: MIT */
/*
 * The device and its units from outside: what they refuse, what they say of domains that are not
 * there, which accesses nothing decodes, and record memory that is used up.
 */
#include "test.h"
#include "pcounter/unstable/trace.h"

#include <string.h>

static struct pc_gpu *open_gpu(const char *chip, size_t memory_limit)
{
    const struct pc_gpu_desc desc = { .chip = pc_chip_find(chip), .memory_limit = memory_limit };
    struct pc_gpu *gpu;
    struct pc_error err;

    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    return gpu;
}

/* Each chip is on a bus, but for two; no two have one device id; BAR 0 has all registers. */
static void identity(void **state)
{
    struct pc_chip_pci pci, other;

    (void)state;
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        const bool none = strcmp(chip->name, "RSX") == 0 || strcmp(chip->name, "GK20A") == 0;
        assert_int_equal(pc_chip_get_pci(chip, &pci), !none);
        if (none)
            continue;
        assert_int_equal(pci.vendor, 0x10de);
        assert_true(pci.bar[0].size >= PC_REG_GF100_END && !pci.bar[0].io && !pci.bar[0].wide);
        for (size_t j = 0; j < i; j++)
            assert_true(!pc_chip_get_pci(pc_chip_at(j), &other) || other.device != pci.device);
    }
    assert_true(pc_chip_get_pci(pc_chip_find("G80"), &pci));
    assert_int_equal(pci.device, 0x0190);
    assert_int_equal(pci.class_code, 0x030000);
    assert_true(pci.bar[1].wide && pci.bar[2].size == 0 && pci.bar[3].wide && pci.bar[5].io);
    assert_true(pc_chip_get_pci(pc_chip_find("NV10"), &pci));
    assert_true(pci.bar[1].size == 128u << 20 && !pci.bar[1].strapped && pci.bar[3].size == 0);
}

static void without_a_chip(void **state)
{
    struct pc_unit *unit = NULL;
    struct pc_gpu *gpu = NULL;
    struct pc_idle *idle = NULL;
    struct pc_trace *trace = NULL;
    struct pc_error err;

    (void)state;
    assert_int_equal(pc_unit_create(NULL, &unit, &err), PC_EARG);
    assert_int_equal(err.code, 400);
    assert_int_equal(pc_unit_create(&(struct pc_unit_desc){ .chip = NULL }, &unit, &err), PC_EARG);
    assert_int_equal(
        pc_unit_create(&(struct pc_unit_desc){ .chip = pc_chip_find("G92") }, NULL, &err), PC_EARG);
    assert_int_equal(pc_gpu_create(NULL, &gpu, &err), PC_EARG);
    assert_int_equal(pc_gpu_create(&(struct pc_gpu_desc){ .chip = NULL }, &gpu, &err), PC_EARG);
    assert_int_equal(pc_idle_create(NULL, &idle, &err), PC_EARG);
    assert_int_equal(pc_idle_create(&(struct pc_idle_desc){ .chip = NULL }, &idle, &err), PC_EARG);
    assert_int_equal(pc_trace_open(NULL, &trace, &err), PC_EARG);
    assert_int_equal(pc_trace_open(&(struct pc_trace_desc){ .path = NULL }, &trace, &err), PC_EARG);
    assert_true(!unit && !gpu && !idle && !trace);
}

/* A domain that the chip lacks has no diagnostics, no cycles, no inputs and no packet under way. */
static void outside_of_the_domains(void **state)
{
    static const uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS];
    const struct pc_unit_desc desc = { .chip = pc_chip_find("NV34") };
    struct pc_unit_inputs in, nothing;
    struct pc_unit *unit;
    struct pc_error err;

    (void)state;
    test_ok(pc_unit_create(&desc, &unit, &err), &err);
    pc_unit_step(unit, 3, raw);
    pc_unit_get_inputs(unit, 0, &in);
    assert_int_equal(pc_unit_cycle(unit, 1), 1);
    memset(&nothing, 0, sizeof nothing);
    for (unsigned domain = 2; domain < 100; domain = domain * 3 + 1) {
        memset(&in, 0x5a, sizeof in);
        pc_unit_get_inputs(unit, domain, &in);
        assert_memory_equal(&in, &nothing, sizeof in);
        assert_int_equal(pc_unit_diagnostics(unit, domain), 0);
        assert_int_equal(pc_unit_cycle(unit, domain), 0);
        pc_unit_record_done(unit, domain, true);
    }
    pc_unit_record_done(unit, 0, true); /* nothing was sent: no fault either */
    assert_int_equal(pc_unit_diagnostics(unit, 0), 0);
    pc_unit_destroy(unit);
}

/* Verifies that only PCOUNTER's registers of the chip are decoded in its window, and that the first
 * other access is kept. */
static void undecoded_accesses(void **state)
{
    static const struct {
        const char *chip;
        uint32_t decoded, hole, next_hole;
    } cases[] = { { "NV34", 0xa73c, 0xa7f0, 0xa7f4 }, { "G92", 0xa7c4, 0xafc0, 0x123456 } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int write = 0; write < 2; write++) {
            struct pc_gpu *gpu = open_gpu(cases[i].chip, 0);
            uint32_t address = 7;
            pc_gpu_write32(gpu, cases[i].decoded, 0);
            pc_gpu_read32(gpu, cases[i].decoded);
            assert_false(pc_gpu_undecoded(gpu, &address));
            assert_int_equal(address, 7); /* left alone */
            if (write)
                pc_gpu_write32(gpu, cases[i].hole, UINT32_MAX);
            else
                assert_int_equal(pc_gpu_read32(gpu, cases[i].hole), 0);
            assert_int_equal(pc_gpu_read32(gpu, cases[i].next_hole), 0);
            assert_true(pc_gpu_undecoded(gpu, &address));
            assert_int_equal(address, cases[i].hole);
            assert_true(pc_gpu_undecoded(gpu, NULL));
            pc_gpu_destroy(gpu);
        }
}

/* Verifies the boot id: the chip's number from bit 20 on, which has nine bits since GK208, and the
 * stepping below it.  D-95 */
static void boot_ids(void **state)
{
    static const struct {
        const char *chip;
        uint32_t id;
    } cases[] = { { "NV10", 0x010000a1 },  { "C51", 0x04e000a1 },   { "MCP73", 0x063000a1 },
                  { "G92", 0x092000a1 },   { "GK20A", 0x0ea000a1 }, { "GK208B", 0x106000a1 },
                  { "GK208", 0x108000a1 }, { "GM107", 0x117000a1 } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_gpu *gpu = open_gpu(cases[i].chip, 0);

        assert_int_equal(pc_gpu_read32(gpu, 0x000000), cases[i].id);
        pc_gpu_destroy(gpu);
    }
}

/* Verifies that the descriptor sets what a card has below its chip's number, as real cards do, and
 * that what does not fit there is refused.  D-95 */
static void steppings(void **state)
{
    struct pc_gpu_desc desc = { .chip = pc_chip_find("G92"), .stepping = 0xa00a2 };
    struct pc_gpu *gpu = NULL;
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_create(&desc, &gpu, &err), &err);
    pc_gpu_write32(gpu, 0x000000, UINT32_MAX);
    assert_int_equal(pc_gpu_read32(gpu, 0x000000), 0x092a00a2);
    pc_gpu_destroy(gpu);
    desc.stepping = 0x100000;
    assert_int_equal(pc_gpu_create(&desc, &gpu, &err), PC_EARG);
    assert_int_equal(err.code, 480);
}

/* Verifies that a write to a read-only register of the card is dropped, and is no access to
 * something that there is not.  PC.GF.5 */
static void read_only_registers(void **state)
{
    static const struct {
        const char *chip;
        uint32_t address;
        bool there;
    } cases[] = { { "NV34", 0x000000, true },   { "G92", 0x000000, true },
                  { "GF108", 0x000000, true },  { "GF108", 0x022430, true },
                  { "GF108", 0x022438, true },  { "GK104", 0x0225c8, true },
                  { "GF108", 0x022434, false }, { "G92", 0x022430, false } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_gpu *gpu = open_gpu(cases[i].chip, 0);
        uint32_t before = pc_gpu_read32(gpu, cases[i].address);

        assert_int_equal(pc_gpu_undecoded(gpu, NULL), !cases[i].there);
        pc_gpu_write32(gpu, cases[i].address, ~before);
        assert_int_equal(pc_gpu_undecoded(gpu, NULL), !cases[i].there);
        assert_int_equal(pc_gpu_read32(gpu, cases[i].address), before);
        pc_gpu_destroy(gpu);
    }
}

static void idle_counters_of_a_device(void **state)
{
    struct pc_gpu *gpu = open_gpu("G92", 0);
    unsigned domain = 99;
    struct pc_error err;

    (void)state;
    assert_null(pc_gpu_idle(gpu));
    assert_int_equal(pc_gpu_set_idle(gpu, 1, &err), PC_ENOUNIT);
    assert_int_equal(err.code, 412);
    assert_int_equal(pc_gpu_option(gpu, "idle-overflow", "wrap", &err), PC_ENOUNIT);
    assert_int_equal(err.code, 412);
    assert_int_equal(pc_gpu_option(gpu, "idle-overflow", "stop", &err), PC_EARG);
    assert_int_equal(err.code, 404);
    assert_int_equal(pc_gpu_option(gpu, "idle-time", "1", &err), PC_ENOENT);
    assert_int_not_equal(pc_gpu_find_domain(gpu, "pdaemon", &domain, &err), PC_OK);
    test_ok(pc_gpu_find_domain(gpu, "7", &domain, &err), &err);
    assert_int_equal(domain, 7);
    pc_gpu_destroy(gpu);
    gpu = open_gpu("GT215", 0);
    assert_non_null(pc_gpu_idle(gpu));
    test_ok(pc_gpu_set_idle(gpu, 1, &err), &err);
    test_ok(pc_gpu_option(gpu, "idle-overflow", "saturate", &err), &err);
    assert_int_equal(pc_gpu_option(gpu, "idle-overflow", "stop", &err), PC_EARG);
    test_ok(pc_gpu_find_domain(gpu, "pdaemon", &domain, &err), &err);
    assert_int_equal(domain, PC_DOM_PDAEMON);
    pc_gpu_destroy(gpu);
}

/* Verifies that PDAEMON that is switched off forgets its counters, counts nothing and hides them.
 * PD.ENABLE.1, U-024 */
static void pdaemon_switched_off(void **state)
{
    static const struct {
        const char *chip;
        uint32_t gate, bit, hidden;
    } cases[] = { { "GT215", 0x022210, 1, 0 },
                  { "MCP89", 0x022210, 1, 0 },
                  { "GF100", 0x000200, 1u << 13, 0xbadf1200 },
                  { "GK104", 0x000200, 1u << 13, 0xbadf1200 } };
    struct pc_error err;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_gpu *gpu = open_gpu(cases[i].chip, 0);
        const uint32_t others = pc_gpu_read32(gpu, cases[i].gate) & ~cases[i].bit;
        pc_gpu_latency(gpu, 0, 0);
        pc_gpu_write32(gpu, 0x10a504, 5);
        pc_gpu_write32(gpu, 0x10a50c, 3);
        test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 10, &err), &err);
        assert_int_equal(pc_gpu_read32(gpu, 0x10a508), 10);
        pc_gpu_write32(gpu, cases[i].gate, others | cases[i].bit); /* it is on: nothing happens */
        assert_int_equal(pc_gpu_read32(gpu, 0x10a508), 10);
        pc_gpu_write32(gpu, cases[i].gate, others);
        assert_int_equal(pc_gpu_read32(gpu, cases[i].gate), others);
        for (uint32_t reg = 0x10a500; reg <= 0x10a50c; reg += 4)
            assert_int_equal(pc_gpu_read32(gpu, reg), cases[i].hidden);
        pc_gpu_write32(gpu, 0x10a50c, 3);
        test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 10, &err), &err);
        pc_gpu_write32(gpu, cases[i].gate, others | cases[i].bit);
        for (uint32_t reg = 0x10a504; reg <= 0x10a50c; reg += 4)
            assert_int_equal(pc_gpu_read32(gpu, reg), 0);
        pc_gpu_write32(gpu, 0x10a50c, 3);
        test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 7, &err), &err);
        assert_int_equal(pc_gpu_read32(gpu, 0x10a508), 7);
        assert_false(pc_gpu_undecoded(gpu, NULL));
        pc_gpu_destroy(gpu);
    }
}

/* Verifies that PDAEMON's own accesses reach the same registers and take the time of others.
 * PD.ADDR.3, PD.ENABLE.1 */
static void accesses_of_pdaemon(void **state)
{
    struct pc_gpu *gpu = open_gpu("GF108", 0);
    struct pc_error err;

    (void)state;
    pc_gpu_latency(gpu, 2, 3);
    const uint64_t before = pc_unit_cycle(pc_gpu_unit(gpu), 0);
    pc_gpu_io_write32(gpu, 0x14300, 3);
    test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 10, &err), &err);
    const uint32_t count = pc_gpu_io_read32(gpu, 0x14200);
    assert_true(count >= 10);
    pc_gpu_latency(gpu, 0, 0);
    assert_true(pc_gpu_read32(gpu, 0x10a508) >= count);
    assert_int_equal(pc_gpu_read32(gpu, 0x10a50c), 3);
    assert_true(pc_unit_cycle(pc_gpu_unit(gpu), 0) >= before + 5);
    pc_gpu_io_write32(gpu, 0x14001, 1);
    assert_int_equal(pc_gpu_io_read32(gpu, 0x500), 0);
    assert_false(pc_gpu_undecoded(gpu, NULL)); /* which is about the card's registers */
    pc_gpu_write32(gpu, 0x000200, ~(1u << PC_PMC_PDAEMON_BIT));
    pc_gpu_io_write32(gpu, 0x14300, 1);
    assert_int_equal(pc_gpu_io_read32(gpu, 0x14300), 0xbadf1200);
    pc_gpu_destroy(gpu);
    gpu = open_gpu("G92", 0);
    pc_gpu_io_write32(gpu, 0x14300, 1);
    assert_int_equal(pc_gpu_io_read32(gpu, 0x14300), 0);
    pc_gpu_destroy(gpu);
}

/* Verifies as whom a chip writes packets.  PC.REC.27, PC.GF.48 */
static void as_whom_packets_are_written(void **state)
{
    static const struct {
        const char *chip;
        bool writes;
        struct pc_vm_access as;
    } cases[] = { { "NV10", false, { 0 } },
                  { "G80", false, { 0 } },
                  { "G84", true, { 0xb, 0xf, 0 } },
                  { "GT215", true, { 0xb, 0xf, 0 } },
                  { "MCP89", true, { 0xb, 0xf, 0 } },
                  { "GF100", true, { 0x13, 0x11, 0 } },
                  { "GK20A", true, { 0x13, 0x11, 0 } } };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pc_vm_access as = { 1, 1, 1 };
        assert_int_equal(pc_chip_vm(pc_chip_find(cases[i].chip), &as), cases[i].writes);
        if (!cases[i].writes)
            continue;
        assert_int_equal(as.engine, cases[i].as.engine);
        assert_int_equal(as.client, cases[i].as.client);
        assert_int_equal(as.slot, 0);
    }
}

/* Verifies that other families' switch is none: PMC.ENABLE on GT215, 022210 on GF100 and G92. */
static void another_switch_of_pdaemon(void **state)
{
    struct pc_gpu *gpu = open_gpu("GT215", 0);
    struct pc_error err;

    (void)state;
    pc_gpu_latency(gpu, 0, 0);
    pc_gpu_write32(gpu, 0x10a50c, 3);
    pc_gpu_write32(gpu, 0x000200, 0);
    test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 3, &err), &err);
    assert_int_equal(pc_gpu_read32(gpu, 0x10a508), 3);
    pc_gpu_destroy(gpu);
    for (unsigned i = 0; i < 2; i++) {
        gpu = open_gpu(i ? "GF100" : "G92", 0);
        pc_gpu_write32(gpu, 0x022210, 0);
        assert_true(pc_gpu_undecoded(gpu, NULL));
        pc_gpu_destroy(gpu);
    }
}

/* Has one domain look at the EVENT of the other. */
static void look_at_event(struct pc_gpu *gpu, unsigned from, unsigned at)
{
    const int slot = pc_chip_signal_position(pc_gpu_chip(gpu), from, PC_SIG_DOM_EVENT, at);

    pc_gpu_write32(gpu, 0xa480 + 4 * from, (uint32_t)slot);
    pc_gpu_write32(gpu, 0xa4a0 + 4 * from, 0xaaaa);
}

/* Verifies that of two domains of which one looks at the other both are stepped, whatever their
 * clocks, and all others go wide. */
static void explains_who_is_stepped(void **state)
{
    (void)state;
    for (unsigned x = 0; x < 8; x++)
        for (unsigned y = 0; y < 8; y++) {
            struct pc_gpu *gpu = open_gpu("GT215", 0);
            struct pc_error err;
            const char *why = NULL;
            if (x != y)
                look_at_event(gpu, x, y);
            for (unsigned clocks = 1; x != y && clocks <= 2; clocks++) {
                for (unsigned z = 0; z < 8; z++)
                    assert_int_equal(pc_gpu_explain(gpu, z, &why),
                                     z == x || z == y ? PC_RUN_STEP : PC_RUN_WIDE);
                (void)pc_gpu_explain(gpu, x, &why);
                assert_string_equal(why, "it reads another domain's EVENT or FLAG");
                (void)pc_gpu_explain(gpu, y, &why);
                assert_string_equal(why, "another domain reads its EVENT or FLAG");
                test_ok(pc_gpu_clock(gpu, y, 3, 0, &err), &err);
            }
            pc_gpu_destroy(gpu);
        }
}

/* Verifies that the record memory of a device goes on at the first bytes of the same 4 GiB after
 * their last ones.  PC.REC.25, D-74a */
static void packets_wrap_at_4_gib(void **state)
{
    static const uint32_t writes[][2] = {
        { 0xa404, 0x01010101 }, { 0xa464, 0 },          { 0xa4a4, 0 },
        { 0xa4e4, 0 },          { 0xa7a4, 1 },          { 0xa7a0, 0x80000001 },
        { 0xa6a4, 0x12 },       { 0xa724, 0xffffffff }, { 0xa7c4, 2 },
        { 0xa764, 0xfffffff0 }, { 0xa484, 0x01010101 }, { 0xa4e4, 0xffff } /* STOP */,
    };
    struct pc_gpu *gpu = open_gpu("G92", 0);
    uint8_t bytes[16];
    bool written;
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_set(gpu, 1, 1, true, &err), &err);
    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        pc_gpu_write32(gpu, writes[i][0], writes[i][1]);
    assert_int_equal(pc_gpu_read32(gpu, 0xa6e4), 0x10);
    pc_gpu_memory_read(gpu, UINT64_C(0x12fffffff0), bytes, sizeof bytes, &written);
    assert_true(written);
    assert_int_equal(bytes[6], 1); /* STOP */
    pc_gpu_memory_read(gpu, UINT64_C(0x1200000000), bytes, sizeof bytes, &written);
    assert_true(written);
    assert_int_equal(bytes[8], 2); /* EVENT_SRC[0]: of two cycles */
    pc_gpu_memory_read(gpu, UINT64_C(0x1300000000), bytes, sizeof bytes, &written);
    assert_false(written);
    pc_gpu_destroy(gpu);
}

/* Verifies what a device says to domains, clocks and signals that it does not have. */
static void no_such_domain_or_clock(void **state)
{
    struct pc_gpu *gpu = open_gpu("G92", 0);
    const char *why = NULL;
    struct pc_error err;

    (void)state;
    for (unsigned domain = 8; domain <= PC_DOM_PDAEMON; domain += PC_DOM_PDAEMON - 8) {
        assert_int_not_equal(pc_gpu_run(gpu, domain, 1, &err), PC_OK);
        assert_int_equal(err.code, 407);
        assert_int_not_equal(pc_gpu_clock(gpu, domain, 1, 0, &err), PC_OK);
        assert_int_equal(err.code, 407);
        assert_int_equal(pc_gpu_explain(gpu, domain, &why), PC_RUN_STEP);
        assert_string_equal(why, "there is no such domain");
    }
    static const uint64_t bad[][2] = { { 0, 0 },
                                       { UINT64_C(1) << 32, 0 },
                                       { 1, UINT64_C(1) << 32 } };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_not_equal(pc_gpu_clock(gpu, 1, bad[i][0], bad[i][1], &err), PC_OK);
        assert_int_equal(err.code, 409);
    }
    test_ok(pc_gpu_clock(gpu, 1, UINT32_MAX, UINT32_MAX, &err), &err);
    assert_int_not_equal(pc_gpu_set(gpu, 8, 1, true, &err), PC_OK);
    assert_int_not_equal(pc_gpu_play(gpu, 8, 1, (const uint8_t[]){ 1 }, 1, &err), PC_OK);
    test_ok(pc_gpu_play(gpu, 1, 0x10, NULL, 0, &err), &err);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 1), 0);
    pc_gpu_destroy(gpu);
}

/* Verifies that a clock that is changed later has its next edge at the first of its instants that
 * has not been yet, whatever the clocks of the others were changed to. */
static void clocks_change_later(void **state)
{
    struct pc_gpu *gpu = open_gpu("GT215", 0);
    const struct pc_unit *unit = pc_gpu_unit(gpu);
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_run(gpu, 0, 10, &err), &err); /* instants 0 to 9 */
    test_ok(pc_gpu_clock(gpu, 0, 2, 100, &err), &err);
    test_ok(pc_gpu_clock(gpu, 1, 1, 0, &err), &err);
    test_ok(pc_gpu_clock(gpu, 2, 7, 3, &err), &err); /* 10, 17, ... 94 */
    test_ok(pc_gpu_run(gpu, 0, 1, &err), &err);      /* instants 10 to 100 */
    assert_int_equal(pc_unit_cycle(unit, 0), 11);
    assert_int_equal(pc_unit_cycle(unit, 1), 101);
    assert_int_equal(pc_unit_cycle(unit, 2), 10 + 13);

    test_ok(pc_gpu_clock(gpu, 0, 1000, 500, &err), &err); /* a phase below the period */
    test_ok(pc_gpu_clock(gpu, 1, 3, 0, &err), &err);      /* 102, 105, ... 498 */
    test_ok(pc_gpu_run(gpu, 0, 1, &err), &err);
    assert_int_equal(pc_unit_cycle(unit, 1), 101 + 133);

    test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, 99, &err), &err); /* instants 501 to 599 */
    test_ok(pc_gpu_clock(gpu, 0, 10, 0, &err), &err);         /* 600, ... */
    uint64_t before = pc_unit_cycle(unit, 3);
    test_ok(pc_gpu_run(gpu, 0, 1, &err), &err);
    assert_int_equal(pc_unit_cycle(unit, 3), before + 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that a reset of the engine does not turn back the clocks. */
static void clocks_go_on_after_a_reset(void **state)
{
    struct pc_gpu *gpu = open_gpu("GF108", 0);
    struct pc_gpu_domain_info of;
    struct pc_error err;

    (void)state;
    pc_gpu_latency(gpu, 0, 0);
    pc_gpu_get_domain_info(gpu, 1, &of);
    test_ok(pc_gpu_run(gpu, 0, 50, &err), &err);
    pc_gpu_write32(gpu, 0x200, 0);
    pc_gpu_write32(gpu, 0x200, UINT32_MAX);
    test_ok(pc_gpu_clock(gpu, 1, 1, 0, &err), &err); /* edges from 50 on, not from 0 */
    test_ok(pc_gpu_run(gpu, 0, 1, &err), &err);
    assert_int_equal(pc_unit_cycle(of.unit, of.domain), 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that a run beyond the last instant is refused; it was cut short, and nobody knew. */
static void time_ends(void **state)
{
    struct pc_gpu *gpu = open_gpu("GT215", 0);
    struct pc_error err;
    uint32_t total = 0;

    (void)state;
    test_ok(pc_gpu_clock(gpu, 0, UINT32_MAX, 0, &err), &err);
    test_ok(pc_gpu_clock(gpu, PC_DOM_PDAEMON, UINT32_MAX, 0, &err), &err);
    assert_true(pc_idle_write(pc_gpu_idle(gpu), PC_IDLE_HOST, 0x10a50c, 3));
    assert_int_equal(pc_gpu_run(gpu, 0, UINT64_C(1) << 34, &err), PC_ELIMIT);
    assert_int_equal(err.code, 418);
    assert_int_equal(pc_gpu_run(gpu, PC_DOM_PDAEMON, UINT64_MAX, &err), PC_ELIMIT);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), 0);
    test_ok(pc_gpu_run(gpu, 0, UINT64_C(1) << 30, &err), &err);
    test_ok(pc_gpu_run(gpu, PC_DOM_PDAEMON, UINT64_C(1) << 30, &err), &err);
    assert_int_equal(pc_gpu_run(gpu, 0, UINT64_C(1) << 30, &err), PC_ELIMIT);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), UINT64_C(1) << 31);
    assert_true(pc_idle_read(pc_gpu_idle(gpu), PC_IDLE_HOST, 0x10a508, &total));
    assert_int_equal(total, 0); /* 2^31 of 31 bits */
    pc_gpu_destroy(gpu);
}

/* Verifies that the last of the instants below 2^63 is there. */
static void the_last_instant(void **state)
{
    struct pc_gpu *gpu = open_gpu("NV10", 0);
    const uint64_t half = UINT64_C(1) << 62;
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_run(gpu, 0, half, &err), &err);
    test_ok(pc_gpu_run(gpu, 0, half - 1, &err), &err); /* up to 2^63 - 2 */
    assert_int_equal(pc_gpu_run(gpu, 0, 2, &err), PC_ELIMIT);
    test_ok(pc_gpu_run(gpu, 0, 1, &err), &err);
    assert_int_equal(pc_gpu_run(gpu, 0, 1, &err), PC_ELIMIT);
    assert_true(pc_unit_cycle(pc_gpu_unit(gpu), 0) == 2 * half);
    pc_gpu_destroy(gpu);
}

/* Verifies that an access whose latency would go beyond time shows at the next run, of whichever
 * domain. */
static void latency_beyond_time(void **state)
{
    struct pc_gpu *gpu = open_gpu("GT215", 0);
    struct pc_error err;

    (void)state;
    pc_gpu_latency(gpu, UINT32_MAX, 0);
    test_ok(pc_gpu_clock(gpu, 0, UINT32_MAX, 0, &err), &err);
    test_ok(pc_gpu_run(gpu, 1, 10, &err), &err);
    pc_gpu_write32(gpu, 0xa7c0, 1);
    assert_int_equal(pc_gpu_run(gpu, 1, 10, &err), PC_ELIMIT);
    assert_int_equal(err.code, 418);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 1), 10);
    pc_gpu_destroy(gpu);
}

/* D-09: the words beside the unit that keep what is written are those that are said to. */
static void words_that_are_kept(void **state)
{
    static const char *const chips[] = { "C51", "MCP73", "MCP77", "G96" };

    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        struct pc_gpu *gpu = open_gpu(chips[c], 0);
        const bool pair = c < 2;
        for (uint32_t address = 0xa7f4; address <= 0xa7f8; address += 4) {
            pc_gpu_write32(gpu, address, 0x5aa55aa4);
            assert_int_equal(pc_gpu_read32(gpu, address), pair ? 0x5aa55aa4 : 0);
            assert_int_equal(pc_gpu_keeps(pc_gpu_chip(gpu), address), pair);
        }
        assert_false(pc_gpu_keeps(pc_gpu_chip(gpu), 0xa7fc));
        assert_int_equal(pc_gpu_keeps(pc_gpu_chip(gpu), 0x408808), c == 3);
        pc_gpu_destroy(gpu);
    }
}

/* Record mode of G84's domain 1: a packet each time s20 is 1. */
static void start_record(struct pc_gpu *gpu, uint32_t start, uint32_t limit)
{
    pc_gpu_latency(gpu, 0, 0);
    pc_gpu_write32(gpu, 0xa4c4, 0x20);
    pc_gpu_write32(gpu, 0xa4e4, 0xaaaa);
    pc_gpu_write32(gpu, 0xa7a4, 0x12);
    pc_gpu_write32(gpu, 0xa7a0, 0x80001234);
    pc_gpu_write32(gpu, 0xa7c4, 2);
    pc_gpu_write32(gpu, 0xa724, limit);
    pc_gpu_write32(gpu, 0xa764, start);
}

/* Verifies that a long time in which record mode has nothing to send costs no more than a short
 * one: cycle by cycle in words it would take minutes.  The packet after it has all the cycles. */
static void record_mode_waits_for_long(void **state)
{
    struct pc_gpu *gpu = open_gpu("G84", 0);
    uint8_t packet[8] = { 0 };
    struct pc_error err;
    uint64_t cycles = 0;

    (void)state;
    start_record(gpu, 0x1000, UINT32_MAX);
    test_ok(pc_gpu_play(gpu, 1, 0x20, (const uint8_t[]){ 1, 0 }, 2, &err), &err);
    test_ok(pc_gpu_run(gpu, 1, (UINT64_C(1) << 47) + 12345, &err), &err);
    test_ok(pc_gpu_set(gpu, 1, 0x20, true, &err), &err);
    test_ok(pc_gpu_run(gpu, 1, 1, &err), &err);
    pc_gpu_memory_read(gpu, 0x1020, packet, sizeof packet, NULL);
    for (unsigned i = 0; i < 6; i++)
        cycles |= (uint64_t)packet[i] << 8 * i;
    assert_true(cycles == (UINT64_C(1) << 47) + 12346);
    pc_gpu_destroy(gpu);
}

/* Verifies that a device keeps as many pages as it may, and that the next one is an error of the
 * run, not a fault of the card; what was written stays readable. */
static void record_memory_ends(void **state)
{
    enum { PAGES = 3, PAGE = 4096, START = 0x1000 };
    struct pc_gpu *gpu = open_gpu("G84", PAGES * PAGE);
    uint8_t bytes[32];
    bool written;
    struct pc_error err;

    (void)state;
    start_record(gpu, START, 0xfff0);
    test_ok(pc_gpu_set(gpu, 1, 0x20, true, &err), &err);
    enum pc_status status = PC_OK;
    uint64_t cycles = 0;
    while (status == PC_OK && cycles++ < 10000)
        status = pc_gpu_run(gpu, 1, 1, &err);
    assert_int_equal(status, PC_ELIMIT);
    assert_int_equal(err.code, 410);
    for (uint32_t page = 0; page < PAGES; page++)
        for (uint32_t at = 0; at < PAGE; at += 32) {
            pc_gpu_memory_read(gpu, START + page * PAGE + at, bytes, sizeof bytes, &written);
            assert_true(written);
        }
    pc_gpu_memory_read(gpu, START + PAGES * PAGE, bytes, sizeof bytes, &written);
    assert_false(written);
    pc_gpu_memory_read(gpu, START - 16, bytes, 16, &written);
    assert_false(written);
    pc_gpu_memory_read(gpu, START, bytes, sizeof bytes, NULL);
    assert_int_equal(pc_gpu_run(gpu, 1, 1, &err), PC_ELIMIT); /* and it stays so */
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_chip),
        cmocka_unit_test(outside_of_the_domains),
        cmocka_unit_test(undecoded_accesses),
        cmocka_unit_test(boot_ids),
        cmocka_unit_test(steppings),
        cmocka_unit_test(accesses_of_pdaemon),
        cmocka_unit_test(as_whom_packets_are_written),
        cmocka_unit_test(explains_who_is_stepped),
        cmocka_unit_test(packets_wrap_at_4_gib),
        cmocka_unit_test(read_only_registers),
        cmocka_unit_test(idle_counters_of_a_device),
        cmocka_unit_test(pdaemon_switched_off),
        cmocka_unit_test(another_switch_of_pdaemon),
        cmocka_unit_test(record_memory_ends),
        cmocka_unit_test(no_such_domain_or_clock),
        cmocka_unit_test(clocks_change_later),
        cmocka_unit_test(clocks_go_on_after_a_reset),
        cmocka_unit_test(time_ends),
        cmocka_unit_test(the_last_instant),
        cmocka_unit_test(identity),
        cmocka_unit_test(latency_beyond_time),
        cmocka_unit_test(words_that_are_kept),
        cmocka_unit_test(record_mode_waits_for_long),
    };

    return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
