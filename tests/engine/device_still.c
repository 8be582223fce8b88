/* SPDX-License-Identifier: MIT */
/*
 * A device whose domains have unlike clocks, and in which nothing moves: much time at once is each
 * instant by itself, whether domains look at each other or not, and whoever sends packets.
 * For times that nobody can step, the whole equals its pieces.  PC_TEST_LONG: forty times as many
 * trials.
 */
#include "device_pair.h"

#include <string.h>

#include "model/gpu/gpu.h"

static const char *const chips[] = { "NV10", "NV40", "G80", "G84", "GT215", "GF100", "GK20A" };

enum { TRIALS = 25, LONG_TRIALS = 1000, COMMANDS = 4, INSTANTS = 12000 };
enum { RECORD = 2, STREAM = 5, PERIODIC_SHIFT = 21, PULSES = 0x2800 };
enum { CHAN = 0x1b4070, START = 0x1b4074, LIMIT = 0x1b407c };

/* --- a random device --- */

static enum pc_status set_clock(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_clock(gpu, with[0], with[1], with[2], NULL);
}

static uint32_t random_period(struct test_rng *rng)
{
    static const uint32_t most[] = { 1, 3, 40, 400, 1500 };

    return 1 + test_rand_below(rng, most[test_rand_below(rng, 5)]);
}

/* All have one of three clocks. */
static void random_clocks(struct test_rng *rng, struct pair *p)
{
    uint32_t period[3], phase[3];

    for (unsigned i = 0; i < 3; i++) {
        period[i] = random_period(rng);
        phase[i] = test_rand_below(rng, 4) ? 0 : test_rand_below(rng, 2000);
    }
    for (unsigned x = 0; x < p->domains; x++) {
        unsigned i = test_rand_below(rng, 3);
        pair_both(p, set_clock, (const uint32_t[]){ x, period[i], phase[i] });
    }
}

static enum pc_status set_level(struct pc_gpu *gpu, const uint32_t *with)
{
    return pc_gpu_set(gpu, with[0], with[1], with[2], NULL);
}

/* A signal that the unit drives in the register's domain: EVENT or FLAG of one, or PERIODIC */
static uint32_t driven(struct test_rng *rng, const struct pair *p, const struct pc_reg_info *reg)
{
    struct pc_gpu_domain_info info;
    unsigned x = 0;

    do
        pc_gpu_get_domain_info(p->fast, x++, &info);
    while (info.set != reg->set || (int)info.domain != reg->domain);
    const struct pc_slots *slots = &info.unit->slots[info.domain];
    unsigned other = test_rand_below(rng, info.unit->chip->domains);
    int signal = test_rand_below(rng, 4) == 0   ? slots->periodic
                 : test_rand_below(rng, 2) == 0 ? slots->event[other]
                                                : slots->flag[other];
    return signal < 0 ? 0 : (uint32_t)signal;
}

/* One source in `rare` is driven by the unit; 0: none.  `sends`: one domain in as many; 0: none. */
static void random_registers(struct test_rng *rng, struct pair *p, unsigned rare, unsigned sends)
{
    const uint32_t record = p->chip->layout == PC_LAYOUT_GF100 ? STREAM : RECORD;
    struct pc_reg_info reg;

    for (size_t i = 0; pc_reg_enum(p->chip, i, &reg) == PC_OK; i++) {
        uint32_t value = (uint32_t)test_rand(rng) & 0x07070707;
        if (reg.domain < 0)
            continue;
        if (strstr(reg.name, "SRC")) {
            for (unsigned k = 0; k < 32 && rare > 0; k += 8)
                if (test_rand_below(rng, rare) == 0)
                    value = (value & ~(UINT32_C(0xff) << k)) | driven(rng, p, &reg) << k;
            pair_write(p, reg.address, value);
        } else if (strcmp(reg.name, "CTRL") == 0) {
            bool send = sends > 0 && test_rand_below(rng, sends) == 0;
            value = (send ? record : test_rand_below(rng, 2)) | (value & 7) << PERIODIC_SHIFT |
                    ((uint32_t)test_rand(rng) & PULSES);
            pair_write(p, reg.address, value);
        }
    }
}

static void begin(struct test_rng *rng, struct pair *p, unsigned rare, unsigned sends)
{
    pair_begin(p, chips[test_rand_below(rng, sizeof chips / sizeof chips[0])]);
    random_clocks(rng, p);
    pair_random_program(rng, p);
    random_registers(rng, p, rare, sends);
    if (p->chip->layout == PC_LAYOUT_GF100) {
        pair_write(p, START, 0);
        pair_write(p, LIMIT, 32u << test_rand_below(rng, 15));
        pair_write(p, CHAN, UINT32_C(1) << 31);
    }
}

