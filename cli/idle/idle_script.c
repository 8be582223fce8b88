/* SPDX-License-Identifier: MIT */
/*
 * A script in place of a waveform: what the engines do, in the words of pcounter-script(7).
 *
 *   chip NAME            first
 *   option NAME=VALUE    a switch of the model
 *   w ADDR VALUE         before the first run: COUNTER_MASK and COUNTER_MODE are set up
 *   idle WORD            COUNTER_SIGNALS from the next clock on (hexadecimal)
 *   run N                N clocks
 *
 * Reads of the idle counters and writes of COUNTER_COUNT are a client's polls; the verb
 * polls by itself, so they are passed over and counted for a note.  Accesses take no time.
 */
#include "idle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HOST_BASE 0x10a500u

struct word {
    const char *at;
    size_t length; /* 0: the end of the line */
};

struct script {
    struct idle_options *o;
    struct idle_place place; /* of the current line */
    const char *line, *at, *end;
    uint32_t level;
    bool has_chip;
    uint64_t clocks, polls;
    uint32_t seen; /* wires that were idle at some time */
};

static uint32_t column_of(const struct script *s, struct word w)
{
    return (uint32_t)(w.at - s->line) + 1;
}

static struct word next_word(struct script *s)
{
    struct word w;

    while (s->at < s->end && strchr(" \t\r", *s->at))
        s->at++;
    w.at = s->at;
    while (s->at < s->end && !strchr(" \t\r", *s->at))
        s->at++;
    w.length = (size_t)(s->at - w.at);
    return w;
}

static bool is_word(struct word w, const char *text)
{
    return strlen(text) == w.length && strncmp(w.at, text, w.length) == 0;
}

/* The next word as a number of 32 bits, hexadecimal with or without 0x. */
static int next_hex(struct script *s, const char *what, uint32_t *out)
{
    struct word w = next_word(s);
    size_t from = w.length > 2 && w.at[0] == '0' && (w.at[1] == 'x' || w.at[1] == 'X') ? 2 : 0;
    uint32_t n = 0;

    if (w.length == 0)
        return idle_fail(1110, &s->place, column_of(s, w), NULL, "%s is missing", what);
    for (size_t i = from; i < w.length; i++) {
        const char *digits = "0123456789abcdef0123456789ABCDEF";
        const char *digit = strchr(digits, w.at[i]);
        if (!digit || n >> 28)
            return idle_fail(1110, &s->place, column_of(s, w), NULL,
                             "\"%.*s\" is not a hexadecimal number of 32 bits", (int)w.length,
                             w.at);
        n = n << 4 | (uint32_t)((digit - digits) % 16);
    }
    *out = n;
    return CLI_OK;
}

/* --- commands --- */

static char *keep_text(struct idle_options *o, struct word w)
{
    char **kept = realloc(o->file_text, (o->file_texts + 1) * sizeof *kept);

    if (!kept)
        return NULL;
    o->file_text = kept;
    char *text = malloc(w.length + 1);
    if (text) {
        memcpy(text, w.at, w.length);
        text[w.length] = '\0';
        o->file_text[o->file_texts++] = text;
    }
    return text;
}

static int do_chip(struct script *s, struct word command)
{
    struct word w = next_word(s);
    char name[40];

    if (s->has_chip)
        return idle_fail(1110, &s->place, column_of(s, command), NULL, "a second chip");
    snprintf(name, sizeof name, "%.*s", (int)(w.length < 39 ? w.length : 39), w.at);
    const struct pc_chip *chip = pc_chip_find(name);
    if (!chip)
        return idle_fail(1110, &s->place, column_of(s, w),
                         "`pcounter list chips` prints all names.", "unknown chip \"%s\"", name);
    if (s->o->chip_given && chip != s->o->chip)
        return idle_fail(1110, &s->place, column_of(s, w),
                         "Leave out --chip, or change the script.",
                         "the script is for %s, and --chip says %s", chip->name, s->o->chip->name);
    if (chip->idle_counters == 0)
        return idle_fail(412, &s->place, column_of(s, w), NULL, "%s has no PDAEMON idle counters",
                         chip->name);
    s->o->chip = chip;
    s->has_chip = true;
    return CLI_OK;
}

static int do_option(struct script *s, struct word command)
{
    struct idle_options *o = s->o;
    struct word w = next_word(s);
    const char *text = keep_text(o, w);

    (void)command;
    return text ? opt_texts_add(&o->script_options, text) : cli_no_memory();
}

static int do_idle(struct script *s, struct word command)
{
    (void)command;
    return next_hex(s, "the word of idle signals", &s->level);
}

static int do_run(struct script *s, struct word command)
{
    struct word w = next_word(s);
    struct idle_options *o = s->o;
    uint64_t n;

    if (!idle_parse_u64(w.at, w.length, &n) || n == 0)
        return idle_fail(1110, &s->place, column_of(s, w.length ? w : command), NULL,
                         "run needs a number of clocks, decimal and from 1 on");
    if (n > UINT64_MAX - s->clocks)
        return idle_fail(1110, &s->place, column_of(s, w), NULL,
                         "the script runs for more than 2^64 clocks");
    s->clocks += n;
    s->seen |= s->level;
    if (o->steps == o->steps_capacity) {
        size_t capacity = o->steps_capacity ? 2 * o->steps_capacity : 256;
        struct idle_step *grown = realloc(o->step, capacity * sizeof *grown);
        if (!grown)
            return cli_no_memory();
        o->step = grown;
        o->steps_capacity = capacity;
    }
    o->step[o->steps++] = (struct idle_step){ s->level, n };
    return CLI_OK;
}

