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
#include "wave/event_list.h"

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
    struct activity_unit unit;
};

/* Names that OpenSTA does not read. */
struct odd_names {
    size_t count;
    char first[64];
    size_t roots; /* instances that no other has: it reads one */
};

/* --- the unit of times --- */

static uint64_t ten_to(int n)
{
    uint64_t power = 1;

    while (n-- > 0)
        power *= 10;
    return power;
}

/* Reads "1ps"; the exponent of its seconds, and its factor. SAIF has no unit below fs. */
static bool read_unit(const char *text, uint64_t *factor, int *exponent)
{
    const size_t digits = strspn(text, "0123456789");

    *factor = digits == 1 ? 1 : digits == 2 ? 10 : 100;
    if (digits < 1 || digits > 3 || text[0] != '1' || strspn(text + 1, "0") < digits - 1)
        return false;
    text += digits + (text[digits] == ' ');
    return pc_time_unit_find(text, strlen(text), exponent) && *exponent >= -15;
}

/* Times of the file, as so many of the unit that is asked for; both can be read. */
static struct activity_unit find_unit(const struct activity_run *run)
{
    struct activity_unit out = { .times = 1, .per = 1 };
    uint64_t from, to;
    int from_exponent, to_exponent;

    if (!run->o->timescale || !read_unit(run->o->timescale, &to, &to_exponent) ||
        !read_unit(run->scale, &from, &from_exponent))
        return out;
    const int more = from_exponent - to_exponent;
    out.times = from * (more > 0 ? ten_to(more) : 1);
    out.per = to * (more < 0 ? ten_to(-more) : 1);
    for (; out.times % 10 == 0 && out.per % 10 == 0; out.per /= 10)
        out.times /= 10;
    return out;
}

/* Rounds to the nearest; times fit, as activity_write_saif() saw to it. */
static uint64_t in_unit(const struct activity_unit *unit, uint64_t time)
{
    const uint64_t whole = time / unit->per * unit->times,
                   rest = time % unit->per * unit->times; /* one of the two is 1 */

    return whole + (rest + unit->per / 2) / unit->per;
}

int activity_check_saif(const struct activity_run *run)
{
    const char *asked = run->o->timescale;
    struct pc_error err;
    uint64_t factor;
    int exponent;

    if (asked && !read_unit(asked, &factor, &exponent))
        return cli_error_at(911, NULL, 0, "Write it like --timescale 1ps.",
                            "--timescale %.60s is not 1, 10 or 100 of s, ms, us, ns, ps or fs",
                            asked);
    if (!run->scale[0])
        cli_fail(&err, 911,
                 run->info.sampled ? "times are samples, and SAIF has no unit for them"
                                   : "the waveform has no time unit that SAIF has");
    else if (!read_unit(run->scale, &factor, &exponent))
        cli_fail(&err, 911, "the waveform's time unit is %s, which SAIF does not have", run->scale);
    else
        return CLI_OK;
    return cli_error(&err, cli_input_name(run->o->file), NULL);
}

/* --- names --- */

static bool is_keyword(const char *name, size_t length)
{
    static const char *const words[] = {
        "SAIFILE", "SAIFVERSION", "DIRECTION", "DESIGN",   "DATE",     "VENDOR", "PROGRAM_NAME",
        "VERSION", "DIVIDER",     "TIMESCALE", "DURATION", "INSTANCE", "NET",    "PORT",
        "T0",      "T1",          "TX",        "TZ",       "TB",       "TC",     "IG"
    };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strlen(words[i]) == length && memcmp(words[i], name, length) == 0)
            return true;
    return false;
}

/*
 * Tells whether OpenSTA reads the name: its SaifLex.ll has [A-Za-z_][A-Za-z0-9_$\[\]\\.]*, but for
 * words of SAIF itself.
 */
static bool opensta_reads(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        const char c = name[i];
        const bool begins = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_';
        const bool follows = cli_is_digit(c) || strchr("$[].\\ ", c);
        if (!begins && (i == 0 || !follows))
            return false;
    }
    return length > 0 && !is_keyword(name, length);
}