static void stir(struct test_rng *rng, struct pair *p)
{
    for (unsigned i = 0; i < 12; i++)
        pair_both(p, set_level,
                  (const uint32_t[]){ test_rand_below(rng, p->domains), test_rand_below(rng, 8),
                                      test_rand_below(rng, 2) });
    if (test_rand_below(rng, 4) == 0) {
        pc_gpu_pulse(p->fast, PC_PULSE_PM_TRIGGER);
        pc_gpu_pulse(p->slow, PC_PULSE_PM_TRIGGER);
    }
    if (test_rand_below(rng, 2))
        pair_random_access(rng, p);
}

/* --- each instant --- */

static uint64_t next_instant(const struct pc_gpu *gpu)
{
    uint64_t now = gpu->idle ? gpu->idle_next : UINT64_MAX;

    for (unsigned x = 0; x < gpu->domains; x++)
        now = gpu->domain[x].next_edge < now ? gpu->domain[x].next_edge : now;
    return now;
}

/* A time of so many edges of the fastest, in cycles of any domain; never a wide step in the slow.
 */
static void pass(struct test_rng *rng, struct pair *p)
{
    const unsigned domain = test_rand_below(rng, p->domains);
    const struct pc_gpu_domain *d = &p->fast->domain[domain];
    uint64_t least = UINT64_MAX, to;
    struct pc_error err;

    for (unsigned x = 0; x < p->domains; x++)
        least = p->fast->domain[x].period < least ? p->fast->domain[x].period : least;
    uint64_t cycles = 1 + test_rand_below(rng, INSTANTS) * least / d->period;
    to = d->next_edge + (cycles - 1) * d->period;
    test_ok(pc_gpu_run(p->fast, domain, cycles, &err), &err);
    for (uint64_t now = next_instant(p->slow); now <= to; now = next_instant(p->slow))
        pc_gpu_instant(p->slow, now);
}

static void time_is_each_instant(void **state)
{
    static const unsigned rare[] = { 0, 0, 8, 100, 400 }, sends[] = { 0, 0, 2, 8 };
    uint64_t seed;
    struct test_rng rng = test_rng_start(100, &seed);

    (void)state;
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS); i++) {
        struct pair p;
        begin(&rng, &p, rare[test_rand_below(&rng, 5)], sends[test_rand_below(&rng, 4)]);
        for (unsigned k = 0; k < COMMANDS; k++) {
            stir(&rng, &p);
            pass(&rng, &p);
            pair_compare(&p, seed, i);
        }
        pair_end(&p);
    }
}

/* --- long times --- */

/* Does a domain send packets?  Time grows with their number, so it is not for long ones. */
static bool sends_packets(const struct pc_gpu *gpu)
{
    for (unsigned x = 0; x < gpu->domains; x++) {
        const struct pc_gpu_domain *d = &gpu->domain[x];
        if (pc_sends(&d->unit->state.domain[d->domain]))
            return true;
    }
    return false;
}

/* stir() may write to any register. */
static void begin_silent(struct test_rng *rng, struct pair *p)
{
    begin(rng, p, 0, 0);
    stir(rng, p);
    while (sends_packets(p->fast)) {
        pair_end(p);
        begin(rng, p, 0, 0);
        stir(rng, p);
    }
}

/* Nobody looks at others or sends: 2^30 cycles and more of each. */
static void long_times_are_their_pieces(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(101, &seed);
    struct pc_error err;

    (void)state;
    for (unsigned i = 0; i < (test_long() ? LONG_TRIALS : TRIALS) / 2; i++) {
        struct pair p;
        begin_silent(&rng, &p);
        unsigned domain = test_rand_below(&rng, p.domains);
        uint64_t left = test_rand(&rng) >> (24 + test_rand_below(&rng, 10));
        test_ok(pc_gpu_run(p.fast, domain, left, &err), &err);
        while (left > 0) {
            uint64_t part = 1 + (test_rand(&rng) >> (24 + test_rand_below(&rng, 38)));
            part = part < left && test_rand_below(&rng, 16) ? part : left;
            test_ok(pc_gpu_run(p.slow, domain, part, &err), &err);
            left -= part;
        }
        pair_compare(&p, seed, i);
        pair_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_is_each_instant),
        cmocka_unit_test(long_times_are_their_pieces),
    };

    return cmocka_run_group_tests_name("device_still", tests, NULL, NULL);
}
