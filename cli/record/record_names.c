/* SPDX-License-Identifier: MIT */
/*
 * Names the counts of a buffer: the signals that --program's registers select, by their names;
 * without --program the counters' own names.
 */
#include "compile/compile.h"
#include "decode/decode_inputs.h"
#include "record.h"

#include <stdlib.h>
#include <string.h>

static int add_event(struct record_options *o, unsigned domain, const char *name)
{
    struct stat_event *e = NULL;
    int code = stat_add_event(&o->of, &e);

    if (code)
        return code;
    e->domain = domain;
    e->name = cli_copy(name, strlen(name));
    e->text = cli_copy("", 0);
    return e->name && e->text ? CLI_OK : cli_no_memory();
}

static size_t events_of(const struct record_options *o)
{
    return o->is_short ? 4 : RECORD_INPUTS;
}

static int name_slots(struct record_options *o)
{
    int code = CLI_OK;

    for (size_t n = 0; n < events_of(o) && code == CLI_OK; n++)
        code = add_event(o, 0, record_slot(n));
    return code;
}

/* --- a program --- */

struct program {
    struct record_options *o;
    struct decode_inputs *in;
    const struct decode_domain *found; /* NULL: none so far */
    unsigned domain;                   /* of -d */
    bool is_short, both_formats;
};

static int PC_PRINTF(2, 3) refuse(const struct program *p, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 1607, fmt, args);
    va_end(args);
    return cli_error(&err, cli_input_name(p->o->program), NULL);
}

static int find_domain(struct program *p)
{
    struct pc_error err;
    const struct cli_place place = { "--domain", p->o->domain, 0 };

    if (!p->o->domain)
        return CLI_OK;
    return pc_chip_find_domain(p->in->chip, p->o->domain, &p->domain, &err)
               ? cli_library_error_at(&err, &place)
               : CLI_OK;
}

/* Returns whether it is a configuration in record mode of the domain that is asked for. */
static int is_wanted(const struct program *p, const struct decode_domain *d, bool *wanted,
                     bool *is_short)
{
    struct pc_reg_info ctrl;
    struct pc_error err;

    if (pc_reg_find(p->in->chip, "CTRL[0]", &ctrl, &err))
        return cli_error(&err, NULL, NULL);
    *wanted = cli_field(&ctrl, "MODE", d->ctrl) == 2 &&
              (!p->o->domain || d->any.domain == (int)p->domain);
    *is_short = cli_field(&ctrl, "RECORD_FORMAT", d->ctrl) != 0;
    return CLI_OK;
}

/* Selectors of PRE, START and EVENT */
static bool same_inputs(const struct decode_domain *a, const struct decode_domain *b)
{
    return memcmp(a->src, b->src, 3 * sizeof *a->src) == 0;
}

static int look_at(struct program *p, const struct decode_domain *d)
{
    bool wanted, is_short;
    int code = is_wanted(p, d, &wanted, &is_short);

    if (code || !wanted)
        return code;
    if (p->found && p->found->any.domain != d->any.domain)
        return refuse(p, "domains %d and %d record: which one's buffer is it? Name it with -d",
                      p->found->any.domain, d->any.domain);
    if (p->found && !same_inputs(p->found, d))
        return refuse(p, "domain %d records other signals later on", d->any.domain);
    p->both_formats |= p->found && p->is_short != is_short;
    p->is_short = is_short;
    p->found = d;
    return CLI_OK;
}

static int choose(struct program *p)
{
    int code = find_domain(p);

    for (size_t i = 0; i < p->in->kepts && code == CLI_OK; i++)
        code = look_at(p, p->in->kept[i]);
    if (code)
        return code;
    if (!p->found && p->o->domain)
        return refuse(p, "domain %u is never in record mode", p->domain);
    if (!p->found)
        return refuse(p, "no domain is in record mode");
    if (p->both_formats && !p->o->has_packet_format)
        return refuse(
            p,
            "domain %d sends LONG and SHORT packets: which are these? Name it with --packet-format",
            p->found->any.domain);
    if (!p->o->has_packet_format)
        p->o->is_short = p->is_short;
    return CLI_OK;
}

static int name_inputs(const struct program *p)
{
    struct compile_names names = { .table = p->in->names };
    const unsigned domain = (unsigned)p->found->any.domain;
    struct pc_error err;
    int code = CLI_OK;

    if (compile_names_of(p->in->chip, domain, &names, &err))
        return cli_error(&err, NULL, NULL);
    for (unsigned n = 0; n < events_of(p->o) && code == CLI_OK; n++) {
        char name[PC_SIGNAL_NAME];
        compile_name(&names, p->found->src[n / 4] >> 8 * (n % 4) & 0xff, name, sizeof name);
        code = add_event(p->o, domain, name);
    }
    return code;
}

static int read_program(struct program *p)
{
    int code = decode_inputs_read(p->in, p->o->program);

    if (code == CLI_OK)
        code = cli_check_registers(p->in->chip);
    if (code == CLI_OK && !(p->in->chip->features & PC_F_RECORD))
        code = cli_error_at(1602, NULL, 0, NULL, "%s has no record mode, which G84:GF100 have",
                            p->in->chip->name);
    if (code == CLI_OK)
        code = choose(p);
    if (code == CLI_OK)
        code = cli_names_open("record", p->in->chip, &p->o->of.binds.files, &p->in->names);
    if (code == CLI_OK)
        code = name_inputs(p);
    if (code == CLI_OK)
        p->o->of.chip = p->in->chip;
    return code;
}

int record_find_names(struct record_options *o)
{
    struct program p = { .o = o };

    if (!o->program)
        return name_slots(o);
    p.in = calloc(1, sizeof *p.in);
    if (!p.in)
        return cli_no_memory();
    p.in->chip = o->has_chip ? o->of.chip : NULL;
    int code = read_program(&p);
    decode_inputs_free(p.in);
    free(p.in);
    return code;
}