/* Returns how much of a name is Verilog's mark of an escaped one, which is not part of it. */
static size_t mark_of(const char *name, size_t length)
{
    return length > 1 && name[0] == '\\' && name[length - 1] != '\\';
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
    const size_t escaped = mark_of(name, length);
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

/* The end of the first name of a path of that many bytes: up to a dot. */
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

/* Does OpenSTA read all names of the place? */
static bool opensta_reads_place(const struct place *p)
{
    const char *own = p->path + p->scope + (p->scope > 0);
    const size_t length = strlen(own), own_mark = mark_of(own, length);

    for (size_t at = 0; at < p->scope;) {
        const size_t n = part_of(p->path + at, p->scope - at), mark = mark_of(p->path + at, n);
        if (!opensta_reads(p->path + at + mark, n - mark))
            return false;
        at += n + 1;
    }
    return opensta_reads(own + own_mark, length - own_mark);
}

static bool same_root(const struct place *a, const struct place *b)
{
    const size_t n = part_of(a->path, a->scope);

    return n == part_of(b->path, b->scope) && memcmp(a->path, b->path, n) == 0;
}

/* Finds the outermost instance with most variables; places of one root follow each other. */
static const struct place *largest_root(const struct writer *w)
{
    const struct place *largest = NULL;
    size_t most = 0;

    for (size_t i = 0, end; i < w->places; i = end) {
        for (end = i + 1; end < w->places && same_root(&w->place[i], &w->place[end]);)
            end++;
        if (end - i > most) {
            most = end - i;
            largest = &w->place[i];
        }
    }
    return largest;
}

/* With --opensta what it does not read is left out, and all but one root. */
static void leave_out(struct writer *w)
{
    struct odd_names *odd = w->odd;
    const struct place *largest = largest_root(w);
    const struct place root = largest ? *largest : (struct place){ .path = "" };
    size_t kept = 0;

    for (size_t i = 0; i < w->places; i++) {
        const struct place p = w->place[i];
        if (same_root(&p, &root) && opensta_reads_place(&p))
            w->place[kept++] = p;
        else if (odd->count++ == 0)
            snprintf(odd->first, sizeof odd->first, "%.60s", p.path);
    }
    w->places = kept;
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
    if (w->place && w->run->o->opensta)
        leave_out(w);
    return w->place != NULL;
}

/* --- the tree --- */

static void indent(const struct writer *w)
{
    fprintf(w->out, "%*s", (int)(2 * (w->depth + 1)), "");
}

static void open_instance(struct writer *w, const char *name, size_t length)
{
    w->odd->roots += w->depth == 0;
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
    uint64_t passed = 0, before = 0, time[4];

    pc_activity_get(w->run->of_bits, v->code, bit, &f);
    const uint64_t own[] = { f.t0, f.t1, f.tx, f.tz };
    for (unsigned i = 0; i < 4; i++) { /* rounded so that they add up to the duration */
        passed += own[i];
        time[i] = in_unit(&w->unit, passed) - before;
        before += time[i];
    }
    indent(w);
    fputs("  (", w->out);
    put_name(w, name, strlen(name));
    fprintf(w->out, " (T0 %llu) (T1 %llu) (TX %llu) (TZ %llu) (TC %llu) (IG 0))\n",
            (unsigned long long)time[0], (unsigned long long)time[1], (unsigned long long)time[2],
            (unsigned long long)time[3], (unsigned long long)(f.rises + f.falls));
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

    fprintf(out, "  (TIMESCALE %.*s %s)\n", (int)digits, scale,
            scale + digits + (scale[digits] == ' '));
}

/* Writes a comment with the measured part, if that is not all of the waveform. */
static void put_comment(FILE *out, const struct activity_run *run)
{
    const struct activity_options *o = run->o;

    if (o->from.text || o->to.text)
        fprintf(out, "  // times %llu to %llu of the waveform, in units of %s\n",
                (unsigned long long)run->first, (unsigned long long)run->part.end, run->scale);
    if (!o->when)
        return;
    fputs("  // only while ", out);
    for (const char *at = o->when; *at; at++)
        fputc((unsigned char)*at < ' ' ? ' ' : *at, out);
    fputc('\n', out);
}

static void note_opensta(const struct writer *w, const char *scale)
{
    const struct odd_names *odd = w->odd;
    const char *unit = scale + strspn(scale, "0123456789 ");

    if (odd->count > 0 && w->run->o->opensta)
        cli_warning(506, "SAIF: left out for OpenSTA: %s, like %s",
                    cli_count(odd->count, "variable"), odd->first);
    else if (odd->count > 0)
        cli_note(505, "SAIF: OpenSTA's reader stops at %s, like %s, and reads nothing that follows",
                 cli_count(odd->count, "name"), odd->first);
    if (odd->roots > 1)
        cli_note(505, "SAIF: OpenSTA's reader takes one outermost instance, and there are %zu",
                 odd->roots);
    if (strcmp(unit, "s") == 0 || strcmp(unit, "ms") == 0)
        cli_note(505, "SAIF: OpenSTA's reader takes no times in %s: give --timescale 1us", unit);
}

static int too_long(const struct activity_run *run)
{
    struct pc_error err;

    cli_fail(&err, 911, "the duration has more than 64 bits in units of %.20s", run->o->timescale);
    return cli_error(&err, cli_input_name(run->o->file), NULL);
}

int activity_write_saif(const struct activity_run *run, FILE *out)
{
    const char *scale = run->o->timescale ? run->o->timescale : run->scale;
    struct odd_names odd = { .count = 0 };
    struct writer w = { .out = out, .run = run, .odd = &odd };
    struct pc_activity_cycles cycles;

    w.unit = find_unit(run);
    pc_activity_get_cycles(run->of_bits, &cycles);
    if (cycles.time / w.unit.per > UINT64_MAX / w.unit.times - 1)
        return too_long(run);
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
    put_comment(out, run);
    put_scale(out, scale);
    fprintf(out, "  (DURATION %llu)\n", (unsigned long long)in_unit(&w.unit, cycles.time));
    const bool whole = put_tree(&w);
    fputs(")\n", out);
    free(w.place);
    if (w.unit.per > 1)
        cli_note(507, "SAIF: times are rounded to %s, of %s in the waveform", scale, run->scale);
    note_opensta(&w, scale);
    return whole ? CLI_OK : cli_no_memory();
}
