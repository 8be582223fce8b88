/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "settle/settle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PACE = 500 }; /* cycles of an access: a microsecond at 500 MHz, as on `pcounter card` */

/* ---- the script ---- */

struct maker {
    const struct experiment *e;
    const struct pc_chip *chip;
    const struct settle_memory *memory;
    struct pc_names *names;
    FILE *out;
};

/* Returns the signals that a line names, as the word that selects them. */
static enum pc_status selected(const struct maker *m, const char *at, const char *end,
                               uint32_t *value, struct pc_error *err)
{
    char text[100], *save = NULL;
    unsigned shift = 0;

    snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
    const char *word = strtok_r(text, " ", &save);
    const unsigned domain = word ? (unsigned)strtoul(word, NULL, 10) : 0;
    *value = 0;
    while (word && (word = strtok_r(NULL, " ", &save)) && shift < 32) {
        struct pc_signal signal;
        const enum pc_status status = pc_names_find(m->names, domain, word, &signal, err);
        if (status)
            return status;
        *value |= signal.position << shift;
        shift += 8;
    }
    return PC_OK;
}

/* Reads the text after #= in a line: parts with ; between them. */
struct notes {
    const char *begin; /* NULL: nothing */
    const char *src, *src_end;
    bool channel, buffer, left_out;
};

static struct notes notes_of(const struct maker *m, const char *line, const char *end)
{
    struct notes n = { .begin = NULL };

    for (const char *p = line; p + 2 < end && !n.begin; p++)
        if (p[0] == '#' && p[1] == '=')
            n.begin = p + 2;
    for (const char *p = n.begin, *stop; p && p < end; p = stop + 1) {
        stop = memchr(p, ';', (size_t)(end - p));
        stop = stop ? stop : end;
        while (p < stop && *p == ' ')
            p++;
        if (strncmp(p, "src ", 4) == 0) {
            n.src = p + 4;
            n.src_end = stop;
        }
        n.channel |= strncmp(p, "channel", 7) == 0;
        n.buffer |= strncmp(p, "buffer", 6) == 0;
        n.left_out |= strncmp(p, "only ", 5) == 0 && !settle_in_chips(p + 5, stop, m->chip);
    }
    return n;
}

/* Makes a line, with its value replaced if its notes say so. */
static enum pc_status make_line(const struct maker *m, const char *line, const char *end,
                                struct pc_error *err)
{
    const struct notes n = notes_of(m, line, end);
    uint32_t value = n.channel ? m->memory->channel : m->memory->buffer;

    if (n.left_out)
        return PC_OK;
    if (strncmp(line, "chip ", 5) == 0) {
        fprintf(m->out, "chip %s\n", m->chip->name);
    } else if (n.src || ((n.channel || n.buffer) && m->memory->given)) {
        const enum pc_status status = n.src ? selected(m, n.src, n.src_end, &value, err) : PC_OK;
        if (status)
            return status;
        fprintf(m->out, "w %06" PRIx32 " %08" PRIx32 " #=%.*s\n",
                (uint32_t)strtoul(line + 2, NULL, 16), value, (int)(end - n.begin), n.begin);
    } else {
        fprintf(m->out, "%.*s\n", (int)(end - line), line);
    }
    return PC_OK;
}

int settle_script(const struct experiment *e, const struct pc_chip *chip,
                  const struct settle_memory *memory, char **out)
{
    struct maker m = { .e = e, .chip = chip, .memory = memory };
    struct pc_error err;
    size_t size = 0;
    enum pc_status status = pc_names_open(NULL, chip, &m.names, &err);

    *out = NULL;
    m.out = status ? NULL : open_memstream(out, &size);
    if (!status && !m.out) {
        pc_names_close(m.names);
        return cli_no_memory();
    }
    for (const char *line = e->text; !status && *line;) {
        const char *end = line + strcspn(line, "\n");
        status = make_line(&m, line, end, &err);
        line = end + (*end == '\n');
    }
    pc_names_close(m.names);
    if (m.out && !cli_collected(m.out, out)) {
        free(*out);
        *out = NULL;
        return cli_no_memory();
    }
    if (!status)
        return CLI_OK;
    free(*out);
    *out = NULL;
    return cli_error(&err, e->name, NULL);
}

/* ---- runs ---- */

struct run {
    const struct experiment *e;
    const char *value; /* of the option; NULL: none is set */
    struct settle_reading *out;
    size_t reads;
};

static void add_sign(struct settle_reading *o, const struct settle_read *r, uint32_t value)
{
    const uint32_t before = o->words > 1 ? o->word[o->words - 2] : 0;

    switch (r->kind) {
    case SETTLE_NOTHING:
        return;
    case SETTLE_BITS:
        o->sign[o->signs++] = value & r->mask;
        return;
    case SETTLE_IS:
        o->sign[o->signs++] = ((value ^ r->value) & r->mask) == 0;
        return;
    case SETTLE_SAME:
        o->sign[o->signs++] = value == before;
        return;
    }
}

static void at_access(void *ctx, const struct pc_script_access *access)
{
    struct run *r = ctx;

    if (access->write || access->repeated || r->reads >= r->e->reads)
        return;
    r->out->word[r->out->words++] = access->value;
    add_sign(r->out, &r->e->read[r->reads++], access->value);
}

static enum pc_status prepare(void *ctx, struct pc_gpu *gpu, struct pc_error *err)
{
    const struct run *r = ctx;
    enum pc_status status = PC_OK;

    if (!r->e->together)
        pc_gpu_latency(gpu, PACE, PACE);
    else
        pc_gpu_latency(gpu, 0, 0);
    if (r->e->has_idle && pc_gpu_idle(gpu))
        status = pc_gpu_set_idle(gpu, r->e->idle, err);
    if (!status && r->value)
        status = pc_gpu_option(gpu, r->e->option->name, r->value, err);
    return status;
}

enum pc_status settle_predict(const struct experiment *e, const struct pc_chip *chip,
                              const char *script, size_t answer, struct settle_reading *out,
                              struct pc_error *err)
{
    struct run r = { .e = e, .value = e->option ? e->answer[answer].name : NULL, .out = out };
    const struct pc_script_desc desc = {
        .text = script, .size = strlen(script), .prepare = prepare, .access = at_access
    };
    struct pc_script_result result;

    (void)chip;
    *out = (struct settle_reading){ .words = 0 };
    if (e->option || answer == 0)
        return pc_script_run(&desc, NULL, &r, &result, err);
    out->signs = e->answer[answer].signs; /* the words that the file says */
    memcpy(out->sign, e->answer[answer].sign, sizeof out->sign);
    return PC_OK;
}

/* Between accesses of a card: may it go on? */
static enum pc_status at_place(void *ctx, const struct pc_script_place *place, struct pc_error *err)
{
    (void)ctx;
    (void)place;
    if (!pci_stopped())
        return PC_OK;
    *err = (struct pc_error){ .status = PC_EIO };
    return PC_EIO;
}

enum pc_status settle_measure(const struct experiment *e, struct pci_card *card, const char *script,
                              struct settle_reading *out, struct pc_error *err)
{
    struct run r = { .e = e, .out = out };
    const struct pc_script_port port = pci_port(card);
    const struct pc_script_desc desc = { .text = script,
                                         .size = strlen(script),
                                         .access = at_access,
                                         .place = at_place,
                                         .port = &port };
    struct pc_script_result result;

    *out = (struct settle_reading){ .words = 0 };
    const enum pc_status status = pc_script_run(&desc, NULL, &r, &result, err);
    pci_restore(card);
    return status;
}
