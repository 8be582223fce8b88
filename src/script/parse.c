/* SPDX-License-Identifier: MIT */
/*
 * The grammar of a script: one command a line (pcounter-script(7)).  Everything that can
 * be known without the device and without the waveform is checked here: words, numbers,
 * ranges, domains and signals of the chip, and the order of the commands about waves.
 */
#include "script/script.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/near.h"

static enum pc_status parse_chip(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    char name[64], near[200];
    struct pc_chip_domain first;
    enum pc_status status = sc_need(c, "the name of a chip", &out->name, err);

    if (status)
        return status;
    sc_show(&out->name, name, sizeof name);
    const struct pc_chip *chip = pc_chip_find(name);
    if (!chip) {
        status = pc_fail_at(err, 807, c->line, out->name.column, "unknown chip \"%s\"", name);
        pc_chip_near(name, near, sizeof near);
        if (near[0])
            pc_hint(err, "did you mean %s?", near);
        return status;
    }
    if (chip->layout == PC_LAYOUT_NONE && !pc_gpu_possible(chip))
        return pc_fail_at(err, 808, c->line, out->name.column, "%s has no PCOUNTER", chip->name);
    if (chip->layout != PC_LAYOUT_NONE && !pc_chip_get_domain(chip, 0, &first))
        return pc_fail_at(err, 809, c->line, out->name.column, "the domains of %s are not known",
                          chip->name);
    p->chip = chip;
    return PC_OK;
}

static enum pc_status parse_option(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                   struct pc_error *err)
{
    enum pc_status status = sc_need(c, "NAME=VALUE", &out->name, err);

    (void)p;
    if (status)
        return status;
    const char *equals = memchr(out->name.at, '=', out->name.size);
    if (!equals || equals == out->name.at || equals == out->name.at + out->name.size - 1)
        return pc_fail_at(err, 813, c->line, out->name.column,
                          "an option is NAME=VALUE in one word");
    out->text = out->name;
    out->name.size = (size_t)(equals - out->name.at);
    out->text.at = equals + 1;
    out->text.size -= out->name.size + 1;
    out->text.column += (uint32_t)out->name.size + 1;
    return PC_OK;
}

static enum pc_status parse_latency(struct sc_parser *p, struct sc_cursor *c,
                                    struct sc_command *out, struct pc_error *err)
{
    uint64_t write = 0, read = 0;
    bool given;
    enum pc_status status = sc_count(c, "the latency of a write", UINT32_MAX, &write, err);

    (void)p;
    if (!status)
        status = sc_count_or_end(c, "the latency of a read", UINT32_MAX, &read, &given, err);
    out->latency[0] = (uint32_t)write;
    out->latency[1] = (uint32_t)read;
    return status;
}

/* "500MHz", "32768Hz"; false: it does not end so, and is a period. */
static bool in_hertz(const struct sc_text *word, struct sc_text *number, uint64_t *factor)
{
    static const char prefixes[] = "kMG";

    if (word->quoted || word->size < 2 || memcmp(word->at + word->size - 2, "Hz", 2) != 0)
        return false;
    *number = *word;
    number->size -= 2;
    *factor = 1;
    const char *prefix = number->size > 0
                             ? memchr(prefixes, number->at[number->size - 1], sizeof prefixes - 1)
                             : NULL;
    number->size -= prefix != NULL;
    for (const char *p = prefixes; prefix && p <= prefix; p++)
        *factor *= 1000;
    return true;
}

static enum pc_status take_hertz(const struct sc_cursor *c, const struct sc_text *number,
                                 uint64_t factor, uint64_t *out, struct pc_error *err)
{
    const enum pc_status status = sc_count_text(c, number, "a frequency", SC_CLOCK_MAX, out, err);

    if (status)
        return status;
    if (*out == 0 || *out > SC_CLOCK_MAX / factor)
        return pc_fail_at(err, 806, c->line, number->column, "a clock has 1 to %" PRIu32 " Hz",
                          (uint32_t)SC_CLOCK_MAX);
    *out *= factor;
    return PC_OK;
}

static enum pc_status take_period(struct sc_cursor *c, const struct sc_text *word,
                                  struct sc_command *out, struct pc_error *err)
{
    bool given;
    enum pc_status status = sc_count_text(c, word, "a period", SC_CLOCK_MAX, &out->period, err);

