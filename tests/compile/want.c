/* SPDX-License-Identifier: MIT */
#include "want.h"

#include <string.h>

struct cm_want want_nothing(const struct pc_chip *chip)
{
    struct cm_want w;

    memset(&w, 0, sizeof w);
    w.target = (struct cm_target){ chip, 0, chip->features,
                                   pc_chip_signal_position(chip, 0, PC_SIG_DOM_EVENT, 0) };
    for (unsigned i = 0; i < CM_SELECTORS; i++)
        w.reserved[i] = PC_NO_SIGNAL;
    return w;
}

static bool depends(const struct cm_func *f, unsigned atom)
{
    for (unsigned i = 0; i < 1u << f->atoms; i++)
        if (cm_row(f, i) != cm_row(f, i ^ 1u << atom))
            return true;
    return false;
}

/* Random tables are hardly ever decomposable, so half of them are made from smaller ones. */
static void random_rows(struct test_rng *rng, struct cm_func *f)
{
    uint16_t inner = (uint16_t)test_rand(rng), outer = (uint16_t)test_rand(rng);
    unsigned pick[8];

    for (unsigned i = 0; i < 8; i++)
        pick[i] = test_rand_below(rng, f->atoms);
    if (f->atoms <= 4 || test_rand_below(rng, 4) == 0) {
        f->row[0] = test_rand(rng);
        f->row[1] = test_rand(rng);
        return;
    }
    for (unsigned i = 0; i < 7 && i < f->atoms; i++)
        pick[i] = i;
    for (unsigned row = 0; row < 1u << f->atoms; row++) {
        unsigned a = 0, b = 0;
        for (unsigned i = 0; i < 4; i++)
            b |= (row >> pick[i] & 1) << i;
        for (unsigned i = 0; i < 3; i++)
            a |= (row >> pick[4 + i] & 1) << i;
        a |= (unsigned)(inner >> b & 1) << 3;
        if (outer >> a & 1)
            f->row[row / 64] |= UINT64_C(1) << (row % 64);
    }
}

void want_random(struct test_rng *rng, unsigned atoms, unsigned first, unsigned signals,
                 struct cm_func *out)
{
    bool all;

    do {
        memset(out, 0, sizeof *out);
        while (out->atoms < atoms) {
            struct cm_atom atom = { (uint8_t)(first + test_rand_below(rng, signals)),
                                    test_rand_below(rng, 3) == 0 };
            if (cm_find_atom(out, atom) < 0)
                out->atom[out->atoms++] = atom;
        }
        random_rows(rng, out);
        if (atoms < 6)
            out->row[0] &= (UINT64_C(1) << (1u << atoms)) - 1;
        all = true;
        for (unsigned a = 0; a < atoms; a++)
            all = all && depends(out, a);
    } while (!all);
}

bool want_value(const struct cm_func *f, const uint64_t *now, const uint64_t *before)
{
    unsigned row = 0;

    for (unsigned a = 0; a < f->atoms; a++) {
        const uint64_t *from = f->atom[a].late ? before : now;
        unsigned s = f->atom[a].signal;
        row |= (unsigned)(from[s / 64] >> (s % 64) & 1) << a;
    }
    return cm_row(f, row);
}
