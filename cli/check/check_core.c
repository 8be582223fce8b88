/* SPDX-License-Identifier: MIT */
/* pcounter check --core FILE: the waveform once through, and what differs. */
#include "check_core.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "process/progress.h"
#include "text/regs_text.h"
#include "wave/event_list.h"

/* ---- what is kept of a difference ---- */

static bool is_known(const struct pc_core_value *v)
{
    for (uint32_t i = 0; i < (v->width + 63) / 64; i++)
        if (v->unknown[i])
            return false;
    return true;
}

/* "0x1f"; a digit with an unknown bit is x. */
static char *hex_text(const struct pc_core_value *v)
{
    char text[CORE_DIGITS], *at = text;
    bool any = false;

    *at++ = '0';
    *at++ = 'x';
    for (uint32_t digit = (v->width + 3) / 4; digit-- > 0;) {
        const unsigned value = v->value[digit / 16] >> digit % 16 * 4 & 15;
        const unsigned unknown = v->unknown[digit / 16] >> digit % 16 * 4 & 15;
        any |= value || unknown || digit == 0;
        if (any)
            *at++ = unknown ? 'x' : "0123456789abcdef"[value];
    }
    return cli_copy(text, (size_t)(at - text));
}

static size_t rules_shown(const struct core_run *run, const struct pc_core_difference *d,
                          size_t *rule)
{
    const struct pc_core_register *r = &run->d.reg[d->item];

    *rule = d->rule;
    if (d->rule != PC_CORE_NO_RULE)
        return 1;
    *rule = 0; /* none acted: what all of them looked at */
    return d->was_reset ? 0 : r->rules;
}

