/* SPDX-License-Identifier: MIT */
/*
 * Conformance, GF100+: MODE 5, the stream of packets into MAIN's ring, as later chips of the
 * family are documented (D-75).  Not here: MODE 3 and 4, which are only stored.
 */
#include "gf100_card.h"

#include <string.h>

enum {
    MAIN = 0x1b4000,
    CONTROL = MAIN + 0x00,
    CHAN = MAIN + 0x70,
    START = MAIN + 0x74,
    HIGH = MAIN + 0x78,
    LIMIT = MAIN + 0x7c,
    POS = MAIN + 0x80,
    COUNT = MAIN + 0x84,
    BUMP = MAIN + 0x88,
    MAIN_VSTATUS = MAIN + 0xa4
};
enum { OVERFLOWED = 1 << 4, CLEAR_STATUS = 1 << 5, RBUFEMPTY = 1 << 4 };
#define CHAN_VALID UINT32_C(0x80000000)

struct stream {
    uint32_t word[8];
};

/* The four inputs of a domain on its first signals; MODE is not set yet. */
static void wire(struct pc_gpu *gpu, unsigned domain)
{
    struct pc_gpu_domain_info info;

    pc_gpu_get_domain_info(gpu, domain, &info);
    uint32_t base = gf_domain_base(info.set, info.index, info.domain);
    for (unsigned i = 0; i < 4; i++) { /* PRE, START, EVENT, STOP on signals 0 to 3 */
        pc_gpu_write32(gpu, base + GF_PRE_SRC + 8 * i, i);
        pc_gpu_write32(gpu, base + GF_PRE_OP + 8 * i, GF_OP_ARG0);
    }
}

static void bind(struct pc_gpu *gpu, uint32_t high, uint32_t start, uint32_t size)
{
    pc_gpu_write32(gpu, START, start);
    pc_gpu_write32(gpu, HIGH, high);
    pc_gpu_write32(gpu, LIMIT, size);
    pc_gpu_write32(gpu, CHAN, CHAN_VALID | 0x1234);
}

/* A card whose domain hub0 streams, after a reset of the set's record counters. */
static struct pc_gpu *streaming(uint32_t high, uint32_t start, uint32_t size)
{
    struct pc_gpu *gpu = card_open("GK104");
    struct pc_error err = { 0 };

    wire(gpu, 0);
    if (size != 0)
        bind(gpu, high, start, size);
    pc_gpu_write32(gpu, 0x1be000, GF_RECORD_RESET);
    pc_gpu_write32(gpu, 0x1b0000 + GF_CTRL, GF_STREAM);
    test_ok(pc_gpu_run(gpu, 0, 3, &err), &err);
    pc_gpu_write32(gpu, 0x1be000, 0);
    return gpu;
}

/* One token a cycle, as everywhere: p s e x, or a dot. */
static void play(struct pc_gpu *gpu, unsigned domain, const char *tokens)
{
    struct pc_error err = { 0 };

    while (*tokens) {
        size_t n = strcspn(tokens, " ");
        for (unsigned i = 0; i < 4; i++)
            test_ok(pc_gpu_set(gpu, domain, i, memchr(tokens, "psex"[i], n) != NULL, &err), &err);
        test_ok(pc_gpu_run(gpu, domain, 1, &err), &err);
        tokens += n + strspn(tokens + n, " ");
    }
    for (unsigned i = 0; i < 4; i++)
        test_ok(pc_gpu_set(gpu, domain, i, false, &err), &err);
}

static bool fetch(const struct pc_gpu *gpu, uint64_t address, struct stream *out)
{
    uint8_t bytes[32];
    bool written;

    pc_gpu_memory_read(gpu, address, bytes, sizeof bytes, &written);
    for (unsigned i = 0; i < 8; i++)
        out->word[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                       (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    return written;
}

static void expect_packet(const struct pc_gpu *gpu, uint64_t address, uint32_t time, uint32_t event,
                          uint32_t pre, uint32_t start, uint32_t stop)
{
    struct stream got;

    assert_true(fetch(gpu, address, &got));
    assert_int_equal(got.word[0], time);
    assert_int_equal(got.word[1] & 0xff, 0);
    assert_int_equal(got.word[1] >> 16, stop); /* sample count, DS, SZ and zeros above it */
    assert_int_equal(got.word[2], event);
    assert_int_equal(got.word[3], pre);
    assert_int_equal(got.word[4], start);
    assert_int_equal(got.word[5], stop);
    assert_int_equal(got.word[6], 0);
    assert_int_equal(got.word[7], 0);
}

/* Verifies that STOP sends a packet with its own cycle in it, and clears the counters but not the
 * time.  PC.GF.40, PC.GF.41, D-65, D-75 */
static void packets(void **state)
{
    struct pc_gpu *gpu = streaming(0x12, 0x1000, 0x1000);

    (void)state;
    play(gpu, 0, "p ps pse . psex");
    expect_packet(gpu, 0x1200001000, 5, 2, 4, 3, 1);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b0000 + GF_EVENT_NEXT), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b0000 + GF_CYCLES_NEXT), 5);
    play(gpu, 0, "e ex . x");
    expect_packet(gpu, 0x1200001020, 7, 2, 0, 0, 1);
    expect_packet(gpu, 0x1200001040, 9, 0, 0, 0, 1);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x60);
    assert_int_equal(pc_gpu_read32(gpu, POS), 0x1060);
    pc_gpu_destroy(gpu);
}

