/* SPDX-License-Identifier: MIT */
/*
 * SAIF 2.0 (backward): scopes as instances, each bit a net with its times and toggles.  x is TX, z
 * is TZ; glitches (IG) have no width in a waveform, so there are none.
 *
 *     (SAIFILE
 *       (SAIFVERSION "2.0")
 *       ...
 *       (INSTANCE tb
 *         (NET
 *           (clk (T0 498) (T1 502) (TX 0) (TZ 0) (TC 200) (IG 0))
 *         )
 *         (INSTANCE dut
 *           ...
 *
 * All names of a net are there, since tools look for it in the instance that they read.
 */
#include "activity/activity.h"
#include "text/chars.h"

#include <stdlib.h>
#include <string.h>

/* A variable, and where its own name begins in its path. */
struct place {
    const char *path;
    size_t scope; /* bytes of the path without the dot before the name; 0: it is in no scope */
    size_t var;
};

struct writer {
    FILE *out;
    const struct activity_run *run;
    struct place *place;
    size_t places;
    unsigned depth; /* instances that are open */
    struct odd_names *odd;
};

/* Names that OpenSTA does not read. */
struct odd_names {
    size_t count;
    char first[64];
};

int activity_check_saif(const struct activity_run *run)
{
    struct pc_error err;

    if (run->scale[0])
        return CLI_OK;
    cli_fail(&err, 911,
             run->info.sampled ? "times are samples, and SAIF has no unit for them"
                               : "the waveform has no time unit that SAIF has");
    return cli_error(&err, cli_input_name(run->o->file), NULL);
}

/* --- names --- */

/* Tells whether OpenSTA reads the name: its SaifLex.ll has [A-Za-z_][A-Za-z0-9_$\[\]\\.]*. */
static bool opensta_reads(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        const bool begins = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        const bool follows = cli_is_digit(c) || strchr("$[].\\", c);
        if (!begins && (i == 0 || !follows))
            return false;
    }
    return true;
}

/* Letters, digits and _ stand for themselves, a backslash before all else. */
static void put_marked(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        fprintf(out, cli_is_word(text[i]) || (unsigned char)text[i] >= 0x80 ? "%c" : "\\%c",
                text[i]);
}

/*
 * A blank is _, what may not be shown \xHH as elsewhere.  Verilog's mark of an escaped name is no
 * part of it.
 */
static void put_name(const struct writer *w, const char *name, size_t length)
{
    const bool escaped = length > 1 && name[0] == '\\' && name[length - 1] != '\\';
    FILE *out = w->out;
    char hidden[CLI_HIDDEN];

    if (!opensta_reads(name + escaped, length - escaped) && w->odd->count++ == 0)
        snprintf(w->odd->first, sizeof w->odd->first, "%.*s", (int)(length - escaped),
                 name + escaped);
    for (size_t i = escaped; i < length;) {
        size_t n = cli_character(name + i);
        if (n == 0) {
            n = cli_hidden(name + i, hidden);
            put_marked(out, hidden, strlen(hidden));
        } else if (name[i] == ' ') {
            fputc('_', out);
        } else {
            put_marked(out, name + i, n);
        }
        i += n;
    }
}

/* The end of the first name of a path of so many bytes: up to a dot. */
static size_t part_of(const char *path, size_t length)
{
    const char *dot = memchr(path, '.', length);

    return dot ? (size_t)(dot - path) : length;
}

/* Scopes in an order in which those that are inside of one follow it. */
static int by_scope(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    size_t i = 0;

    while (i < x->scope && i < y->scope && x->path[i] == y->path[i])
        i++;
    const int left = i == x->scope ? -2 : x->path[i] == '.' ? -1 : (unsigned char)x->path[i];
    const int right = i == y->scope ? -2 : y->path[i] == '.' ? -1 : (unsigned char)y->path[i];
    if (left != right)
        return left < right ? -1 : 1;
    return x->var < y->var ? -1 : x->var > y->var;
}

static bool find_places(struct writer *w)
{
    struct pc_wave_var v;

    w->place = calloc(w->run->info.vars + 1, sizeof *w->place);
    for (size_t i = 0; w->place && pc_wave_get_var(w->run->wave, i, &v) == PC_OK; i++) {
        if (v.kind == PC_VAR_BITS && v.width > 0 && w->run->nets.width[v.code] > 0 &&
            strcmp(v.type, "parameter") != 0)
            w->place[w->places++] =
                (struct place){ v.name, pc_wave_scope_length(w->run->wave, i), i };
    }
    if (w->place)
        qsort(w->place, w->places, sizeof *w->place, by_scope);
    return w->place != NULL;
}

/* --- the tree --- */

