/* SPDX-License-Identifier: MIT */
/* The signals of a cut and their declarations; a VCD has fewer types than other formats. */
#include "record/record_cut.h"

#include "text/regs_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- which --- */

static bool is_chosen(const struct cut *c, const char *name)
{
    return cli_matches_one(c->o->glob, c->o->globs, name);
}

static bool is_text(const struct pc_wave_var *v)
{
    return v->kind == PC_VAR_BITS && v->width == 8 * PC_WAVE_TEXT && strcmp(v->type, "string") == 0;
}

/* A tap of a running simulation sends no reals and events for this. */
static enum cut_form form_of(const struct cut *c, const struct pc_wave_var *v)
{
    const bool tap = c->info.format == PC_WAVE_TAP;

    switch (v->kind) {
    case PC_VAR_REAL:
        return tap ? CUT_NOT : CUT_REAL;
    case PC_VAR_EVENT:
        return tap ? CUT_NOT : CUT_EVENT;
    case PC_VAR_BITS:
        return is_text(v) ? CUT_TEXT : v->width ? CUT_BITS : CUT_NOT;
    default:
        return CUT_NOT;
    }
}

static uint32_t width_of(enum cut_form form, const struct pc_wave_var *v)
{
    return form == CUT_REAL ? 64 : form == CUT_EVENT ? 1 : v->width;
}

/* Returns the variable's own name, without that of its scope. */
static const char *own_name(const struct cut *c, size_t var, const struct pc_wave_var *v)
{
    const size_t scope = pc_wave_scope_length(c->wave, var);

    return v->name + scope + (scope > 0);
}

/* Returns a type that readers of VCD know; of others the nearest one with the same meaning of its
 * bits. */
static const char *type_of(const struct pc_wave_var *v)
{
    static const char *const known[] = { "parameter", "real_parameter", "realtime", "reg",
                                         "supply0",   "supply1",        "time",     "tri",
                                         "triand",    "trior",          "trireg",   "tri0",
                                         "tri1",      "wand",           "wor",      "bit",
                                         "logic",     "enum",           "shortreal" };
    static const char *const with_sign[] = { "integer", "int", "shortint", "longint", "byte" };
    bool sign = false;

    for (size_t i = 0; i < sizeof with_sign / sizeof with_sign[0]; i++) {
        if (strcmp(v->type, with_sign[i]) != 0)
            continue;
        sign = true;
        if (v->is_signed || v->width <= 1)
            return with_sign[i];
    }
    if (v->kind == PC_VAR_EVENT)
        return "event";
    if (is_text(v))
        return "string";
    if (v->is_signed)
        return "integer";
    for (size_t i = 0; !sign && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(v->type, known[i]) == 0)
            return known[i];
    return v->kind == PC_VAR_REAL ? "real" : "wire";
}

/* Finds the next variable of the cut from *at on; false past the last. */
static bool next_chosen(const struct cut *c, size_t *at, struct pc_wave_var *v)
{
    for (; pc_wave_get_var(c->wave, *at, v) == PC_OK; ++*at)
        if (is_chosen(c, v->name) && form_of(c, v) != CUT_NOT && own_name(c, *at, v)[0])
            return true;
    return false;
}

int cut_find(struct cut *c)
{
    struct pc_wave_var v;
    size_t streams = 0, at;

    c->codes = c->info.codes;
    c->net = calloc(c->codes + 1, sizeof *c->net);
    if (!c->net)
        return cli_no_memory();
    for (at = 0; pc_wave_get_var(c->wave, at, &v) == PC_OK; at++)
        c->no_bits +=
            is_chosen(c, v.name) && (form_of(c, &v) == CUT_NOT || own_name(c, at, &v)[0] == '\0');
    for (at = 0; next_chosen(c, &at, &v); at++) {
        struct cut_net *n = &c->net[v.code];
        const char *name, *digits;
        c->chosen++;
        c->retyped += strcmp(type_of(&v), v.type) != 0;
        c->enumerated += pc_wave_get_value_name(c->wave, at, 0, &name, &digits) == PC_OK;
        if (n->form != CUT_NOT)
            continue;
        n->form = (uint8_t)form_of(c, &v);
        n->number = streams++;
        n->width = width_of(form_of(c, &v), &v);
        n->at = c->words;
        c->words += 2 * (((size_t)n->width + 63) / 64);
    }
    c->word = calloc(c->words + 1, sizeof *c->word);
    return c->word ? CLI_OK : cli_no_memory();
}

