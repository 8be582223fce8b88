/* SPDX-License-Identifier: MIT */
/* Variables of a waveform one after the other, vectors of single bits among them. */
#include "wave/wave_bits.h"

#include <stdint.h>

static void look_ahead(struct cli_wave_vars *v)
{
    if (pc_wave_get_vector(v->wave, v->vector++, &v->next, &v->ahead) != PC_OK)
        v->ahead = SIZE_MAX;
}

void cli_wave_vars_begin(struct cli_wave_vars *v, const struct pc_wave *wave)
{
    *v = (struct cli_wave_vars){ .wave = wave };
    look_ahead(v);
}

bool cli_wave_vars_next(struct cli_wave_vars *v, struct pc_wave_var *out)
{
    v->first = v->var;
    v->bits = 0;
    if (v->var == v->ahead) {
        *out = v->next;
        v->bits = v->next.width;
        v->var += v->bits;
        look_ahead(v);
        return true;
    }
    return pc_wave_get_var(v->wave, v->var++, out) == PC_OK;
}
