/* SPDX-License-Identifier: MIT */
/*
 * The input is the text of an expression.  Its signals are made up from their names: one
 * wire, or some with a slice.  What must hold of one that is right: the value does not
 * depend on what is unknown where it is not tainted, a long evaluation equals two short
 * ones, and the truth table that it is placed as computes it in every cycle.
 */
#include "fuzz.h"

#include <string.h>

#define WIRES     12
#define WORDS     4
#define CYCLES    (64 * WORDS - 7)
#define TEXT_SIZE 4096

struct planes {
    uint64_t word[WIRES][WORDS];
    const uint64_t *row[WIRES];
};

static uint64_t next_random(uint64_t *x)
{
    *x ^= *x >> 12;
    *x ^= *x << 25;
    *x ^= *x >> 27;
    return *x * 0x2545f4914f6cdd1du;
}

static void fill(struct planes *p, uint64_t seed)
{
    for (unsigned i = 0; i < WIRES; i++) {
        p->row[i] = p->word[i];
        for (unsigned w = 0; w < WORDS; w++)
            p->word[i][w] = next_random(&seed);
    }
}

static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    size_t n = strchr(name, ':') ? 1 + strlen(name) % 9 : 1;

    (void)ctx;
    if (name[0] == 'Z') {
        *err = (struct pc_error){ .status = PC_ENOENT, .code = 520, .text = "no such signal" };
        return PC_ENOENT;
    }
    if (name[0] == 'Y')
        n = 4000;
    if (name[0] == 'X')
        n = name[1] == '0' ? 0 : capacity + 1;
    *count = n;
    *is_signed = name[0] >= 'k' && name[0] <= 'z';
    for (size_t i = 0; i < n && i < capacity; i++)
        wires[i] = (uint32_t)((unsigned char)name[0] + i) % WIRES;
    return PC_OK;
}

/* The argument of a truth table: a wire, or the wire one cycle late. */
static bool argument(const struct pc_expr_input *in, const struct planes *p, bool arg23_at_19,
                     unsigned arg, uint32_t cycle)
{
    unsigned source = arg, late_bit = 16 + arg;

    if (arg >= 2)
        late_bit = (arg23_at_19 ? 19 : 18) + arg - 2;
    bool late = in->op >> late_bit & 1;
    if (arg >= 2 && late)
        source = arg - 2;
    if (in->source[source] == PC_NO_WIRE || (late && cycle == 0))
        return false;
    FUZZ_CHECK(in->source[source] < WIRES);
    cycle -= late;
    return p->word[in->source[source]][cycle / 64] >> cycle % 64 & 1;
}

static void check_place(const struct pc_expr *e, const struct planes *p, const uint64_t *wanted)
{
    static const char *const chips[] = { "NV10", "NV40", "G84", "G92", "GF100" };

    for (unsigned n = 0; n < 4 * sizeof chips / sizeof chips[0]; n++) {
        const struct pc_chip *chip = pc_chip_find(chips[n / 4]);
        enum pc_slot slot = (enum pc_slot)(n % 4);
        bool at_19 = chip->layout == PC_LAYOUT_GF100 || slot >= PC_SLOT_EVENT;
        struct pc_expr_input in;
        struct pc_error err = { 0 };
        enum pc_status status = pc_expr_place(e, chip, slot, &in, &err);
        fuzz_check_error(status, &err);
        for (uint32_t t = 0; !status && t < CYCLES; t++) {
            unsigned row = 0;
            for (unsigned a = 0; a < 4; a++)
                row |= (unsigned)argument(&in, p, at_19, a, t) << a;
            FUZZ_CHECK((in.op >> row & 1) == (wanted[t / 64] >> t % 64 & 1));
        }
    }
}

static void check_values(struct pc_expr *e)
{
    static struct planes known, unknown, other;
    uint64_t out[WORDS], again[WORDS], taint[WORDS], half[WORDS];

    fill(&known, 0x9e3779b97f4a7c15u);
    fill(&unknown, 0xc2b2ae3d27d4eb4fu);
    fill(&other, 0x165667b19e3779f9u);
    for (unsigned i = 0; i < WIRES; i++)
        for (unsigned w = 0; w < WORDS; w++) {
            if ((i + w) % 3)
                unknown.word[i][w] = 0;
            other.word[i][w] = known.word[i][w] ^ (unknown.word[i][w] & other.word[i][w]);
        }
    pc_expr_restart(e);
    pc_expr_eval(e, known.row, NULL, WORDS, CYCLES, out, NULL);
    FUZZ_CHECK(out[WORDS - 1] >> CYCLES % 64 == 0);
    check_place(e, &known, out);

    pc_expr_restart(e);
    pc_expr_eval(e, known.row, unknown.row, WORDS, CYCLES, again, taint);
    FUZZ_CHECK(memcmp(out, again, sizeof out) == 0);

    pc_expr_restart(e);
    const uint64_t *behind[WIRES];
    for (unsigned i = 0; i < WIRES; i++)
        behind[i] = known.word[i] + 1;
    pc_expr_eval(e, known.row, NULL, 1, 64, half, NULL);
    pc_expr_eval(e, behind, NULL, WORDS - 1, CYCLES - 64, half + 1, NULL);
    FUZZ_CHECK(memcmp(out, half, sizeof out) == 0);

    pc_expr_restart(e);
    pc_expr_eval(e, other.row, NULL, WORDS, CYCLES, again, NULL);
    for (unsigned w = 0; w < WORDS; w++)
        FUZZ_CHECK(((out[w] ^ again[w]) & ~taint[w]) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_heap heap = { .limit = (size_t)64 << 20 };
    struct pc_alloc alloc = fuzz_alloc(&heap);
    struct fuzz_bytes in = { data, size };
    struct pc_expr *e = NULL;
    struct pc_error err = { 0 };
    char text[TEXT_SIZE];

    fuzz_rest(&in, text, sizeof text);
    enum pc_status status = pc_expr_parse(&alloc, text, &e, &err);
    FUZZ_CHECK((status == PC_OK) == (e != NULL));
    FUZZ_CHECK(status == PC_OK || err.column > 0);
    if (status == PC_OK)
        status = pc_expr_resolve(e, look_up, NULL, &err);
    fuzz_check_error(status, &err);
    FUZZ_CHECK(status != PC_ENOMEM);
    if (status == PC_OK)
        check_values(e);
    pc_expr_free(e);
    fuzz_all_returned(&heap);
    return 0;
}