    if (status)
        return status;
    if (out->period == 0) {
        status = pc_fail_at(err, 806, c->line, word->column, "a period is at least 1");
        pc_hint(err, "a period of 2 is half as fast as one of 1");
        return status;
    }
    return sc_count_or_end(c, "a phase", SC_CLOCK_MAX, &out->phase, &given, err);
}

static enum pc_status parse_clock(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                  struct pc_error *err)
{
    struct sc_text word, number;
    uint64_t factor;

    if (p->has_wave && !p->sampled)
        return pc_fail_at(err, 815, c->line, out->column,
                          "`clock` in a script with a wave: time comes from the wave");
    enum pc_status status = sc_need(c, "a domain", &word, err);
    const bool all = !status && sc_is(&word, "all");
    if (all)
        out->domain = PC_DOM_EVERY;
    else if (!status)
        status = sc_clocked_text(p, c, &word, out, err);
    if (!status)
        status = sc_need(c, "the period of the clock, or its frequency,", &word, err);
    if (status)
        return status;
    if (in_hertz(&word, &number, &factor))
        return take_hertz(c, &number, factor, &out->hz, err);
    if (all)
        return pc_fail_at(err, 813, c->line, word.column,
                          "a frequency is expected for all clocks: 500MHz");
    return take_period(c, &word, out, err);
}

static enum pc_status parse_set(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                struct pc_error *err)
{
    char shown[60];
    enum pc_status status = sc_domain(c, p->chip, &out->domain, err);

    if (!status)
        status = sc_signal(p, c, out->domain, &out->signal, err);
    if (!status)
        status = sc_need(c, "the level, 0 or 1,", &out->text, err);
    if (status)
        return status;
    out->level = sc_is(&out->text, "1");
    if (!out->level && !sc_is(&out->text, "0"))
        return pc_fail_at(err, 813, c->line, out->text.column,
                          "\"%s\" is not a level: 0 or 1 is expected",
                          sc_show(&out->text, shown, sizeof shown));
    return PC_OK;
}

static enum pc_status parse_play(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    enum pc_status status = sc_domain(c, p->chip, &out->domain, err);

    if (!status)
        status = sc_signal(p, c, out->domain, &out->signal, err);
    if (!status)
        status = sc_need(c, "a text of levels, one character a cycle,", &out->text, err);
    for (size_t i = 0; !status && i < out->text.size; i++)
        if (out->text.at[i] != '0' && out->text.at[i] != '1')
            status = pc_fail_at(err, 813, c->line, out->text.column + (uint32_t)i,
                                "'%c' is not a level: 0 or 1 is expected for each cycle",
                                out->text.at[i]);
    if (!status && out->text.size == 0)
        status =
            pc_fail_at(err, 813, c->line, out->text.column, "there is no level between the quotes");
    return status;
}

/* PM_TRIGGER is a signal wherever there is a domain; WRCACHE_FLUSH would be lost on most chips. */
static enum pc_status check_pulse(const struct pc_chip *chip, const struct sc_cursor *c,
                                  const struct sc_text *word, enum pc_pulse pulse,
                                  struct pc_error *err)
{
    if (pulse == PC_PULSE_PM_TRIGGER || sc_drives(chip, PC_SIG_WRCACHE_FLUSH))
        return PC_OK;
    enum pc_status status =
        pc_fail_at(err, 811, c->line, word->column, "%s has no signal wrcache_flush", chip->name);
    pc_hint(err, "G84 to MCP89 have it");
    return status;
}

static enum pc_status parse_pulse(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                  struct pc_error *err)
{
    char shown[60];
    struct sc_text word;
    enum pc_status status = sc_need(c, "pm_trigger or wrcache_flush", &word, err);

    if (status)
        return status;
    out->pulse = sc_is(&word, "pm_trigger") ? PC_PULSE_PM_TRIGGER : PC_PULSE_WRCACHE_FLUSH;
    if (out->pulse == PC_PULSE_WRCACHE_FLUSH && !sc_is(&word, "wrcache_flush"))
        return pc_fail_at(err, 813, c->line, word.column,
                          "\"%s\" is not a pulse: pm_trigger or wrcache_flush is expected",
                          sc_show(&word, shown, sizeof shown));
    return check_pulse(p->chip, c, &word, out->pulse, err);
}

