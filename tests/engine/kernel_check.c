/* SPDX-License-Identifier: MIT */
/*
 * What a kernel must compute, bit by bit (kernel_check.h): rules/lut.h and rules/flag.h where
 * there is a rule, the sentence of kernel/kernel.h otherwise.
 */
#include "kernel_check.h"

#include "kernel/products.h"

#include <string.h>

#include "model/rules/flag.h"
#include "model/rules/lut.h"

enum { PLANES = 8, MAX_WORDS = 600, GUARD = 8, ROOM = MAX_WORDS + 2 * GUARD };

struct bench {
    uint64_t seed;
    const struct pc_kernel *kernel;
    size_t words;
    bool carry;
    uint64_t store[PLANES][ROOM];
    const uint64_t *plane[PLANES]; /* somewhere in store */
    uint64_t room[ROOM], *out;     /* the same for a result */
    uint64_t want[MAX_WORDS];
};

static uint64_t next(struct bench *b)
{
    uint64_t x = b->seed;

    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    b->seed = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

static bool bit(const uint64_t *plane, uint64_t cycle)
{
    return plane[cycle / 64] >> cycle % 64 & 1;
}

static void put(uint64_t *plane, size_t cycle, bool value)
{
    const uint64_t mask = UINT64_C(1) << cycle % 64;

    plane[cycle / 64] = value ? plane[cycle / 64] | mask : plane[cycle / 64] & ~mask;
}

/* Empty, full, a bit in 64, all but a bit in 64, half, or long runs of both. */
static uint64_t random_word(struct bench *b, unsigned kind)
{
    const uint64_t one = UINT64_C(1) << (next(b) >> 58);

    switch (kind) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX;
    case 2:
        return one;
    case 3:
        return ~one;
    case 4:
        return next(b);
    default:
        return next(b) >> 60 ? (next(b) >> 63 ? 0 : UINT64_MAX) : next(b);
    }
}

static void fill(struct bench *b)
{
    b->words = (size_t)(next(b) % (next(b) % 8 ? 20 : MAX_WORDS));
    b->carry = next(b) >> 63;
    for (unsigned p = 0; p < PLANES; p++) {
        const unsigned kind = (unsigned)(next(b) % 6);
        b->plane[p] = b->store[p] + next(b) % GUARD;
        for (size_t i = 0; i < ROOM; i++)
            b->store[p][i] = random_word(b, kind);
    }
    for (size_t i = 0; i < ROOM; i++)
        b->room[i] = UINT64_C(0x5a5a5a5a5a5a5a5a);
    b->out = b->room + 1 + next(b) % GUARD;
}

/* The result is right, and nothing beside it was written. */
static bool right(const struct bench *b)
{
    const uint64_t *end = b->room + ROOM;

    if (b->words && memcmp(b->out, b->want, b->words * sizeof b->want[0]) != 0)
        return false;
    for (const uint64_t *w = b->room; w < end; w++)
        if ((w < b->out || w >= b->out + b->words) && *w != UINT64_C(0x5a5a5a5a5a5a5a5a))
            return false;
    return true;
}

static bool op_bit(const struct pc_lut_op *op, size_t t)
{
    bool a[4] = { false };

    for (unsigned k = 0; k < 4; k++)
        if (op->arg[k])
            a[k] = bit(op->arg[k], t);
    return pc_lut4(op->table, a[0], a[1], a[2], a[3]);
}

/* A table of all four arguments, or of fewer, which then point nowhere. */
static struct pc_lut_op random_op(struct bench *b)
{
    struct pc_lut_op op = { (uint16_t)next(b), { NULL, NULL, NULL, NULL } };
    const unsigned used = next(b) >> 63 ? 15 : (unsigned)(next(b) >> 60);
    unsigned table = 0;

    for (unsigned i = 0; i < 16; i++)
        table |= ((unsigned)op.table >> (i & used) & 1u) << i;
    op.table = (uint16_t)table;
    for (unsigned k = 0; k < 4; k++)
        if (used >> k & 1)
            op.arg[k] = b->plane[next(b) % PLANES];
    return op;
}

