/* SPDX-License-Identifier: MIT */
/*
 * Transactions of any size at any address, what decodes them, whoever else is on the card, a reset,
 * and packets of record mode that go to somebody else's memory.
 */
#include "test.h"

#include <string.h>

static struct pc_gpu *open_gpu(const struct pc_gpu_desc *desc)
{
    struct pc_gpu *gpu;
    struct pc_error err;

    test_ok(pc_gpu_create(desc, &gpu, &err), &err);
    return gpu;
}

static struct pc_gpu *open_chip(const char *chip)
{
    return open_gpu(&(struct pc_gpu_desc){ .chip = pc_chip_find(chip) });
}

/* The sources of four inputs of domain 0, whose registers stand one after the other: all 32 bits of
 * each keep what is written. */
enum { SOURCES = 0xa400, SOURCE_BYTES = 32 };

/* Verifies that a transaction reads the bytes of the registers that it reaches, low byte first. */
static void reads_bytes(void **state)
{
    struct pc_gpu *gpu = open_chip("G92"); /* eight domains: eight PRE_SRC */

    (void)state;
    for (unsigned i = 0; i < SOURCE_BYTES / 4; i++)
        pc_gpu_write32(gpu, SOURCES + 4 * i, 0x03020100 + 0x04040404 * i);
    for (unsigned at = 0; at < SOURCE_BYTES; at++)
        for (unsigned size = 1; size <= 8 && at + size <= SOURCE_BYTES; size++) {
            uint64_t want = 0;
            for (unsigned i = 0; i < size; i++)
                want |= (uint64_t)(at + i) << 8 * i;
            assert_int_equal(pc_gpu_read(gpu, SOURCES + at, size), want);
        }
    assert_false(pc_gpu_undecoded(gpu, NULL));
    pc_gpu_destroy(gpu);
}

/* Verifies that a transaction writes its bytes and no other.  U-028 */
static void writes_bytes(void **state)
{
    const uint64_t value = UINT64_C(0xf8f7f6f5f4f3f2f1);

    (void)state;
    for (unsigned at = 0; at < SOURCE_BYTES; at++)
        for (unsigned size = 1; size <= 8 && at + size <= SOURCE_BYTES; size++) {
            struct pc_gpu *gpu = open_chip("G92");
            for (unsigned i = 0; i < SOURCE_BYTES / 4; i++)
                pc_gpu_write32(gpu, SOURCES + 4 * i, 0x03020100 + 0x04040404 * i);
            pc_gpu_write(gpu, SOURCES + at, size, value);
            for (unsigned i = 0; i < SOURCE_BYTES; i++)
                assert_int_equal(pc_gpu_read(gpu, SOURCES + i, 1),
                                 i >= at && i < at + size ? 0xf1 + i - at : i);
            pc_gpu_destroy(gpu);
        }
}

/* Verifies that a transaction is one access for the bus, whatever its size and however it lies: the
 * host's domain counts its signals of reads, of writes and of reads three times.
 * PC.HOST, D-34 */
static void is_one_access(void **state)
{
    static const struct {
        const char *chip;
        unsigned domain;
        uint32_t read, write, triple;
    } cases[] = { { "G80", 0, 0x1d, 0x2a, 0x1c }, { "G92", 0, 0x2a, 0x37, 0x29 } };
    static const struct {
        uint32_t address;
        unsigned size;
    } access[] = { { 0xa420, 1 }, { 0xa421, 2 }, { 0xa423, 4 }, { 0xa420, 4 },
                   { 0xa420, 8 }, { 0xa425, 8 }, { 0x0, 1 } };
    enum { ACCESSES = sizeof access / sizeof access[0] };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        struct pc_gpu *gpu = open_chip(cases[c].chip);
        struct pc_error err;
        pc_gpu_latency(gpu, 0, 0);
        pc_gpu_write32(gpu, 0xa7c0, 1); /* CTRL: QUAD */
        pc_gpu_write32(gpu, 0xa400, cases[c].read);
        pc_gpu_write32(gpu, 0xa440, cases[c].write);
        pc_gpu_write32(gpu, 0xa480, cases[c].triple);
        pc_gpu_write32(gpu, 0xa460, 0xaaaa);
        pc_gpu_write32(gpu, 0xa4a0, 0xaaaa);
        pc_gpu_write32(gpu, 0xa420, 0xaaaa);
        test_ok(pc_gpu_run(gpu, cases[c].domain, 8, &err), &err);
        pc_gpu_pulse(gpu, PC_PULSE_PM_TRIGGER); /* a swap: what was counted so far is told */
        test_ok(pc_gpu_run(gpu, cases[c].domain, 8, &err), &err);
        for (size_t i = 0; i < ACCESSES; i++)
            (void)pc_gpu_read(gpu, access[i].address, access[i].size);
        pc_gpu_write(gpu, 0xa405, 8, 0);
        pc_gpu_write(gpu, 0xa407, 2, 0);
        test_ok(pc_gpu_run(gpu, cases[c].domain, 8, &err), &err);
        pc_gpu_pulse(gpu, PC_PULSE_PM_TRIGGER);
        test_ok(pc_gpu_run(gpu, cases[c].domain, 8, &err), &err);
        assert_int_equal(pc_gpu_read32(gpu, 0xa700), ACCESSES);
        assert_int_equal(pc_gpu_read32(gpu, 0xa6c0), 2);
        assert_int_equal(pc_gpu_read32(gpu, 0xa680), 3 * ACCESSES);
        pc_gpu_destroy(gpu);
    }
}

