/* SPDX-License-Identifier: MIT */
/* Samples of a waveform for the card's signals: a temporary file for each domain. */
#include "card/card.h"
#include "card/feed.h"

#include <stdlib.h>
#include <string.h>

struct card_samples_of {
    struct card_samples_head head;
    FILE *file; /* has no name */
};

static struct card_samples_of *find(struct card_samples *all, const struct pc_script_samples *some)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->of[i].head.domain == some->domain)
            return &all->of[i];
    struct card_samples_of *grown = realloc(all->of, (all->count + 1) * sizeof *grown);
    if (!grown)
        return NULL;
    all->of = grown;
    grown += all->count;
    *grown = (struct card_samples_of){ .head = { .domain = some->domain,
                                                 .signals = (uint32_t)some->signals } };
    memcpy(grown->head.signal, some->signal, some->signals);
    grown->file = tmpfile();
    if (!grown->file)
        return NULL;
    fwrite(&grown->head, sizeof grown->head, 1, grown->file);
    all->count++;
    return grown;
}

enum pc_status card_samples_take(void *ctx, const struct pc_script_samples *some,
                                 struct pc_error *err)
{
    struct card_samples_of *of = find(ctx, some);
    bool whole = of != NULL;

    for (size_t word = 0; whole && word < (some->cycles + 63) / 64; word++)
        for (size_t s = 0; s < some->signals && whole; s++)
            whole = fwrite(&some->value[s][word], sizeof some->value[s][word], 1, of->file) == 1;
    if (whole) {
        of->head.cycles += some->cycles;
        return PC_OK;
    }
    *err = (struct pc_error){ .status = PC_EIO, .code = 901 };
    snprintf(err->text, sizeof err->text, "no room for the samples of the waveform");
    return PC_EIO;
}

/* Rewinds to its beginning, with the right number of cycles. */
static bool rewind_file(struct card_samples_of *of)
{
    return fseek(of->file, 0, SEEK_SET) == 0 &&
           fwrite(&of->head, sizeof of->head, 1, of->file) == 1 &&
           fseek(of->file, 0, SEEK_SET) == 0;
}

FILE *card_samples_file(struct card_samples *all, size_t i)
{
    FILE *file = i < all->count && rewind_file(&all->of[i]) ? all->of[i].file : NULL;

    if (file)
        all->of[i].file = NULL;
    return file;
}

void card_samples_free(struct card_samples *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (all->of[i].file)
            fclose(all->of[i].file);
    free(all->of);
}