static const char *check_operations(struct bench *b)
{
    struct pc_lut_op op[4];
    uint64_t want[4] = { 1, 2, 3, 4 }, counts[4] = { 1, 2, 3, 4 };

    for (unsigned k = 0; k < 4; k++) {
        uint64_t ones = 0;
        op[k] = random_op(b);
        for (size_t t = 0; t < b->words * 64; t++) {
            put(b->want, t, op_bit(&op[k], t));
            ones += op_bit(&op[k], t);
        }
        b->kernel->lut(b->out, &op[k], b->words, k & 1 ? PC_AHEAD_FAR : 0);
        if (!right(b))
            return "lut";
        if (b->kernel->count_lut(&op[k], b->words) != ones)
            return "count_lut";
        want[k] += ones;
    }
    bool level = b->carry, odd = false;
    struct pc_rise edge = { level, odd };
    for (size_t t = 0; t < b->words * 64; t++) {
        odd ^= op_bit(&op[2], t) && !level;
        level = op_bit(&op[2], t);
    }
    b->kernel->quad(op, b->words, counts, &edge);
    if (edge.level != level || edge.odd != odd)
        return "quad's edges";
    return memcmp(want, counts, sizeof want) ? "quad" : NULL;
}

static const char *check_counts(struct bench *b)
{
    const unsigned n = (unsigned)(next(b) % 7);
    uint64_t ones = 0, sum = 0, masked = 0;
    bool zero = true, full = true;

    for (size_t t = 0; t < b->words * 64; t++) {
        const bool a = bit(b->plane[6], t), m = bit(b->plane[7], t);
        uint64_t number = 0;
        for (unsigned k = 0; k < n; k++)
            number |= (uint64_t)bit(b->plane[k], t) << k;
        ones += a;
        sum += number;
        masked += m ? number : 0;
        zero = zero && !a;
        full = full && a;
    }
    if (b->kernel->count(b->plane[6], b->words) != ones)
        return "count";
    if (b->kernel->weigh(NULL, b->plane, n, b->words) != sum ||
        b->kernel->weigh(b->plane[7], b->plane, n, b->words) != masked)
        return "weigh";
    if (b->kernel->uniform(b->plane[6], 0, b->words) != zero ||
        b->kernel->uniform(b->plane[6], UINT64_MAX, b->words) != full)
        return "uniform";
    return NULL;
}

/* Every other word is 0, or one bit of it is 1. */
static const char *check_marks(struct bench *b)
{
    uint64_t marks[MAX_WORDS / 64 + 2];
    const size_t used = (b->words + 63) / 64;

    memset(marks, 0xa5, sizeof marks);
    for (size_t w = 0; w < b->words; w++)
        b->want[w] = next(b) & 1 ? b->plane[6][w] : next(b) & 1 ? UINT64_C(1) << next(b) % 64 : 0;
    b->kernel->marks(marks, b->want, b->words);
    for (size_t w = 0; w < used * 64; w++)
        if ((marks[w / 64] >> w % 64 & 1) != (w < b->words && b->want[w] != 0))
            return "marks";
    return marks[used] == UINT64_C(0xa5a5a5a5a5a5a5a5) ? NULL : "marks: behind the end";
}

static const char *check_sums(struct bench *b)
{
    const uint64_t cycles = (uint64_t)b->words * 64;
    const unsigned n = (unsigned)(next(b) % 7);
    uint32_t want[6], got[6];

    for (unsigned trial = 0; trial < 8 && cycles > 0; trial++) {
        const uint64_t from = next(b) % cycles, to = from + 1 + next(b) % (cycles - from);
        for (unsigned k = 0; k < n; k++) {
            want[k] = 0;
            for (uint64_t t = from; t < to; t++)
                want[k] += bit(b->plane[k], t);
        }
        b->kernel->sums(b->plane, n, from, to, got);
        if (memcmp(want, got, n * sizeof want[0]) != 0)
            return "sums";
    }
    return NULL;
}