/* Verifies that it takes the time of one. */
static void takes_one_time(void **state)
{
    struct pc_gpu *gpu = open_chip("G92");

    (void)state;
    pc_gpu_latency(gpu, 7, 5);
    (void)pc_gpu_read(gpu, SOURCES + 1, 8);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), 5);
    pc_gpu_write(gpu, SOURCES + 3, 8, 0);
    assert_int_equal(pc_unit_cycle(pc_gpu_unit(gpu), 0), 12);
    pc_gpu_destroy(gpu);
}

/* Verifies that what is decoded is what an access does not report as undecoded. */
static void decodes_what_answers(void **state)
{
    static const char *const chips[] = { "NV10", "C51", "MCP73", "G92", "GT215", "GK20A" };
    static const struct {
        uint32_t first, last;
    } ranges[] = { { 0, 0x400 },           { 0xa000, 0xb000 },     { 0x10a000, 0x10b000 },
                   { 0x180000, 0x181000 }, { 0x1b4000, 0x1b5000 }, { 0x22000, 0x22800 },
                   { 0x400000, 0x400100 } };

    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        unsigned decoded = 0;
        for (size_t r = 0; r < sizeof ranges / sizeof ranges[0]; r++) {
            struct pc_gpu *gpu = open_chip(chips[c]);
            uint32_t at = ranges[r].first;
            for (; at < ranges[r].last && pc_gpu_decodes(gpu, at); at += 4)
                decoded++;
            (void)pc_gpu_read32(gpu, at);
            assert_true(pc_gpu_undecoded(gpu, NULL));
            pc_gpu_destroy(gpu);
            gpu = open_chip(chips[c]);
            for (at = ranges[r].first; at < ranges[r].last; at += 4)
                if (pc_gpu_decodes(gpu, at)) {
                    decoded++;
                    assert_true(pc_gpu_decodes(gpu, at + 3));
                    (void)pc_gpu_read32(gpu, at);
                }
            assert_false(pc_gpu_undecoded(gpu, NULL));
            pc_gpu_destroy(gpu);
        }
        assert_true(decoded > 1);
    }
}

/* ---- another engine of the card ---- */

struct timer {
    uint32_t low;
    unsigned reads, writes, others;
};

static bool timer(void *ctx, uint32_t address, bool is_write, uint32_t *value)
{
    struct timer *t = ctx;

    if (address != 0x9400) {
        t->others++;
        return false;
    }
    if (is_write) {
        t->low = *value;
        t->writes++;
    } else {
        *value = t->low;
        t->reads++;
    }
    return true;
}

/* Verifies that it is asked for what no register of the device decodes, and for nothing else. */
static void others_answer(void **state)
{
    struct timer t = { .low = 0x12345678 };
    struct pc_gpu *gpu = open_gpu(
        &(struct pc_gpu_desc){ .chip = pc_chip_find("G92"), .other = timer, .other_ctx = &t });
    uint32_t address;

    (void)state;
    assert_int_equal(pc_gpu_read32(gpu, 0x9400), 0x12345678);
    assert_int_equal(pc_gpu_read(gpu, 0x9402, 1), 0x34);
    pc_gpu_write(gpu, 0x9403, 1, 0xff);
    assert_int_equal(t.low, 0xff345678);
    assert_int_equal(t.reads, 3);
    assert_int_equal(t.writes, 1);
    assert_false(pc_gpu_decodes(gpu, 0x9400));
    assert_false(pc_gpu_undecoded(gpu, NULL));
    assert_int_equal(pc_gpu_read32(gpu, 0xafc0), 0); /* a hole of PCOUNTER is its own */
    assert_int_equal(t.others, 0);
    assert_int_equal(pc_gpu_read(gpu, 0x9405, 2), 0);
    assert_int_equal(t.others, 1);
    assert_true(pc_gpu_undecoded(gpu, &address));
    assert_int_equal(address, 0xafc0);
    pc_gpu_destroy(gpu);
}

/* ---- a reset ---- */