/* Is there an idle counter's register?  *i and *place (0 MASK, 1 COUNT, 2 MODE) say which. */
static bool find_register(const struct pc_chip *chip, uint32_t address, unsigned *i,
                          unsigned *place)
{
    uint32_t offset = address - HOST_BASE;

    if (address < HOST_BASE || address % 4 != 0 || offset / 0x10 >= chip->idle_counters ||
        offset % 0x10 == 0)
        return false;
    *i = offset / 0x10;
    *place = offset % 0x10 / 4 - 1;
    return true;
}

static int do_write(struct script *s, struct word command)
{
    uint32_t address, value;
    unsigned i, place;
    int code = next_hex(s, "the address", &address);

    if (code == CLI_OK)
        code = next_hex(s, "the value", &value);
    if (code)
        return code;
    if (!find_register(s->o->chip, address, &i, &place))
        return idle_fail(1110, &s->place, column_of(s, command), NULL,
                         "0x%06" PRIx32 " is not a writable register of %s's idle counters",
                         address, s->o->chip->name);
    if (place == 1) {
        s->polls++;
        return CLI_OK;
    }
    if (s->o->steps > 0)
        return idle_fail(1110, &s->place, column_of(s, command), NULL,
                         "counters are set up before the first run");
    struct idle_counter *c = &s->o->counter[i];
    c->used = s->o->own_counters = true;
    if (place == 0)
        c->mask = value;
    else
        c->mode = (enum pc_idle_mode)(value & 3);
    return CLI_OK;
}

static int do_read(struct script *s, struct word command)
{
    uint32_t address;
    int code = next_hex(s, "the address", &address);

    if (code)
        return code;
    if (address < HOST_BASE || address > HOST_BASE + 0xff)
        return idle_fail(1110, &s->place, column_of(s, command), NULL,
                         "0x%06" PRIx32 " is not a register of the idle counters", address);
    while (next_word(s).length > 0) /* EXPECTED and MASK */
        ;
    s->polls++;
    return CLI_OK;
}

static const struct {
    const char *name;
    int (*run)(struct script *s, struct word command);
} commands[] = {
    { "chip", do_chip }, { "option", do_option }, { "idle", do_idle },
    { "run", do_run },   { "w", do_write },       { "r", do_read },
};

/* --- lines --- */

static int do_line(struct script *s)
{
    struct word w = next_word(s);
    int code = CLI_OK;
    size_t i = 0;

    if (w.length == 0)
        return CLI_OK;
    while (i < sizeof commands / sizeof commands[0] && !is_word(w, commands[i].name))
        i++;
    if (i == sizeof commands / sizeof commands[0])
        return idle_fail(1110, &s->place, column_of(s, w),
                         "Commands here: chip option idle run w r; `pcounter run` knows all.",
                         "unknown command \"%.*s\" here", (int)w.length, w.at);
    if (!s->has_chip && commands[i].run != do_chip)
        return idle_fail(1110, &s->place, column_of(s, w), NULL, "a script begins with chip NAME");
    code = commands[i].run(s, w);
    w = next_word(s);
    if (code == CLI_OK && w.length > 0)
        return idle_fail(1110, &s->place, column_of(s, w), NULL, "\"%.*s\" is left over",
                         (int)w.length, w.at);
    return code;
}

/* Engines that are idle at some time, or that a counter looks at, have a column of their own. */
static void add_engines(struct idle_options *o, uint32_t seen)
{
    const struct pc_idle_signal *s;

    for (unsigned i = 0; i < IDLE_COUNTERS; i++)
        seen |= o->counter[i].mask;
    for (unsigned bit = 0; bit < 32; bit++) {
        for (size_t i = 0; (s = pc_idle_signal_at(o->chip, i)) != NULL; i++) {
            if (s->bit != bit)
                continue;
            o->mapped |= UINT32_C(1) << bit; /* a script gives all wires */
            if (!(seen >> bit & 1))
                continue;
            struct idle_engine *e = &o->engine[o->engines++];
            *e = (struct idle_engine){ .bit = bit };
            idle_wire_name(o->chip, bit, e->name, sizeof e->name);
        }
    }
}

int idle_load_script(struct idle_options *o)
{
    struct script s = { .o = o, .place = { .label = o->path } };
    char *text;
    int code = idle_read_file(o, o->path, &text);

    if (code)
        return code;
    s.place.text = text;
    for (const char *line = text; code == CLI_OK && *line;) {
        size_t whole = strcspn(line, "\n");
        s.place.line++;
        s.line = s.at = line;
        s.end = line + strcspn(line, "#\n");
        code = do_line(&s);
        line += whole + (line[whole] == '\n');
    }
    if (code)
        return code;
    if (o->steps == 0)
        return idle_fail(1107, NULL, 0, "Add `run N`.", "%s never runs a clock", o->path);
    add_engines(o, s.seen);
    if (s.polls > 0)
        cli_note(1106,
                 "%s of counts in the script %s passed over: windows poll the counters; "
                 "`pcounter run` makes the accesses and checks what they read",
                 cli_count(s.polls, "access"), s.polls == 1 ? "was" : "were");
    return CLI_OK;
}
