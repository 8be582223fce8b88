/* SPDX-License-Identifier: MIT */
/*
 * Signals of a chip in a waveform: --bind says which vector has the signals of a domain, and then
 * they have the names of `pcounter list signals`.  Names of the waveform come first.
 */
#include "stat.h"

#include <stdlib.h>
#include <string.h>

int stat_bind_add(struct stat_options *o, const char *argument)
{
    struct stat_binds *b = &o->binds;

    if (b->count == STAT_BINDS)
        return cli_usage(o->verb->name, "--bind: %d domains at most", STAT_BINDS);
    b->bind[b->count++].argument = argument;
    return CLI_OK;
}

/* DOMAIN=VECTOR */
static int open_bind(struct stat_job *j, const struct pc_wave *wave, struct stat_bind *b)
{
    struct cli_place place = { "--bind", b->argument, 0 };
    size_t n = strcspn(b->argument, "=");
    struct pc_error err;
    char domain[32];

    if (n == 0 || n >= sizeof domain || b->argument[n] == '\0' || b->argument[n + 1] == '\0')
        return cli_usage(j->o->verb->name,
                         "--bind takes DOMAIN=VECTOR like 1=top.signals, not \"%s\"", b->argument);
    snprintf(domain, sizeof domain, "%.*s", (int)n, b->argument);
    enum pc_status status = pc_chip_find_domain(j->chip, domain, &b->domain, &err);
    if (status == PC_OK) {
        place.offset = (uint32_t)n + 1;
        status = stat_find_bits(wave, b->argument + n + 1, b->bit, PC_MAX_SIGNALS, &b->bits, &err);
    }
    if (status == PC_OK)
        return CLI_OK;
    err.line = 1;
    err.column = 1;
    return cli_library_error_at(&err, &place);
}

int stat_bind_open(struct stat_job *j, const struct pc_wave *wave)
{
    struct stat_binds *b = &j->binds;
    int code = CLI_OK;

    if (b->count == 0)
        return b->files.count ? cli_usage(j->o->verb->name,
                                          "--signals names the signals of a domain: with --bind")
                              : CLI_OK;
    b->chip = j->chip;
    code = cli_check_registers(j->chip);
    if (code == CLI_OK)
        code = cli_names_open(j->o->verb->name, j->chip, &b->files, &b->names);
    for (size_t i = 0; i < b->count && code == CLI_OK; i++)
        code = open_bind(j, wave, &b->bind[i]);
    return code;
}

void stat_bind_close(struct stat_binds *b)
{
    pc_names_close(b->names);
}

static enum pc_status refuse(struct pc_error *err, unsigned code, const char *hint)
{
    err->status = pc_explain(code)->status;
    err->code = code;
    snprintf(err->hint, sizeof err->hint, "%s", hint);
    return err->status;
}

/* Is the signal there?  A name that is probably wrong is used all the same. */
static enum pc_status check(struct stat_binds *b, struct stat_bind *at, const struct pc_signal *s,
                            const char *name, struct pc_error *err)
{
    uint64_t bit = UINT64_C(1) << s->position % 64, *told = &at->told[s->position / 64];

    *err = (struct pc_error){ .code = 0 };
    if (s->kind != PC_SIG_RAW) {
        snprintf(err->text, sizeof err->text, "%.60s is driven by the counter unit", name);
        return refuse(err, 1409, "`pcounter run` with a wave counts with such signals");
    }
    if (s->position >= at->bits || s->position >= PC_MAX_SIGNALS) {
        snprintf(err->text, sizeof err->text, "%.60s is signal s%02x, and %.100s has %s", name,
                 s->position, at->argument, cli_count(at->bits, "bit"));
        return refuse(err, 1403, "");
    }
    if (s->confidence == PC_CONF_SUSPECT && !(*told & bit))
        cli_note(205, "%s is SUSPECT: probably not signal s%02x of %s", name, s->position,
                 b->chip->name);
    *told |= bit;
    return PC_OK;
}

/* Finds a name that is not in the waveform among the signals of bound domains.  *err holds that
 * error, and keeps it if no domain has the name. */
enum pc_status stat_bind_find(struct stat_binds *b, const char *name, struct pc_wave_bit *bit,
                              struct pc_error *err)
{
    struct pc_signal signal = { .position = 0 }, s;
    struct stat_bind *bind = NULL;
    struct pc_error other;

    for (size_t i = 0; i < b->count; i++) {
        enum pc_status status = pc_names_find(b->names, b->bind[i].domain, name, &s, &other);
        if (status == PC_OK && bind) {
            snprintf(err->text, sizeof err->text, "domains %.20s and %.20s both have \"%.60s\"",
                     bind->argument, b->bind[i].argument, name);
            return refuse(err, 1401, "bind one of them, or name the bit of the vector");
        }
        if (status == PC_OK) {
            bind = &b->bind[i];
            signal = s;
        } else if (cli_suggests(&other)) {
            memcpy(err->hint, other.hint, sizeof err->hint);
        }
    }
    if (!bind)
        return err->status;
    enum pc_status status = check(b, bind, &signal, name, err);
    if (status == PC_OK)
        *bit = bind->bit[signal.position];
    return status;
}
