/* SPDX-License-Identifier: MIT */
/*
 * How shared counts go through a stretch: tile by tile, in the first-level cache or, where jobs
 * take long to begin, in the second-level one; while one is counted, memory is asked for what
 * comes.  Where a tile's planes would not stay in that cache as they lie, they are put together
 * first.
 */
#include "engine/engine.h"

#include <string.h>

/*
 * FIRST_BYTES: of planes in a first-level cache, what is known of each job beside them;
 * TILE_BYTES: in half of a second-level one.
 */
enum { FIRST_BYTES = 32 * 1024, TILE_BYTES = 256 * 1024 };
enum { LEAST_WORDS = 128, MOST_WORDS = 448, STEP = 64, LINE_WORDS = 8, LINE_BYTES = 64 };
/* Of memory, at once: more would wait for each other, and with fewer to call the kernel shows. */
enum { ASKED_WORDS = 256 };
/* Of a first-level cache: a line's place, and how many lines of planes may have the same one. */
enum { SETS = 64, WAYS = 9 };

uint64_t *eg_share_place(struct eg_share *s, unsigned place)
{
    const uintptr_t beyond = (uintptr_t)s->stage / sizeof(uint64_t) % LINE_WORDS;

    return s->stage + (LINE_WORDS - beyond) % LINE_WORDS + place * s->tile;
}

/*
 * Would a tile of all planes be in the first-level cache as it lies: lines that begin alike, and
 * none of the cache's places with too many of them?
 */
static bool lie_well(const struct eg_share *s, size_t words)
{
    unsigned lines[SETS] = { 0 };

    if (words * s->planes * sizeof(uint64_t) > FIRST_BYTES)
        return false;
    for (unsigned i = 0; i < s->planes; i++) {
        const uintptr_t at = (uintptr_t)s->staged[i], line = at / LINE_BYTES;
        if ((at ^ (uintptr_t)s->staged[0]) % LINE_BYTES != 0)
            return false;
        for (size_t k = 0; k < words / LINE_WORDS; k++)
            if (++lines[(line + k) % SETS] > WAYS)
                return false;
    }
    return true;
}

/*
 * A tile is put together: planes may lie where the cache has one place for all of them, and across
 * its lines.  It is as long as the first-level cache allows, or as jobs want it.
 */
void eg_share_choose_tile(struct eg_share *s, const struct pc_kernel *k, size_t length, size_t most)
{
    const size_t planes = s->planes + 1, room = EG_STAGE_WORDS / planes / STEP * STEP;
    size_t words = FIRST_BYTES / sizeof(uint64_t) / planes / STEP * STEP;

    words = words < k->tile ? k->tile : words;
    words = words < room ? words : room;
    s->asks = length >= EG_SHARE_LONG && words > 0;
    s->stages = s->asks && !lie_well(s, words);
    if (!s->asks) {
        words = TILE_BYTES / sizeof(uint64_t) / planes / STEP * STEP;
        words = words < LEAST_WORDS ? LEAST_WORDS : words;
    }
    words = words < MOST_WORDS ? words : MOST_WORDS;
    s->tile = words < most ? words : most;
}

static void put_on_stage(struct eg_share *s, size_t first, size_t words)
{
    for (unsigned i = 0; i < s->planes; i++)
        memcpy(eg_share_place(s, i), s->staged[i] + first, words * sizeof(uint64_t));
}

/* Of one that may end before. */
static void ask(const uint64_t *plane, size_t first, size_t words)
{
    for (size_t w = first; w < first + words; w += LINE_WORDS)
        __builtin_prefetch((const void *)((uintptr_t)plane + w * sizeof *plane), 0, 2);
}

/* All jobs; memory is asked for the next tile, or the one after it, a few planes at a time. */
static void asking_jobs(struct pc_engine *e, size_t first, size_t words)
{
    struct eg_share *s = &e->share;
    const unsigned few = s->tile < ASKED_WORDS ? (unsigned)(ASKED_WORDS / s->tile) : 1;

    for (unsigned i = 0, end; i < s->planes; i = end) {
        end = i + few < s->planes ? i + few : s->planes;
        const unsigned from = i * s->jobs / s->planes, to = end * s->jobs / s->planes;
        for (unsigned k = i; k < end; k++)
            ask(s->staged[k], first + (s->stages ? 2 : 1) * s->tile, s->tile);
        e->kernel->jobs(s->job + from, to - from, s->stages ? 0 : first, words);
    }
}

static void tile(struct pc_engine *e, size_t first, size_t words)
{
    struct eg_share *s = &e->share;

    if (s->stages)
        put_on_stage(s, first, words);
    for (unsigned i = 1; i < s->pairs; i++)
        e->kernel->pairs(&s->pair[i], s->stages ? 0 : first, words);
    if (s->asks)
        asking_jobs(e, first, words);
    else
        e->kernel->jobs(s->job, s->jobs, first, words);
}

/* Where the next tile begins: most planes, as they are alike, then at the beginning of a line. */
static size_t next_tile(const struct eg_share *s, size_t word)
{
    const size_t next = word + s->tile;

    if (!s->asks || s->tile % LINE_WORDS != 0)
        return next;
    return next - ((uintptr_t)s->staged[0] / sizeof(uint64_t) + next) % LINE_WORDS;
}

void eg_share_tiles(struct pc_engine *e, size_t first, size_t end)
{
    for (size_t word = first, next; word < end; word = next) {
        next = next_tile(&e->share, word);
        next = next < end ? next : end;
        tile(e, word, next - word);
    }
}