/* "event 0x3, enable 1": what the rule looked at. */
static char *values_text(struct core_run *run, const struct pc_core_difference *d)
{
    char text[2000] = "";
    size_t used = 0, rule, count = rules_shown(run, d, &rule);
    struct pc_core_value value;
    const char *name;

    for (size_t k = rule; k < rule + count; k++)
        for (size_t i = 0; pc_core_term(run->d.core, d->item, k, i, &name, &value); i++) {
            char *number = hex_text(&value), one[700];
            if (!number)
                return NULL;
            snprintf(one, sizeof one, "%.200s %.400s", name,
                     value.width == 1 ? number + 2 : number);
            free(number);
            const char *known = strstr(text, one);
            if (known && (known[strlen(one)] == ',' || known[strlen(one)] == '\0'))
                continue;
            if (used + strlen(one) + 4 > sizeof text)
                break;
            used +=
                (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", one);
        }
    return cli_copy(text, used);
}

static char *writes_text(const struct pc_core_difference *d)
{
    char text[CORE_DIGITS + 60];
    int length;

    if (!d->written) {
        length = snprintf(text, sizeof text, "none since the reset");
    } else {
        char *number = hex_text(&d->written_value);
        if (!number)
            return NULL;
        length = snprintf(text, sizeof text, "%s at edge %s", number, cli_grouped(d->written_edge));
        free(number);
    }
    return cli_copy(text, (size_t)length);
}

/* A rule that adds would have acted beside one that sets. */
static bool is_added_to(const struct core_run *run, const struct pc_core_difference *d,
                        const struct pc_core_cause *cause)
{
    const struct pc_core_register *r = &run->d.reg[d->item];

    return cause->what == PC_CORE_AS_IF_TOO && r->rule[cause->rule].action == PC_CORE_ADD &&
           d->rule != PC_CORE_NO_RULE && r->rule[d->rule].action == PC_CORE_SET;
}

static char *cause_text(struct core_run *run, const struct pc_core_difference *d, size_t *rule)
{
    struct pc_core_cause cause;
    char but_for[400], text[900];
    const struct described_register *at = &run->d.reg_node[d->item];

    pc_core_find_cause(run->d.core, d->item, &cause, but_for, sizeof but_for);
    *rule = cause.what == PC_CORE_NO_CAUSE || cause.what == PC_CORE_AS_IF_NONE ? PC_CORE_NO_RULE
                                                                               : cause.rule;
    const uint32_t line = described_line(run->d.rule_node[at->first_rule + cause.rule].of);
    int length = 0;
    if (d->was_reset) {
        char *value = hex_text(&d->design);
        length = snprintf(text, sizeof text, "its value after a reset were %s", value ? value : "");
        free(value);
        return value ? cli_copy(text, (size_t)length) : NULL;
    }
    /* after a write, which is seldom, several elements are a coincidence */
    const int most = cause.what == PC_CORE_AS_IF_NO_CARRY      ? 0
                     : cause.what == PC_CORE_AS_IF_AFTER_WRITE ? 1
                                                               : 3;
    if (core_element_text(run, d->item, most, text, sizeof text))
        return cli_copy(text, strlen(text));
    switch (cause.what) {
    case PC_CORE_NO_CAUSE:
        break;
    case PC_CORE_AS_IF_NONE:
        length = snprintf(text, sizeof text, "no rule had acted");
        break;
    case PC_CORE_AS_IF_ONLY:
        length =
            snprintf(text, sizeof text, "no rule but that of line %" PRIu32 " had acted", line);
        break;
    case PC_CORE_AS_IF_ADDED:
        length = snprintf(text, sizeof text, "the rule of line %" PRIu32 " had added %" PRId64,
                          line, cause.added);
        break;
    case PC_CORE_AS_IF_NO_CARRY:
        length = snprintf(text, sizeof text,
                          "the carry from bit %" PRIu32 " to %" PRIu32
                          " were lost where the rule of line %" PRIu32 " adds",
                          cause.lo - 1, cause.lo, line);
        break;
    case PC_CORE_AS_IF_BIT:
        length =
            snprintf(text, sizeof text,
                     "bit %" PRIu32 " of what the rule of line %" PRIu32 " sets were the other way",
                     cause.lo, line);
        break;
    case PC_CORE_AS_IF_AFTER_WRITE:
        length = snprintf(text, sizeof text,
                          "the rule of line %" PRIu32
                          " had acted in the clock after a write (line %" PRIu32 ")%s%s",
                          line, described_line(run->d.rule_node[at->first_rule + cause.write].of),
                          but_for[0] ? "; its condition fails at: " : "", but_for);
        break;
    case PC_CORE_AS_IF_KEPT:
        length = snprintf(text, sizeof text, "bits %" PRIu32 ":%" PRIu32 " had kept their values",
                          cause.hi, cause.lo);
        break;
    default:
        length = snprintf(text, sizeof text, "%sthe rule of line %" PRIu32 " had%s acted%s%s%s",
                          is_added_to(run, d, &cause) ? "the write were added to: " : "", line,
                          cause.what == PC_CORE_AS_IF_WITHOUT ? " not" : "",
                          cause.what == PC_CORE_AS_IF_TOO ? ", too" : "",
                          but_for[0] ? "; its condition fails at: " : "", but_for);
    }
    return cli_copy(text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

static bool is_first(struct core_run *run, const struct pc_core_difference *d)
{
    size_t *first = &run->first[d->of_check ? run->d.desc.regs + d->item : d->item];

    if (*first)
        return false;
    *first = run->differences + 1;
    return true;
}

static bool differs(void *ctx, const struct pc_core_difference *d)
{
    struct core_run *run = ctx;
    const bool first = is_first(run, d);
    if (!d->of_check)
        core_add_instead(run, d->item);
    void *array = run->difference;

    if (!first && run->differences >= CORE_KEPT)
        return true;
    if (!cli_grow(&array, &run->capacity, run->differences + 1, sizeof *run->difference)) {
        run->no_memory = true;
        return false;
    }
    run->difference = array;
    struct core_difference *k = &run->difference[run->differences];
    *k = (struct core_difference){ .edge = d->edge,
                                   .of_check = d->of_check,
                                   .item = d->item,
                                   .rule = d->rule,
                                   .was_reset = d->was_reset,
                                   .as_if = PC_CORE_NO_RULE };
    if (run->block->time) {
        k->time = run->block->time[d->edge - run->block->first_cycle];
        k->timed = true;
    }
    if (d->design.width > 0) {
        k->design = is_known(&d->design) || d->of_check ? hex_text(&d->design) : NULL;
        k->model = hex_text(&d->model);
        run->no_memory |= !k->model;
    }
    if (!d->of_check && (first || run->differences < CORE_SHOWN)) {
        k->before = hex_text(&d->before);
        k->values = values_text(run, d);
        k->writes = writes_text(d);
        k->cause = is_known(&d->design) ? cause_text(run, d, &k->as_if) : cli_copy("", 0);
        run->no_memory |= !k->before || !k->values || !k->writes || !k->cause;
    }
    run->differences++;
    run->stopped = !run->o->keep_going;
    return run->o->keep_going && !run->no_memory;
}

/* ---- the waveform ---- */

static bool reset_between(void *ctx, uint64_t edge)
{
    struct core_run *run = ctx;

    return described_reset_between(&run->resets, edge);
}

static int open_wave(struct core_run *run)
{
    struct pc_wave_desc desc = cli_wave_desc(&run->o->read, run->path);
    struct pc_error err;

    desc.threads = run->o->threads;
    if (cli_wave_open(&desc, &run->wave, &err) != PC_OK)
        return cli_error(&err, run->path, NULL);
    run->d.times = cli_read_once(run->path); /* no second read will find them */
    return described_find(&run->wires, &run->d, run->wave, run->o->scope, run->o->map);
}

static int read_wave(struct core_run *run)
{
    const struct pc_core_watch watch = {
        .differs = differs,
        .reset_between = run->d.sync ? NULL : reset_between,
        .ctx = run,
    };
    struct cli_progress progress;
    struct pc_wave_block block;
    struct pc_error err;
    enum pc_status status = PC_OK;

    run->block = &block;
    cli_progress_begin(&progress);
    while (status == PC_OK && run->wires.bits > 0) {
        status = pc_wave_next(run->wave, &block, &err);
        cli_progress_wave(&progress, run->wave, block.first_cycle);
        if (status == PC_OK)
            status = pc_core_run(run->d.core, block.cycles, block.value,
                                 block.any_unknown ? block.unknown : NULL, &watch, &err);
    }
    cli_progress_end(&progress);
    run->block = NULL;
    if (run->no_memory)
        return cli_no_memory();
    if (status != PC_OK && status != PC_END)
        return cli_error(&err, run->path, NULL);
    pc_core_get_counts(run->d.core, &run->counts);
    return CLI_OK;
}

/* Times of the differences, by a read of their own. */
static void find_times(struct core_run *run)
{
    const struct pc_wave_desc desc = cli_wave_desc(&run->o->read, run->path);
    struct pc_wave *wave = NULL;
    struct pc_wave_instant now;
    struct pc_error err;
    unsigned stream;
    size_t done = 0;

    if (run->differences == 0 || cli_read_once(run->path))
        return;
    enum pc_status status = cli_wave_open(&desc, &wave, &err);
    if (status == PC_OK)
        status = pc_wave_bind(wave, &run->wires.clock, &run->wires.clock.clock, 1, &stream, &err);
    for (uint64_t n = 0; status == PC_OK && done < run->differences; n++) {
        status = pc_wave_step(wave, &now, &err);
        for (; status == PC_OK && done < run->differences && run->difference[done].edge == n;
             done++) {
            run->difference[done].time = now.time;
            run->difference[done].timed = true;
        }
    }
    pc_wave_close(wave);
}

/* ---- was enough compared? ---- */

/* With --strict all is tried that the description says. */
static int check_tried(const struct core_run *run)
{
    struct pc_error err;

    if (!run->o->read.strict || run->never == 0)
        return CLI_OK;
    cli_fail(&err, 1910, "--strict: never tried: %s of the description",
             cli_count(run->never, "part"));
    return cli_error(&err, run->path, NULL);
}

struct needed {
    bool all, none;
};

static int not_compared(const struct core_run *run, size_t reg)
{
    struct pc_error err;

    cli_fail(&err, 1908, "--require: not compared: %s", run->d.reg[reg].name);
    return cli_error(&err, run->path, NULL);
}

static uint64_t compared(const struct core_run *run, size_t reg)
{
    struct pc_core_figures f;

    pc_core_get_register(run->d.core, reg, &f);
    return f.compared;
}

/* The register of a name of --require; SIZE_MAX: there is none. */
static size_t find_register(const struct core_run *run, const char *name, size_t length)
{
    for (size_t i = 0; i < run->d.desc.regs; i++)
        if (strlen(run->d.reg[i].name) == length && memcmp(run->d.reg[i].name, name, length) == 0)
            return i;
    return SIZE_MAX;
}

static bool is_word(const char *name, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(name, word, length) == 0;
}

/* Each name of --require: is it one at all, and after the run, was it compared? */
static int check_names(const struct core_run *run, bool ran, struct needed *needed)
{
    for (size_t i = 0; i < run->o->require_texts; i++)
        for (const char *at = run->o->require_text[i]; *at;) {
            const size_t n = strcspn(at, ","), reg = find_register(run, at, n);
            needed->all |= is_word(at, n, "all");
            needed->none |= is_word(at, n, "none");
            if (reg == SIZE_MAX && !is_word(at, n, "all") && !is_word(at, n, "none"))
                return cli_usage("check", "--require: %.*s is not a register of %s", (int)n, at,
                                 run->d.name);
            if (reg != SIZE_MAX && ran && compared(run, reg) == 0)
                return not_compared(run, reg);
            at += n + (at[n] == ',');
        }
    return CLI_OK;
}

static int check_needed(const struct core_run *run)
{
    struct needed needed = { false, false };
    struct pc_error err;
    int code = check_names(run, true, &needed);

    for (size_t i = 0; code == CLI_OK && needed.all && i < run->d.desc.regs; i++)
        if (run->d.reg[i].is && compared(run, i) == 0)
            code = not_compared(run, i);
    if (code || run->counts.compared > 0 || needed.none)
        return code;
    cli_fail(&err, 1908, "nothing was compared: %s",
             run->counts.edges == 0                      ? "the clock has no edge"
             : run->counts.edges == run->counts.in_reset ? "the design never leaves reset"
                                                         : "no register was known");
    if (run->counts.edges > 0 && run->counts.edges == run->counts.in_reset)
        snprintf(err.hint, sizeof err.hint,
                 "it is in reset where %.200s holds: is that its polarity?", run->d.desc.reset);
    return cli_error(&err, run->path, NULL);
}

static void drop(struct core_run *run)
{
    for (size_t i = 0; i < run->differences; i++) {
        struct core_difference *k = &run->difference[i];
        free(k->design);
        free(k->model);
        free(k->before);
        free(k->values);
        free(k->writes);
        free(k->cause);
    }
    free(run->difference);
    free(run->first);
    free(run->instead);
    core_untried_drop(run);
    described_resets_close(&run->resets);
    described_drop(&run->wires);
    pc_wave_close(run->wave);
    described_close(&run->d);
}

/* The signals that the description names, and the first difference. */
static int show_place(const struct core_run *run)
{
    const struct core_difference *k = run->difference;
    struct check_place place = { .wave = run->wave,
                                 .clock = &run->wires.clock.clock,
                                 .bit = run->wires.bit,
                                 .bits = run->wires.bits };

    if (run->differences > 0 && k->timed) {
        place.name = k->of_check ? run->d.desc.check[k->item].name : run->d.desc.reg[k->item].name;
        place.time = k->time;
        place.edge = k->edge;
    }
    return check_goto(run->o, run->path, &place);
}

int check_described(const char *path, const struct check_options *o)
{
    struct core_run *run = calloc(1, sizeof *run);
    struct needed needed = { false, false };

    if (!run)
        return cli_no_memory();
    run->o = o;
    run->path = path;
    int code = described_open(&run->d, "check", o->description);
    if (code == CLI_OK) {
        run->first = calloc(run->d.desc.regs + run->d.desc.checks + 1, sizeof *run->first);
        run->instead = calloc(run->d.desc.regs + 1, sizeof *run->instead);
        code = run->first && run->instead ? check_names(run, false, &needed) : cli_no_memory();
    }
    if (code == CLI_OK)
        code = open_wave(run);
    if (code == CLI_OK)
        code = check_goto_wave(o, path, run->wave);
    if (code == CLI_OK) {
        described_resets_begin(&run->resets, &run->wires, &o->read, path);
        code = read_wave(run);
    }
    if (code == CLI_OK) {
        cli_wave_warnings(run->wave, path);
        find_times(run);
        code = core_untried_find(run);
    }
    if (code == CLI_OK) {
        const int enough = run->counts.differences ? CLI_OK : check_needed(run);
        if (enough == CLI_OK || run->counts.compared > 0)
            code = core_check_tell(run);
        if (code == CLI_OK)
            code = show_place(run);
        if (code == CLI_OK)
            code = enough ? enough : run->counts.differences ? CLI_NO : check_tried(run);
    }
    drop(run);
    free(run);
    return code;
}