/* What a guest makes of a device */
static void use(struct pc_gpu *gpu)
{
    struct pc_error err;

    pc_gpu_write32(gpu, 0xa7c4, 1);
    pc_gpu_write32(gpu, 0xa404, 0x03020100);
    pc_gpu_write32(gpu, 0xa424, 0xaaaa);
    pc_gpu_write32(gpu, 0x400084, 0x20);
    pc_gpu_write32(gpu, 0x10a504, 0x1f);
    pc_gpu_write32(gpu, 0x10a50c, 3);
    pc_gpu_write32(gpu, 0x022210, 0);
    test_ok(pc_gpu_run(gpu, 1, 1000, &err), &err);
}

/* Verifies that after a reset all registers read as after power-up, that the clocks and levels
 * stay, and that the device then does what a new one does. */
static void reset_is_power_up(void **state)
{
    struct pc_gpu *gpu = open_chip("GT215"), *fresh = open_chip("GT215");
    struct pc_error err;

    (void)state;
    test_ok(pc_gpu_clock(gpu, 1, 3, 0, &err), &err);
    test_ok(pc_gpu_clock(fresh, 1, 3, 0, &err), &err);
    test_ok(pc_gpu_set(gpu, 1, 0, true, &err), &err);
    test_ok(pc_gpu_set(fresh, 1, 0, true, &err), &err);
    use(gpu);
    pc_gpu_reset(gpu);
    for (int round = 0; round < 2; round++) {
        for (uint32_t at = 0xa400; at < 0xa800; at += 4)
            assert_int_equal(pc_gpu_read32(gpu, at), pc_gpu_read32(fresh, at));
        for (uint32_t at = 0x10a500; at < 0x10a600; at += 4)
            assert_int_equal(pc_gpu_read32(gpu, at), pc_gpu_read32(fresh, at));
        assert_int_equal(pc_gpu_read32(gpu, 0x22210), pc_gpu_read32(fresh, 0x22210));
        if (round == 0) {
            use(gpu);
            use(fresh);
            pc_gpu_write32(gpu, 0xa424, 0xaaaa);
            pc_gpu_write32(fresh, 0xa424, 0xaaaa);
        }
    }
    assert_int_equal(pc_gpu_read32(gpu, 0xa604), pc_gpu_read32(fresh, 0xa604));
    pc_gpu_destroy(gpu);
    pc_gpu_destroy(fresh);
}

/* ---- packets ---- */

struct memory {
    uint8_t byte[0x4000];
    uint64_t packets;
};

static enum pc_mem_result take(void *ctx, unsigned domain, uint64_t address, const uint8_t *data,
                               size_t size)
{
    struct memory *m = ctx;

    (void)domain;
    assert_true(address + size <= sizeof m->byte);
    memcpy(m->byte + address, data, size);
    m->packets++;
    return PC_MEM_OK;
}

static void record(struct pc_gpu *gpu)
{
    static const uint8_t stop[] = { 0, 0, 0, 1, 0, 0, 1, 0, 1, 0 };
    static const uint32_t writes[][2] = {
        { 0xa7a8, 1 },      { 0xa7a4, 0x42 },   { 0xa7a0, 0x80001234 }, { 0xa404, 0x13121110 },
        { 0xa4c4, 0x20 },   { 0xa4e4, 0xaaaa }, { 0xa7c4, 2 },          { 0xa724, 0x3000 },
        { 0xa764, 0x1000 }, { 0xa7a8, 0 },
    };
    struct pc_error err;

    for (size_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        pc_gpu_write32(gpu, writes[i][0], writes[i][1]);
    test_ok(pc_gpu_set(gpu, 1, 0x11, true, &err), &err);
    test_ok(pc_gpu_play(gpu, 1, 0x20, stop, sizeof stop, &err), &err);
    test_ok(pc_gpu_run(gpu, 1, 40, &err), &err);
}

/* Verifies that whoever asked for packets gets what the device's own memory would have. */
static void packets_go_outside(void **state)
{
    static struct memory theirs;
    static uint8_t ours[sizeof theirs.byte];
    struct pc_gpu *gpu = open_chip("G84");
    bool written;

    (void)state;
    record(gpu);
    pc_gpu_memory_read(gpu, 0, ours, sizeof ours, &written);
    assert_true(written);
    pc_gpu_destroy(gpu);
    gpu = open_gpu(&(struct pc_gpu_desc){
        .chip = pc_chip_find("G84"), .mem_write = take, .mem_ctx = &theirs });
    record(gpu);
    assert_memory_equal(theirs.byte, ours, sizeof ours);
    assert_int_equal(theirs.packets, 3);
    pc_gpu_memory_read(gpu, 0, ours, sizeof ours, &written);
    assert_false(written);
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_bytes),          cmocka_unit_test(writes_bytes),
        cmocka_unit_test(is_one_access),        cmocka_unit_test(takes_one_time),
        cmocka_unit_test(decodes_what_answers), cmocka_unit_test(others_answer),
        cmocka_unit_test(reset_is_power_up),    cmocka_unit_test(packets_go_outside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