static void indent(const struct writer *w)
{
    fprintf(w->out, "%*s", (int)(2 * (w->depth + 1)), "");
}

static void open_instance(struct writer *w, const char *name, size_t length)
{
    indent(w);
    fputs("(INSTANCE ", w->out);
    put_name(w, name, length);
    fputc('\n', w->out);
    w->depth++;
}

static void close_instance(struct writer *w)
{
    w->depth--;
    indent(w);
    fputs(")\n", w->out);
}

/* Bytes of the scopes that both have, whole names alone, and how many these are. */
static size_t common(const struct place *a, const struct place *b, unsigned *names)
{
    size_t at = 0;

    *names = 0;
    while (a && at < a->scope && at < b->scope) {
        const size_t n = part_of(a->path + at, a->scope - at),
                     m = part_of(b->path + at, b->scope - at);
        if (n != m || memcmp(a->path + at, b->path + at, n) != 0)
            break;
        at += n + 1;
        ++*names;
    }
    return at;
}

static void go_to(struct writer *w, const struct place *from, const struct place *to)
{
    unsigned names;

    size_t at = common(from, to, &names);
    while (w->depth > names)
        close_instance(w);
    while (at < to->scope) {
        const size_t n = part_of(to->path + at, to->scope - at);
        open_instance(w, to->path + at, n);
        at += n + 1;
    }
    if (w->depth == 0) /* SAIF has nets in instances alone */
        open_instance(w, "top", 3);
}

static void put_bit(const struct writer *w, const struct pc_wave_var *v, const char *name,
                    uint32_t bit)
{
    struct pc_activity_figures f;

    pc_activity_get(w->run->of_bits, v->code, bit, &f);
    indent(w);
    fputs("  (", w->out);
    put_name(w, name, strlen(name));
    fprintf(w->out, " (T0 %llu) (T1 %llu) (TX %llu) (TZ %llu) (TC %llu) (IG 0))\n",
            (unsigned long long)f.t0, (unsigned long long)f.t1, (unsigned long long)f.tx,
            (unsigned long long)f.tz, (unsigned long long)(f.rises + f.falls));
}

static bool put_net(const struct writer *w, const struct place *p)
{
    struct pc_wave_var v;

    if (pc_wave_get_var(w->run->wave, p->var, &v) != PC_OK)
        return false;
    for (uint32_t bit = v.width; bit-- > 0;) {
        char *name = activity_bit_name(&v, bit);
        if (!name)
            return false;
        put_bit(w, &v, name + (p->scope ? p->scope + 1 : 0), bit);
        free(name);
    }
    return true;
}

static bool same_scope(const struct place *a, const struct place *b)
{
    return a->scope == b->scope && memcmp(a->path, b->path, a->scope) == 0;
}

static bool put_tree(struct writer *w)
{
    for (size_t i = 0; i < w->places; i++) {
        const struct place *p = &w->place[i], *before = i > 0 ? p - 1 : NULL;
        const bool first = !before || !same_scope(before, p);
        if (first) {
            go_to(w, before, p);
            indent(w);
            fputs("(NET\n", w->out);
        }
        if (!put_net(w, p))
            return false;
        if (i + 1 == w->places || !same_scope(p, p + 1)) {
            indent(w);
            fputs(")\n", w->out);
        }
    }
    while (w->depth > 0)
        close_instance(w);
    return true;
}

/* --- */

/* "1ps" as SAIF has it: 1 ps */
static void put_scale(FILE *out, const char *scale)
{
    const size_t digits = strspn(scale, "0123456789");

    fprintf(out, "  (TIMESCALE %.*s %s)\n", (int)digits, scale, scale + digits);
}

int activity_write_saif(const struct activity_run *run, FILE *out)
{
    struct odd_names odd = { .count = 0 };
    struct writer w = { .out = out, .run = run, .odd = &odd };

    if (!find_places(&w))
        return cli_no_memory();
    fputs("(SAIFILE\n"
          "  (SAIFVERSION \"2.0\")\n"
          "  (DIRECTION \"backward\")\n"
          "  (DESIGN )\n"
          "  (VENDOR \"pcounter\")\n"
          "  (PROGRAM_NAME \"pcounter\")\n"
          "  (DIVIDER / )\n",
          out);
    put_scale(out, run->scale);
    fprintf(out, "  (DURATION %llu)\n", (unsigned long long)(run->part.end - run->first));
    const bool whole = put_tree(&w);
    fputs(")\n", out);
    free(w.place);
    if (odd.count > 0)
        cli_note(505, "SAIF: OpenSTA's reader stops at %s, like %s, and reads nothing that follows",
                 cli_count(odd.count, "name"), odd.first);
    return whole ? CLI_OK : cli_no_memory();
}
