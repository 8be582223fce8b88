/* SPDX-License-Identifier: MIT */
#include "exhaustive.h"

enum { SIGNALS = EXHAUSTIVE_SIGNALS };

/* An argument: a signal now or late, or nothing that matters (signal >= SIGNALS). */
struct arg {
    unsigned signal;
    bool late;
};

static unsigned bit_of(struct arg a, unsigned now, unsigned before)
{
    return a.signal < SIGNALS ? (a.late ? before : now) >> a.signal & 1 : 0;
}

/* Is f a function of the four arguments? */
static bool is_function_of(const struct cm_func *f, unsigned first, const struct arg arg[4])
{
    int table[16];

    for (unsigned i = 0; i < 16; i++)
        table[i] = -1;
    for (unsigned state = 0; state < 1u << (2 * SIGNALS); state++) {
        unsigned now = state & 15, before = state >> SIGNALS, index = 0;
        const uint64_t n[PC_SIG_WORDS] = { (uint64_t)now << first };
        const uint64_t b[PC_SIG_WORDS] = { (uint64_t)before << first };
        for (unsigned i = 0; i < 4; i++)
            index |= bit_of(arg[i], now, before) << i;
        int value = want_value(f, n, b);
        if (table[index] >= 0 && table[index] != value)
            return false;
        table[index] = value;
    }
    return true;
}

/* Five choices a source, 2 or 4 late bits. */
static void arguments(unsigned code, unsigned late, struct arg arg[4])
{
    const unsigned src[4] = { code % 5, code / 5 % 5, code / 25 % 5, code / 125 };

    arg[0] = (struct arg){ src[0], late & 1 };
    arg[1] = (struct arg){ src[1], late >> 1 & 1 };
    arg[2] = (struct arg){ late & 4 ? src[0] : src[2], late & 4 };
    arg[3] = (struct arg){ late & 8 ? src[1] : src[3], late & 8 };
}

bool exhaustive_plain(const struct cm_func *f, unsigned first, bool arg23)
{
    for (unsigned code = 0; code < 625; code++)
        for (unsigned late = 0; late < (arg23 ? 16u : 4u); late++) {
            struct arg arg[4];
            arguments(code, late, arg);
            if (is_function_of(f, first, arg))
                return true;
        }
    return false;
}

/* --- SETFLAG as an argument --- */

/* Can the arguments 0 to count - 1 be these atoms?  Sources are atoms' signals. */
static bool reachable(const struct cm_func *f, unsigned atoms, unsigned count, bool arg23)
{
    unsigned codes = 1;

    for (unsigned i = 0; i < 4; i++)
        codes *= f->atoms;
    for (unsigned code = 0; code < codes; code++)
        for (unsigned late = 0; late < (arg23 ? 16u : 4u); late++) {
            unsigned src[4], got = 0, rest = code;
            for (unsigned i = 0; i < 4; i++, rest /= f->atoms)
                src[i] = f->atom[rest % f->atoms].signal;
            for (unsigned i = 0; i < count; i++) {
                bool is_late = late >> i & 1;
                int at =
                    cm_find_atom(f, (struct cm_atom){ (uint8_t)src[is_late ? i & 1 : i], is_late });
                got |= at < 0 ? 0 : 1u << at;
            }
            if ((got & atoms) == atoms)
                return true;
        }
    return false;
}

/* Is f a function of the atoms in `stay` and of S, a table over those in set_of? */
static bool stays_function(const struct cm_func *f, unsigned stay, unsigned set_of, uint16_t set)
{
    int8_t table[64];

    for (unsigned i = 0; i < 64; i++)
        table[i] = -1;
    for (unsigned row = 0; row < 1u << f->atoms; row++) {
        unsigned b = 0, n = 0;
        for (unsigned i = 0; i < f->atoms; i++)
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

bool exhaustive_chain(const struct cm_func *f, bool arg23)
{
    assert_true(f->atoms <= 5);
    for (unsigned stay = 0; stay < 1u << f->atoms; stay++) {
        if (ones(stay) > 3 || !reachable(f, stay, 3, arg23))
            continue;
        for (unsigned set_of = 0; set_of < 1u << f->atoms; set_of++) {
            unsigned inside = ones(set_of);
            if (inside > 4 || !reachable(f, set_of, 4, arg23) ||
                (stay | set_of) != (1u << f->atoms) - 1)
                continue;
            for (uint32_t set = 0; set < UINT32_C(1) << (1u << inside); set++)
                if (stays_function(f, stay, set_of, (uint16_t)set))
                    return true;
        }
    }
    return false;
}