/* Verifies the 40 bits of the timestamp, through the writable running counters.  PC.GF.41,
 * D-75 */
static void time_stamp_has_40_bits(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x1000, 0x1000);
    struct stream got;

    (void)state;
    pc_gpu_write32(gpu, 0x1b0000 + GF_CYCLES_NEXT, 0xffffffff);
    pc_gpu_write32(gpu, 0x1b0000 + GF_CYCLES_NEXT_HIGH, 0xa4);
    play(gpu, 0, ". x");
    assert_true(fetch(gpu, 0x1000, &got));
    assert_int_equal(got.word[0], 1);
    assert_int_equal(got.word[1] & 0xff, 0xa5);
    pc_gpu_write32(gpu, 0x1b0000 + GF_CYCLES_NEXT, 0xffffffff);
    pc_gpu_write32(gpu, 0x1b0000 + GF_CYCLES_NEXT_HIGH, 0xff);
    play(gpu, 0, "x");
    assert_true(fetch(gpu, 0x1020, &got));
    assert_int_equal(got.word[0], 0);
    assert_int_equal(got.word[1] & 0xff, 0);
    pc_gpu_destroy(gpu);
}

/* Verifies that the STOP count has 12 bits, stays at its end, and can be written: what is not 0
 * goes out with the next cycle.  PC.GF.30, PC.GF.40, PC.GF.41, D-75 */
static void stop_count_has_12_bits(void **state)
{
    static const struct {
        uint32_t written, counted;
        const char *cycle;
    } rows[] = { { 5, 5, "." }, { 5, 6, "x" }, { 0xfff, 0xfff, "x" }, { 0x1000, 1, "x" } };
    struct pc_gpu *gpu = streaming(0, 0x1000, 0x1000);
    struct stream got;

    (void)state;
    for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        pc_gpu_write32(gpu, 0x1b0000 + GF_RECORD_STOP_NEXT, rows[i].written);
        play(gpu, 0, rows[i].cycle);
        assert_true(fetch(gpu, 0x1000 + 0x20 * i, &got));
        assert_int_equal(got.word[1] >> 16, rows[i].counted);
        assert_int_equal(got.word[5], *rows[i].cycle == 'x');
        assert_int_equal(pc_gpu_read32(gpu, 0x1b0000 + GF_RECORD_STOP_NEXT), 0);
    }
    pc_gpu_destroy(gpu);
}

/* Verifies that each domain has an id of its own in its packets, and which: kind of set in bits
 * 7:6, unit in 5:3, domain in 2:0 (U-015).  GK110 has the most units.  PC.GF.42, D-75 */
static void domains_have_ids(void **state)
{
    struct pc_gpu *gpu = card_open("GK110");
    unsigned domains = pc_gpu_domain_count(gpu);

    (void)state;
    bind(gpu, 0, 0x1000, 0x1000);
    for (unsigned d = 0; d < domains; d++) {
        struct pc_gpu_domain_info info;
        struct stream got;
        wire(gpu, d);
        pc_gpu_get_domain_info(gpu, d, &info);
        pc_gpu_write32(gpu, gf_domain_base(info.set, info.index, info.domain) + GF_CTRL, GF_STREAM);
        play(gpu, d, "x");
        assert_true(fetch(gpu, 0x1000 + 0x20 * d, &got));
        const unsigned kind = info.set == PC_SET_HUB ? 0 : info.set == PC_SET_GPC ? 1 : 2;
        assert_int_equal(got.word[1] >> 8 & 0xff, kind << 6 | info.index << 3 | info.domain);
    }
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x20 * domains);
    pc_gpu_destroy(gpu);
}

/* Verifies that the ring wraps at its size, that unread packets are kept, and that bytes which
 * software has read make room.  PC.GF.43, PC.GF.44, D-75 */