static const char *check_rows(struct bench *b)
{
    static uint64_t row[MAX_WORDS + 1][4];
    const size_t cut = (size_t)(next(b) % (b->words + 1));
    const uint64_t cycles = (uint64_t)b->words * 64;
    const uint64_t *plane[12], *rest[12];

    for (unsigned k = 0; k < 12; k++)
        plane[k] = b->plane[next(b) % PLANES];
    row[0][0] = row[0][1] = row[0][2] = 0;
    row[0][3] = 5;
    b->kernel->rows(plane, cut, row);
    for (unsigned k = 0; k < 12; k++)
        rest[k] = plane[k] + cut;
    b->kernel->rows(rest, b->words - cut, row + cut);
    for (unsigned trial = 0; trial < 6; trial++) {
        const uint64_t to = trial == 5 ? cycles : next(b) % (cycles + 1);
        uint64_t want[3] = { 0, 0, 0 }, got[3];
        for (unsigned k = 0; k < 12; k++)
            for (uint64_t i = 0; i < to; i++)
                want[k / 4] += (uint64_t)bit(plane[k], i) << 16 * (k % 4);
        b->kernel->before(plane, row, to, got);
        if (memcmp(want, got, sizeof want) != 0 || row[b->words][3] != 5)
            return "rows";
    }
    return NULL;
}

static const char *check_rises(struct bench *b)
{
    bool before = b->carry, odd = false;

    for (size_t t = 0; t < b->words * 64; t++) {
        odd ^= bit(b->plane[3], t) && !before;
        before = bit(b->plane[3], t);
    }
    return b->kernel->odd_rises(b->plane[3], b->carry, b->words) == odd ? NULL : "odd_rises";
}

static const char *check_late(struct bench *b)
{
    bool level = b->carry, before = b->carry;

    for (size_t t = 0; t < b->words * 64; t++) {
        put(b->want, t, before);
        before = bit(b->plane[0], t);
    }
    if (b->kernel->late(b->out, b->plane[0], b->carry, b->words) != before || !right(b))
        return "late";
    memcpy(b->out, b->plane[0], b->words * sizeof b->out[0]);
    if (b->kernel->late(b->out, b->out, b->carry, b->words) != before || !right(b))
        return "late in place";
    for (size_t t = 0; t < b->words * 64; t++) {
        level ^= bit(b->plane[0], t);
        put(b->want, t, level);
    }
    if (b->kernel->toggle(b->out, b->plane[0], b->carry, b->words) != level || !right(b))
        return "toggle";
    return NULL;
}

static const char *check_latches(struct bench *b)
{
    bool counting = b->carry;

    for (size_t t = 0; t < b->words * 64; t++) {
        const bool start = bit(b->plane[0], t), stop = bit(b->plane[1], t);
        put(b->want, t, counting);
        counting = counting ? !stop : start;
    }
    if (b->kernel->affine(b->out, b->plane[0], b->plane[1], b->carry, b->words) != counting ||
        !right(b))
        return "affine";
    return NULL;
}

/* From each state: the register, what it was before, and what was shown. */
static const char *check_flag(struct bench *b)
{
    struct pc_flag got = { b->carry, b->seed & 1, { b->seed >> 1 & 1, b->seed >> 2 & 1 } };
    struct pc_flag want = got;

    for (size_t t = 0; t < b->words * 64; t++) {
        put(b->want, t, want.cur);
        want.shown.odd ^= want.cur && !want.shown.level;
        want.shown.level = want.cur;
        want.cur = want.next;
        want.next = pc_flag_next(want.next, bit(b->plane[0], t), bit(b->plane[1], t));
    }
    b->kernel->flag(b->out, b->plane[0], b->plane[1], &got, b->words);
    return right(b) && got.next == want.next && got.cur == want.cur &&
                   got.shown.level == want.shown.level && got.shown.odd == want.shown.odd
               ? NULL
               : "flag";
}

/* Rows with few bits, all bits, or those of one byte; the columns that are asked for. */
static const char *check_turn(struct bench *b)
{
    const uint64_t *row = b->plane[0]; /* has at least 64 words after it */
    const uint64_t bits = next(b) >> 63 ? next(b) : UINT64_C(0xff) << 8 * (next(b) >> 61);
    uint64_t got[64];

    memset(got, 0x5a, sizeof got);
    b->kernel->turn(got, row, bits);
    for (unsigned j = 0; j < 64; j++)
        for (unsigned r = 0; r < 64; r++)
            if ((bits >> j & 1) && (got[j] >> r & 1) != (row[r] >> j & 1))
                return "turn";
    b->kernel->turn_bytes(got, (const uint8_t *)row);
    for (unsigned j = 0; j < 8; j++)
        for (unsigned r = 0; r < 64; r++)
            if ((got[j] >> r & 1) != (((const uint8_t *)row)[r] >> j & 1u))
                return "turn_bytes";
    return NULL;
}

