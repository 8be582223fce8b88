/* SPDX-License-Identifier: MIT */
#include "card/feed.h"

#include <stdlib.h>
#include <string.h>

/* Levels that are held ready: more than CARD_FEED_NS of a clock of 4 GHz and a word */
enum { HELD = 1 << 16, NEEDED = 1 << 15 };

struct card_feed {
    FILE *file;
    struct pc_gpu *gpu;
    struct card_samples_head head;
    const struct pc_unit *unit;
    unsigned inside; /* the domain, in the unit */
    uint64_t loaded; /* cycles read so far */
    size_t held;     /* levels ready, of which */
    size_t played;   /* ... that many are in the past */
    uint64_t cycle;  /* of the domain, before time passes */
    bool over;
    uint8_t *level; /* HELD of each signal */
};

static enum pc_status fail(enum pc_status status, const char *text, struct pc_error *err)
{
    *err = (struct pc_error){ .status = status, .code = status == PC_ENOMEM ? 100 : 901 };
    snprintf(err->text, sizeof err->text, "%s", text);
    return status;
}

enum pc_status card_feed_open(FILE *file, struct pc_gpu *gpu, struct card_feed **out,
                              struct pc_error *err)
{
    struct card_feed *f = calloc(1, sizeof *f);
    struct pc_gpu_domain_info info;

    if (!f)
        return fail(PC_ENOMEM, "no memory for a waveform", err);
    if (fread(&f->head, sizeof f->head, 1, file) != 1 ||
        f->head.domain >= pc_gpu_domain_count(gpu) || f->head.signals == 0 ||
        f->head.signals > PC_MAX_SIGNALS) {
        free(f);
        return fail(PC_EINPUT, "samples of a waveform without a head", err);
    }
    f->level = malloc((size_t)f->head.signals * HELD);
    if (!f->level) {
        free(f);
        return fail(PC_ENOMEM, "no memory for a waveform", err);
    }
    pc_gpu_get_domain_info(gpu, f->head.domain, &info);
    f->unit = info.unit;
    f->inside = info.domain;
    f->file = file;
    f->gpu = gpu;
    *out = f;
    return PC_OK;
}

void card_feed_close(struct card_feed *f)
{
    if (!f)
        return;
    fclose(f->file);
    free(f->level);
    free(f);
}

/* Drops the samples that were played. */
static void move_up(struct card_feed *f)
{
    for (uint32_t s = 0; s < f->head.signals; s++) {
        uint8_t *level = f->level + (size_t)s * HELD;
        memmove(level, level + f->played, f->held - f->played);
    }
    f->held -= f->played;
    f->played = 0;
}

/* Loads the next 64 cycles, or the last ones. */
static bool load_word(struct card_feed *f)
{
    const uint64_t left = f->head.cycles - f->loaded;
    const size_t cycles = left < 64 ? (size_t)left : 64;
    uint64_t word[PC_MAX_SIGNALS];

    if (fread(word, sizeof word[0], f->head.signals, f->file) != f->head.signals)
        return false;
    for (uint32_t s = 0; s < f->head.signals; s++)
        for (size_t t = 0; t < cycles; t++)
            f->level[(size_t)s * HELD + f->held + t] = word[s] >> t & 1;
    f->held += cycles;
    f->loaded += cycles;
    return true;
}

enum pc_status card_feed_before(struct card_feed *f, bool *over, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    f->cycle = pc_unit_cycle(f->unit, f->inside);
    *over = f->over;
    if (f->over || (f->held - f->played >= NEEDED && f->held > 0))
        return PC_OK;
    move_up(f);
    while (f->loaded < f->head.cycles && f->held <= HELD - 64)
        if (!load_word(f))
            return fail(PC_EIO, "samples of the waveform cannot be read", err);
    for (uint32_t s = 0; s < f->head.signals && !status; s++)
        status = pc_gpu_play(f->gpu, f->head.domain, f->head.signal[s], f->level + (size_t)s * HELD,
                             f->held, err);
    *over = f->over = f->loaded == f->head.cycles; /* the device plays on by itself */
    return status;
}

/* An access may reset the count of cycles, but no time does. */
void card_feed_after(struct card_feed *f)
{
    const uint64_t gone = pc_unit_cycle(f->unit, f->inside) - f->cycle;

    f->played = gone < f->held - f->played ? f->played + (size_t)gone : f->held;
}