static void ring_wraps_and_is_bumped(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x60);

    (void)state;
    play(gpu, 0, "x x");
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x40);
    pc_gpu_write32(gpu, BUMP, 0x20);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x20);
    play(gpu, 0, "x");
    assert_int_equal(pc_gpu_read32(gpu, POS), 0x2000); /* wrapped */
    play(gpu, 0, "ex");
    expect_packet(gpu, 0x2000, 4, 1, 0, 0, 1);
    expect_packet(gpu, 0x2020, 2, 0, 0, 0, 1);
    expect_packet(gpu, 0x2040, 3, 0, 0, 0, 1);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x60);
    assert_int_equal(pc_gpu_read32(gpu, CONTROL) & OVERFLOWED, 0);
    pc_gpu_write32(gpu, BUMP, 0x60);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    pc_gpu_destroy(gpu);
}

/* Verifies that a packet that finds no room is lost and sets the overflow bit, until software
 * clears it.  PC.GF.44, D-75 */
static void full_ring_overflows(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x40);

    (void)state;
    play(gpu, 0, "x x");
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), 0);
    play(gpu, 0, "ex");
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), OVERFLOWED);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x40);
    expect_packet(gpu, 0x2000, 1, 0, 0, 0, 1); /* unread: not written over */
    pc_gpu_write32(gpu, BUMP, 0x40);
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), OVERFLOWED); /* sticky */
    pc_gpu_write32(gpu, CONTROL, CLEAR_STATUS);
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), 0);
    play(gpu, 0, "x");
    expect_packet(gpu, 0x2000, 4, 0, 0, 0, 1); /* events of the lost packet are lost */
    pc_gpu_destroy(gpu);
}

/* Verifies that more than was unread cannot be bumped.  PC.GF.44, D-75 */
static void bump_stops_at_nothing_unread(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x40);

    (void)state;
    play(gpu, 0, "x");
    pc_gpu_write32(gpu, BUMP, 0xfffffff0);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    play(gpu, 0, "x x x");
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x40);
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), OVERFLOWED);
    pc_gpu_destroy(gpu);
}

/* Verifies that the low 32 bits of the address wrap and the high ones stay.  PC.GF.43, D-73 */
static void ring_wraps_at_4_gib(void **state)
{
    struct pc_gpu *gpu = streaming(0x77, 0xffffffe0, 0x40);

    (void)state;
    play(gpu, 0, "x x");
    expect_packet(gpu, 0x77ffffffe0, 1, 0, 0, 0, 1);
    expect_packet(gpu, 0x7700000000, 2, 0, 0, 0, 1);
    assert_int_equal(pc_gpu_read32(gpu, POS), 0xffffffe0);
    pc_gpu_write32(gpu, BUMP, 0x40);
    play(gpu, 0, "ex");
    expect_packet(gpu, 0x77ffffffe0, 3, 1, 0, 0, 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that without a bound ring packets are lost, but the counters cleared.  PC.GF.45, D-71,
 * D-75 */
static void unbound_loses(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0, 0);
    struct pc_gpu_domain_info info;
    struct stream got;

    (void)state;
    pc_gpu_get_domain_info(gpu, 0, &info);
    pc_gpu_write32(gpu, START, 0x3000);
    pc_gpu_write32(gpu, LIMIT, 0x100);
    pc_gpu_write32(gpu, CHAN, 0x1234); /* not VALID */
    play(gpu, 0, "e e ex");
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), 0); /* no ring that could overflow */
    assert_false(fetch(gpu, 0x3000, &got));
    assert_int_equal(pc_gpu_read32(gpu, 0x1b0000 + GF_EVENT_NEXT), 0);
    assert_int_not_equal(pc_unit_diagnostics(info.unit, 0) & PC_DIAG_RECORD_LOST, 0);
    pc_gpu_write32(gpu, CHAN, CHAN_VALID | 0x1234);
    play(gpu, 0, "ex");
    expect_packet(gpu, 0x3000, 4, 1, 0, 0, 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that a write of RECORD_CHAN alone restarts the ring, with VALID, and without, which also
 * unbinds: it is to be the last of the set-up.  PC.GF.45, D-75 */
static void chan_restarts_the_ring(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x100);
    struct stream got;

    (void)state;
    play(gpu, 0, "x x");
    pc_gpu_write32(gpu, START, 0x4000);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x40); /* nor does another register restart it */
    pc_gpu_write32(gpu, CHAN, CHAN_VALID | 0x1234);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    assert_int_equal(pc_gpu_read32(gpu, POS), 0x4000);
    play(gpu, 0, "x");
    expect_packet(gpu, 0x4000, 3, 0, 0, 0, 1);
    pc_gpu_write32(gpu, CHAN, 0x1234);
    assert_int_equal(pc_gpu_read32(gpu, POS), 0x4000);
    play(gpu, 0, "x");
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    assert_false(fetch(gpu, 0x4020, &got));
    pc_gpu_destroy(gpu);
}