static enum pc_status parse_idle(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    enum pc_status status = sc_hex(c, "the word of idle signals", &out->value, err);

    if (status)
        return status;
    return p->chip->idle_counters ? PC_OK : sc_no_idle_counters(p, c, out, err);
}

static enum pc_status parse_write(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                  struct pc_error *err)
{
    struct sc_text word;
    bool given;
    enum pc_status status = sc_address(p, c, out, err);

    out->mask = UINT32_MAX;
    if (!status)
        status = sc_hex(c, "a value", &out->value, err);
    return status ? status : sc_hex_or_end(c, "a mask", &word, &out->mask, &given, err);
}

/* `w8` and `w16`: an access of less than a register. */
static enum pc_status parse_part(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    out->size = out->whole.at[1] == '8' ? 1 : 2;
    out->mask = UINT32_MAX;
    struct sc_text word;
    bool given;
    enum pc_status status = sc_address(p, c, out, err);
    if (!status)
        status = sc_hex_or_end(c, "a value", &word, &out->value, &given, err);
    if (status)
        return status;
    if (!given)
        return pc_fail_at(err, 803, c->line, word.column,
                          "the line ends where a value is expected");
    if (out->value >> 8 * out->size != 0)
        return pc_fail_at(err, 806, c->line, word.column, "0x%" PRIx32 " is more than %u bits",
                          out->value, 8 * out->size);
    return PC_OK;
}

static enum pc_status parse_read(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    struct sc_text word;
    bool given = false;
    enum pc_status status = sc_address(p, c, out, err);

    out->mask = UINT32_MAX;
    if (!status)
        status = sc_hex_or_end(c, "an expected value", &out->text, &out->value, &out->expects, err);
    if (!status && out->expects)
        status = sc_hex_or_end(c, "a mask", &word, &out->mask, &given, err);
    return status;
}

static enum pc_status parse_repeat(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                   struct pc_error *err)
{
    char shown[60];
    struct sc_text word;
    enum pc_status status = sc_count(c, "how often to repeat", SC_REPEAT_MAX, &out->count, err);

    if (!status)
        status = sc_need(c, "w or r", &word, err);
    if (status)
        return status;
    out->repeated = true;
    out->verb = sc_is(&word, "w") ? SC_WRITE : SC_READ;
    if (out->verb == SC_READ && !sc_is(&word, "r"))
        return pc_fail_at(err, 813, c->line, word.column,
                          "\"%s\" cannot be repeated: w or r is expected",
                          sc_show(&word, shown, sizeof shown));
    return (out->verb == SC_WRITE ? parse_write : parse_read)(p, c, out, err);
}

/* `keep` has no arguments. */
static enum pc_status parse_keep(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    (void)p;
    (void)c;
    (void)out;
    (void)err;
    return PC_OK;
}

static const struct {
    const char *name;
    enum sc_verb verb;
    sc_parse_fn *parse;
    const char *usage;
} verbs[] = {
    { "chip", SC_CHIP, parse_chip, "chip NAME" },
    { "option", SC_OPTION, parse_option, "option NAME=VALUE" },
    { "latency", SC_LATENCY, parse_latency, "latency WRITE [READ]" },
    { "clock", SC_CLOCK, parse_clock, "clock DOM PERIOD [PHASE], or clock DOM|all HZ" },
    { "set", SC_SET, parse_set, "set DOM SIG 0|1" },
    { "play", SC_PLAY, parse_play, "play DOM SIG BITS" },
    { "pulse", SC_PULSE, parse_pulse, "pulse pm_trigger|wrcache_flush" },
    { "idle", SC_IDLE, parse_idle, "idle WORD" },
    { "w", SC_WRITE, parse_write, "w ADDR VALUE [MASK]" },
    { "w8", SC_WRITE, parse_part, "w8 ADDR VALUE" },
    { "w16", SC_WRITE, parse_part, "w16 ADDR VALUE" },
    { "r", SC_READ, parse_read, "r ADDR [EXPECTED [MASK]]" },
    { "repeat", SC_REPEAT, parse_repeat,
      "repeat N w ADDR VALUE [MASK], or repeat N r ADDR [EXPECTED [MASK]]" },
    { "run", SC_RUN, sc_parse_run, "run N [DOM], or run end" },
    { "keep", SC_KEEP, parse_keep, "keep" },
    { "wave", SC_WAVE, sc_parse_wave, "wave FILE" },
    { "bind", SC_BIND, sc_parse_bind,
      "bind DOM clock SIGNAL|sample [iff SIGNAL], or bind DOM SIG SIGNAL" },
};
#define VERB_COUNT (sizeof verbs / sizeof verbs[0])