/* --- times --- */

int cut_find_scale(struct cut *c)
{
    struct pc_error err;

    c->scale = cli_time_scale(&c->info);
    if (c->scale.unknown || (c->scale.exponent >= -15 && c->scale.exponent <= 2))
        return CLI_OK;
    cli_fail(&err, 1609, "its time unit is %" PRIu64 " * 10^%d s", c->info.timescale_factor,
             c->info.timescale_exponent);
    return cli_error(&err, cli_input_name(c->o->file), NULL);
}

/* --- declarations --- */

/* Returns the bytes at the begin of two paths that are the same scopes; of one its end counts as a
 * dot. */
static size_t common_scopes(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t same = 0;

    for (size_t i = 0; i <= a_length && i <= b_length; i++) {
        const char x = i < a_length ? a[i] : '.', y = i < b_length ? b[i] : '.';
        if (x != y)
            break;
        if (x == '.')
            same = i;
    }
    return same;
}

/* Parts of a path between dots. */
static size_t parts(const char *path, size_t from, size_t length)
{
    size_t n = 0;

    for (size_t i = from; i < length; i++)
        n += path[i] != '.' && (i == from || path[i - 1] == '.');
    return n;
}

static void put_part(FILE *out, const char *name, size_t length)
{
    char part[4096];

    length = length < sizeof part ? length : sizeof part - 1;
    memcpy(part, name, length);
    part[length] = '\0';
    fputs("$scope module ", out);
    vcd_put_name(out, part);
    fputs(" $end\n", out);
}

/* Goes from the scope of one variable to that of the next one. */
static void change_scope(FILE *out, const char *was, size_t was_length, const char *now,
                         size_t now_length)
{
    const size_t same = common_scopes(was, was_length, now, now_length);

    for (size_t n = parts(was, same, was_length); n > 0; n--)
        fputs("$upscope $end\n", out);
    for (size_t at = same; at < now_length;) {
        const char *dot = memchr(now + at, '.', now_length - at);
        const size_t end = dot ? (size_t)(dot - now) : now_length;
        if (end > at)
            put_part(out, now + at, end - at);
        at = end + 1;
    }
}

/* Reports names of values, which a VCD has no other place for. */
static void tell_enumeration(const struct cut *c, size_t var, const struct pc_wave_var *v)
{
    const char *name, *digits;

    for (size_t i = 0; pc_wave_get_value_name(c->wave, var, i, &name, &digits) == PC_OK; i++) {
        fputs(i ? ", " : "$comment values of ", c->out);
        if (i == 0) {
            vcd_put_comment(c->out, v->name);
            fputs(": ", c->out);
        }
        fprintf(c->out, "%s ", digits);
        vcd_put_comment(c->out, name);
    }
    if (pc_wave_get_value_name(c->wave, var, 0, &name, &digits) == PC_OK)
        fputs(" $end\n", c->out);
}

static void declare(struct cut *c, size_t var, const struct pc_wave_var *v)
{
    const char *type = type_of(v);

    tell_enumeration(c, var, v);
    fprintf(c->out, "$var %s %" PRIu32 " ", type, is_text(v) ? 1 : c->net[v->code].width);
    vcd_put_code(c->out, c->net[v->code].number);
    fputc(' ', c->out);
    vcd_put_name(c->out, own_name(c, var, v));
    fprintf(c->out, "%s%s $end\n", v->range[0] ? " " : "", v->range);
}

static void put_text(FILE *out, const char *keyword, const char *text)
{
    if (!text[0])
        return;
    fprintf(out, "%s ", keyword);
    vcd_put_comment(out, text);
    fputs(" $end\n", out);
}

void cut_declare(struct cut *c)
{
    const char *was = "";
    size_t was_length = 0, at;
    struct pc_wave_var v;

    put_text(c->out, "$date", c->info.date);
    fprintf(c->out, "$version pcounter %s $end\n", pc_version());
    put_text(c->out, "$comment made by", c->info.version);
    if (!c->scale.unknown)
        vcd_put_timescale(c->out, c->scale.exponent);
    for (at = 0; next_chosen(c, &at, &v); at++) {
        const size_t length = pc_wave_scope_length(c->wave, at);
        change_scope(c->out, was, was_length, v.name, length);
        declare(c, at, &v);
        was = v.name;
        was_length = length;
    }
    change_scope(c->out, was, was_length, "", 0);
    fputs("$enddefinitions $end\n", c->out);
}
