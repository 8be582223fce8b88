/* SPDX-License-Identifier: MIT */
/* Units in benches. */
#include "bench_unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pc_unit *bench_unit(const struct pc_unit_desc *desc)
{
    struct pc_unit *unit;
    struct pc_error err;

    if (pc_unit_create(desc, &unit, &err) == PC_OK)
        return unit;
    fprintf(stderr, "%s\n", err.text);
    exit(2);
}

uint64_t bench_digest(const struct pc_unit *unit, uint64_t h)
{
    size_t size = pc_unit_state_size(unit);
    unsigned char *state = malloc(size);

    if (!state)
        exit(2);
    pc_unit_save(unit, state);
    for (size_t i = 0; i < size; i++)
        h = (h ^ state[i]) * 1099511628211u;
    free(state);
    return h;
}

void bench_step(struct pc_unit *unit, const uint64_t *const *plane, unsigned n, size_t words)
{
    uint64_t raw[PC_MAX_DOMAINS][PC_SIG_WORDS] = { { 0 } };

    for (size_t t = 0; t < words * 64; t++) {
        raw[0][0] = 0;
        for (unsigned s = 0; s < n; s++)
            raw[0][0] |= (plane[s][t / 64] >> (t % 64) & 1) << s;
        pc_unit_step(unit, 1, (const uint64_t(*)[PC_SIG_WORDS])raw);
    }
}

/* Word by word, as it was written: a wider load would wait until that is in the cache. */
static uint64_t word(const uint8_t *data, size_t i)
{
    uint64_t w;

    memcpy(&w, data + 8 * i, sizeof w);
    return w;
}

enum pc_mem_result bench_take(void *sink, unsigned domain, uint64_t address, const uint8_t *data,
                              size_t size)
{
    struct bench_sink *s = sink;

    (void)size; /* all of them are long */
    s->packets++;
    s->digest ^= word(data, 0) + word(data, 1) * UINT64_C(0xbf58476d1ce4e5b9) +
                 word(data, 2) * UINT64_C(0x94d049bb133111eb) +
                 word(data, 3) * UINT64_C(0xd6e8feb86659fd93);
    s->digest *= UINT64_C(0x9e3779b97f4a7c15);
    s->digest ^= address + domain;
    return PC_MEM_OK;
}