const char *kernel_check(const struct pc_kernel *kernel, uint64_t seed, unsigned rounds,
                         size_t *words)
{
    const char *(*const checks[])(
        struct bench *) = { check_operations, check_counts, check_marks,   check_sums, check_rows,
                            check_rises,      check_late,   check_latches, check_flag, check_turn };
    struct bench b = { .seed = seed ^ UINT64_C(0x9e3779b97f4a7c15), .kernel = kernel };

    if (b.seed == 0)
        b.seed = 1;
    for (unsigned round = 0; round < rounds; round++)
        for (size_t c = 0; c < sizeof checks / sizeof checks[0]; c++) {
            fill(&b);
            const char *wrong = checks[c](&b);
            *words = b.words;
            if (wrong)
                return wrong;
        }
    return NULL;
}

/* How often a plane of so many words rises, each of which is `word`. */
static uint64_t rises_of(uint64_t word, bool level, uint64_t words)
{
    uint64_t rises = 0;

    for (unsigned i = 0; i < 64; i++) {
        const bool now = word >> i & 1, before = i > 0 ? word >> (i - 1) & 1 : word >> 63;
        rises += (now && !before) * words;
    }
    return rises + ((word & 1) && !level) - ((word & 1) && !(word >> 63));
}

enum { TABLE_WORDS = 41 }; /* a group or two of every kernel, and a rest */

static unsigned ones_in(unsigned table)
{
    unsigned ones = 0;

    for (unsigned i = 0; i < 16; i++)
        ones += table >> i & 1;
    return ones * 4 * TABLE_WORDS;
}

/* Four tables at once. */
static const char *check_quad(const struct pc_kernel *kernel, const uint64_t *const plane[4],
                              unsigned table)
{
    const bool level = table >> 7 & 1;
    const uint64_t event = (table + 2) * UINT64_C(0x0001000100010001);
    struct pc_rise edge = { .level = level };
    struct pc_lut_op op[4];
    uint64_t counts[4] = { 0 };

    for (unsigned k = 0; k < 4; k++)
        op[k] =
            (struct pc_lut_op){ (uint16_t)(table + k), { plane[0], plane[1], plane[2], plane[3] } };
    kernel->quad(op, TABLE_WORDS, counts, &edge);
    for (unsigned k = 0; k < 4; k++)
        if (counts[k] != ones_in(table + k))
            return "quad";
    if (edge.odd != (rises_of(event, level, TABLE_WORDS) & 1) || edge.level != event >> 63)
        return "quad's edges";
    return NULL;
}

/* The planes are those of all sixteen inputs, over and over. */
const char *kernel_check_tables(const struct pc_kernel *kernel)
{
    static const uint64_t ARGS[4] = { UINT64_C(0xaaaaaaaaaaaaaaaa), UINT64_C(0xcccccccccccccccc),
                                      UINT64_C(0xf0f0f0f0f0f0f0f0), UINT64_C(0xff00ff00ff00ff00) };
    uint64_t store[4][TABLE_WORDS], out[TABLE_WORDS];
    const uint64_t *const plane[4] = { store[0], store[1], store[2], store[3] };
    const char *wrong = NULL;

    for (unsigned k = 0; k < 4; k++)
        for (unsigned i = 0; i < TABLE_WORDS; i++)
            store[k][i] = ARGS[k];
    for (uint32_t table = 0; table < 0x10000 && !wrong; table++) {
        const struct pc_lut_op op = { (uint16_t)table, { plane[0], plane[1], plane[2], plane[3] } };
        kernel->lut(out, &op, TABLE_WORDS, 0);
        for (unsigned i = 0; i < TABLE_WORDS; i++)
            if (out[i] != table * UINT64_C(0x0001000100010001))
                return "lut";
        if (kernel->count_lut(&op, TABLE_WORDS) != ones_in(table))
            return "count_lut";
        if (table % 4 == 0)
            wrong = check_quad(kernel, plane, table);
    }
    return wrong;
}