static enum pc_status no_such_command(const struct sc_cursor *c, const struct sc_text *word,
                                      struct pc_error *err)
{
    char shown[60], near_names[200];
    struct pc_near near;

    sc_show(word, shown, sizeof shown);
    enum pc_status status = pc_fail_at(err, 802, c->line, word->column,
                                       "unknown command \"%s\"; a command is expected", shown);
    pc_near_begin(&near, shown);
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (verbs[i].name[1] || word->size < 3) /* w and r are near to everything */
            pc_near_offer(&near, verbs[i].name);
    pc_near_text(&near, near_names, sizeof near_names);
    if (near_names[0])
        pc_hint(err, "did you mean %s?", near_names);
    else
        pc_hint(
            err,
            "commands: chip option latency clock set play pulse idle w w8 w16 r repeat run keep "
            "wave bind");
    return status;
}

/* Checks that `chip` comes first, and once. */
static enum pc_status check_chip(const struct sc_parser *p, const struct sc_cursor *c,
                                 const struct sc_text *word, struct pc_error *err)
{
    bool is_chip = sc_is(word, "chip");

    if (is_chip && p->chip)
        return pc_fail_at(err, 801, c->line, word->column,
                          "a second `chip`; the script is about %s already", p->chip->name);
    if (!is_chip && !p->chip)
        return pc_fail_at(err, 801, c->line, word->column,
                          "`chip NAME` is expected as the first command");
    return PC_OK;
}

/* PC_END: the line has no command. */
static enum pc_status parse_line(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                                 struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_word(c, &word, err);
    size_t i;

    if (status)
        return status;
    for (i = 0; i < VERB_COUNT && !sc_is(&word, verbs[i].name); i++)
        ;
    if (i == VERB_COUNT)
        return no_such_command(c, &word, err);
    status = check_chip(p, c, &word, err);
    if (status)
        return status;
    *out = (struct sc_command){
        .verb = verbs[i].verb, .line = c->line, .column = word.column, .count = 1, .size = 4
    };
    out->whole = word;
    out->whole.size = (size_t)(c->end - word.at);
    status = verbs[i].parse(p, c, out, err);
    if (!status)
        status = sc_done(c, err);
    if (status && err && !err->hint[0] && (err->code == 803 || err->code == 804))
        pc_hint(err, "%s", verbs[i].usage);
    return status;
}

enum pc_status sc_next(struct sc_parser *p, struct sc_command *out, struct pc_error *err)
{
    if (p->line == 0 && p->size >= 3 && memcmp(p->text, "\xef\xbb\xbf", 3) == 0)
        p->at = 3; /* the byte order mark of some editors */
    while (p->at < p->size) {
        const char *start = p->text + p->at;
        const char *newline = memchr(start, '\n', p->size - p->at);
        size_t length = newline ? (size_t)(newline - start) : p->size - p->at;
        struct sc_cursor c = {
            .at = start, .start = start, .end = start + length, .line = p->line + 1
        };

        if (p->line == UINT32_MAX || length > SC_LINE_MAX)
            return pc_fail_at(err, 817, c.line, 0, "a line of %zu bytes; at most %u are possible",
                              length, SC_LINE_MAX);
        p->line++;
        p->at += length + (newline != NULL);
        enum pc_status status = parse_line(p, &c, out, err);
        if (status != PC_END)
            return status;
    }
    return PC_END;
}

void sc_end(struct sc_parser *p)
{
    pc_names_close(p->names);
    p->names = NULL;
}

enum pc_status sc_check(struct sc_parser *p, bool *has_wave, struct pc_error *err)
{
    const struct sc_parser start = *p;
    struct sc_command cmd;
    enum pc_status status;

    do
        status = sc_next(p, &cmd, err);
    while (status == PC_OK);
    if (status == PC_END && !p->chip)
        status = pc_fail_at(err, 801, p->line ? p->line : 1, 0,
                            "the script has no command: `chip NAME` is expected");
    bool wave = p->has_wave;
    struct pc_names *names = p->names;
    *p = start;
    p->names = names;
    if (status != PC_END)
        return status;
    *has_wave = wave;
    return PC_OK;
}
