/* SPDX-License-Identifier: MIT */
/*
 * Complete: what the compiler refuses, no encoding computes.  The encodings are gone
 * through here in a way of its own: all sources, all late bits, and, for SETFLAG as an
 * argument, all its 65,536 tables.
 */
#include "want.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIGNALS = 4 };

/* An argument: a signal now or late, or nothing that matters (signal >= SIGNALS). */
struct arg {
    unsigned signal;
    bool late;
};

static unsigned bit_of(struct arg a, unsigned now, unsigned before)
{
    return a.signal < SIGNALS ? (a.late ? before : now) >> a.signal & 1 : 0;
}

static bool function_at(const struct cm_func *f, unsigned now, unsigned before)
{
    const uint64_t n[PC_SIG_WORDS] = { now }, b[PC_SIG_WORDS] = { before };

    return want_value(f, n, b);
}

/* Is f a function of the four arguments? */
static bool is_function_of(const struct cm_func *f, const struct arg arg[4])
{
    int table[16];

    for (unsigned i = 0; i < 16; i++)
        table[i] = -1;
    for (unsigned state = 0; state < 1u << (2 * SIGNALS); state++) {
        unsigned now = state & 15, before = state >> SIGNALS, index = 0;
        for (unsigned i = 0; i < 4; i++)
            index |= bit_of(arg[i], now, before) << i;
        int value = function_at(f, now, before);
        if (table[index] >= 0 && table[index] != value)
            return false;
        table[index] = value;
    }
    return true;
}

/* One input without SETFLAG: five choices a source, 2 or 4 late bits. */
static bool any_plain(const struct cm_func *f, bool arg23)
{
    for (unsigned code = 0; code < 625; code++) {
        const unsigned src[4] = { code % 5, code / 5 % 5, code / 25 % 5, code / 125 };
        for (unsigned late = 0; late < (arg23 ? 16u : 4u); late++) {
            const struct arg arg[4] = {
                { src[0], late & 1 },
                { src[1], late >> 1 & 1 },
                { late & 4 ? src[0] : src[2], late & 4 },
                { late & 8 ? src[1] : src[3], late & 8 },
            };
            if (is_function_of(f, arg))
                return true;
        }
    }
    return false;
}

static void plain_inputs(void **state)
{
    static const char *const chips[] = { "NV10", "NV20", "NV40", "G92", "GF100" };
    uint64_t seed;
    struct test_rng rng = test_rng_start(11, &seed);
    unsigned tries = getenv("PC_TEST_LONG") ? 20000 : 1500, refused = 0;

    (void)state;
    for (unsigned i = 0; i < tries; i++) {
        const struct pc_chip *chip = pc_chip_find(chips[i % 5]);
        struct cm_want w = want_nothing(chip);
        struct cm_found found;
        unsigned input = test_rand_below(&rng, 2) ? PC_INPUT_PRE : PC_INPUT_CLRFLAG;
        w.wanted[input] = true;
        want_random(&rng, 1 + test_rand_below(&rng, 4), 0, SIGNALS, &w.func[input]);
        bool fits = cm_solve(&w, &found);
        if (fits != any_plain(&w.func[input], chip->features & PC_F_ARG23_DELAY))
            fail_msg("seed %llu, try %u: %s", (unsigned long long)seed, i, chip->name);
        refused += !fits;
    }
    printf("%u of %u refused, none has an encoding\n", refused, tries);
    assert_true(refused > tries / 100);
}

/* --- SETFLAG as an argument: five signals, none late --- */

static bool stays_function(const struct cm_func *f, unsigned stay, unsigned set_of, uint16_t set)
{
    int8_t table[64];

    for (unsigned i = 0; i < 64; i++)
        table[i] = -1;
    for (unsigned row = 0; row < 32; row++) {
        unsigned b = 0, n = 0;
        for (unsigned i = 0; i < 5; i++)
            if (set_of >> i & 1)
                b |= (row >> i & 1) << n++;
        unsigned index = (row & stay) << 1 | (set >> b & 1);
        int8_t value = (int8_t)cm_row(f, row);
        if (table[index] >= 0 && table[index] != value)
            return false;
        table[index] = value;
    }
    return true;
}

static unsigned ones(unsigned mask)
{
    return mask ? (mask & 1) + ones(mask >> 1) : 0;
}

static bool any_chain(const struct cm_func *f)
{
    for (unsigned stay = 0; stay < 32; stay++)
        for (unsigned set_of = 0; set_of < 32; set_of++)
            for (uint32_t set = 0; ones(stay) == 3 && ones(set_of) == 4 && set < 65536; set++)
                if (stays_function(f, stay, set_of, (uint16_t)set))
                    return true;
    return false;
}

static void chained_inputs(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(13, &seed);
    unsigned tries = getenv("PC_TEST_LONG") ? 400 : 24, refused = 0;

    (void)state;
    for (unsigned i = 0; i < tries; i++) {
        struct cm_want w = want_nothing(pc_chip_find("NV40"));
        struct cm_func *f = &w.func[PC_INPUT_EVENT];
        struct cm_found found;
        w.wanted[PC_INPUT_EVENT] = true;
        want_random(&rng, 5, 0, 8, f);
        for (unsigned a = 0; a < 5; a++)
            f->atom[a] = (struct cm_atom){ (uint8_t)a, false };
        bool fits = cm_solve(&w, &found);
        if (fits != any_chain(f))
            fail_msg("seed %llu, try %u", (unsigned long long)seed, i);
        refused += !fits;
    }
    printf("%u of %u refused, none has a chain\n", refused, tries);
    assert_true(refused > 0 && refused < tries);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(plain_inputs),
                                        cmocka_unit_test(chained_inputs) };

    return cmocka_run_group_tests_name("compile_refused", tests, NULL, NULL);
}