/* Verifies that a write of RECORD_LIMIT alone restarts the ring, which stays bound.  PC.GF.43,
 * PC.GF.45, D-75 */
static void limit_restarts_the_ring(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x100);

    (void)state;
    play(gpu, 0, "x x");
    pc_gpu_write32(gpu, LIMIT, 0x40);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    assert_int_equal(pc_gpu_read32(gpu, POS), 0x2000);
    play(gpu, 0, "ex");
    expect_packet(gpu, 0x2000, 3, 1, 0, 0, 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that MEM_BUMP takes whole 16 bytes: bits 31:4 of what is written.  PC.GF.44 */
static void bump_has_no_low_bits(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x100);

    (void)state;
    play(gpu, 0, "x x");
    pc_gpu_write32(gpu, BUMP, 0xf);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x40);
    pc_gpu_write32(gpu, BUMP, 0x2f);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0x20);
    pc_gpu_destroy(gpu);
}

/* Verifies RBUFEMPTY: nothing unread.  PC.GF.46 */
static void rbufempty_follows_the_ring(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x100);

    (void)state;
    assert_int_equal(pc_gpu_read32(gpu, MAIN_VSTATUS) & RBUFEMPTY, RBUFEMPTY);
    play(gpu, 0, "x");
    assert_int_equal(pc_gpu_read32(gpu, MAIN_VSTATUS) & RBUFEMPTY, 0);
    pc_gpu_write32(gpu, BUMP, 0x20);
    assert_int_equal(pc_gpu_read32(gpu, MAIN_VSTATUS) & RBUFEMPTY, RBUFEMPTY);
    pc_gpu_destroy(gpu);
}

/* Verifies that RECORD_RESET of the set holds the counters at 0 and sends nothing.  PC.GF.16,
 * D-72 */
static void record_reset_holds(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x100);

    (void)state;
    play(gpu, 0, "e e");
    pc_gpu_write32(gpu, 0x1b0000 + GF_CYCLES_NEXT_HIGH, 0xa4); /* the time, too */
    pc_gpu_write32(gpu, 0x1be000, GF_RECORD_RESET);
    play(gpu, 0, "e ex x");
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b0000 + GF_EVENT_NEXT), 0);
    pc_gpu_write32(gpu, 0x1be000, 0);
    assert_int_equal(pc_gpu_read32(gpu, 0x1b0000 + GF_CYCLES_NEXT_HIGH), 0);
    play(gpu, 0, "ex");
    expect_packet(gpu, 0x2000, 1, 1, 0, 0, 1);
    pc_gpu_destroy(gpu);
}

/* Verifies that PMC.ENABLE unbinds and empties the ring.  PC.GF.4, D-88 */
static void enable_resets_the_ring(void **state)
{
    struct pc_gpu *gpu = streaming(0, 0x2000, 0x40);

    (void)state;
    play(gpu, 0, "x x x");
    uint32_t enable = pc_gpu_read32(gpu, 0x000200);
    pc_gpu_write32(gpu, 0x000200, enable & ~(UINT32_C(1) << 28));
    pc_gpu_write32(gpu, 0x000200, enable);
    assert_int_equal(pc_gpu_read32(gpu, CONTROL), 0);
    assert_int_equal(pc_gpu_read32(gpu, COUNT), 0);
    assert_int_equal(pc_gpu_read32(gpu, POS), 0);
    pc_gpu_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packets),
        cmocka_unit_test(time_stamp_has_40_bits),
        cmocka_unit_test(stop_count_has_12_bits),
        cmocka_unit_test(domains_have_ids),
        cmocka_unit_test(ring_wraps_and_is_bumped),
        cmocka_unit_test(full_ring_overflows),
        cmocka_unit_test(bump_stops_at_nothing_unread),
        cmocka_unit_test(ring_wraps_at_4_gib),
        cmocka_unit_test(unbound_loses),
        cmocka_unit_test(chan_restarts_the_ring),
        cmocka_unit_test(limit_restarts_the_ring),
        cmocka_unit_test(bump_has_no_low_bits),
        cmocka_unit_test(rbufempty_follows_the_ring),
        cmocka_unit_test(record_reset_holds),
        cmocka_unit_test(enable_resets_the_ring),
    };

    return cmocka_run_group_tests_name("gf100_stream", tests, NULL, NULL);
}
