/* SPDX-License-Identifier: MIT */
/* Kinds of values that several verbs share. */
#include "opt/opt.h"

#include "complete/complete.h"
#include "process/jobs.h"
#include "wave/read_options.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- switches and texts --- */

static int take_switch(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row, (void)text;
    *(bool *)field = true;
    return CLI_OK;
}

static int take_quiet(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row, (void)text, (void)field;
    cli_quiet = true;
    return CLI_OK;
}

int opt_take_text(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    *(const char **)field = text;
    return CLI_OK;
}

int opt_texts_add(struct opt_texts *t, const char *text)
{
    const size_t capacity = t->count < t->capacity ? t->capacity : 2 * t->capacity + 8;
    const char **more =
        capacity == t->capacity ? t->text : realloc(t->text, capacity * sizeof *more);

    if (!more)
        return cli_no_memory();
    t->text = more;
    t->capacity = capacity;
    t->text[t->count++] = text;
    return CLI_OK;
}

int opt_take_texts(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return opt_texts_add(field, text);
}

void opt_texts_free(struct opt_texts *t)
{
    free(t->text);
    *t = (struct opt_texts){ .count = 0 };
}

/* In whole it is a form of its own, and was seen before (opt_line_of()). */
static int refuse_form(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)text, (void)field;
    return cli_usage(verb, "%s is not abbreviated", opt_called(row));
}

const struct opt_kind opt_form = { .value = "NAME", .take = refuse_form };
const struct opt_kind opt_form_alone = { .take = refuse_form };
const struct opt_kind opt_switch = { .take = take_switch };
const struct opt_kind opt_quiet = { .take = take_quiet };
const struct opt_kind opt_help = { .take = NULL };
const struct opt_kind opt_text = { .value = "TEXT", .take = opt_take_text };
const struct opt_kind opt_file = { .value = "FILE",
                                   .take = opt_take_text,
                                   .offer = complete_files };
const struct opt_kind opt_texts_kind = { .value = "TEXT", .take = opt_take_texts };

/* --- words and numbers --- */

static int take_word(const char *verb, const struct opt *row, const char *text, void *field)
{
    return cli_parse_word(verb, opt_called(row), text, row->of, field);
}

static const char *word_at(const struct opt *row, size_t i)
{
    const char *const *words = row->of;

    return words[i];
}

static int take_u32(const char *verb, const struct opt *row, const char *text, void *field)
{
    const struct opt_range *range = row->of;
    uint32_t n;

    if (!cli_parse_u32(text, &n) || n < range->least || n > range->most)
        return cli_usage(verb, "%s takes %" PRIu32 " to %" PRIu32 "%s, not \"%s\"", opt_called(row),
                         range->least, range->most, range->what, text);
    *(uint32_t *)field = n;
    return CLI_OK;
}

uint64_t opt_whole(const struct pc_decimal *d, int shift, uint64_t most)
{
    uint64_t n = d->number;

    if (d->exponent + shift < 0)
        return 0;
    for (int e = d->exponent + shift; e > 0 && n <= most; e--)
        n = n > UINT64_MAX / 10 ? UINT64_MAX : 10 * n;
    return n <= most ? n : 0;
}

uint64_t opt_parse_hertz(const char *text, uint64_t most)
{
    static const char prefixes[] = "kMG";
    struct pc_decimal d;
    size_t used;

    if (pc_decimal_parse(text, strlen(text), &d, &used) != PC_OK)
        return 0;
    text += used;
    const char *prefix = *text ? strchr(prefixes, *text) : NULL;
    text += prefix != NULL;
    if (*text && strcmp(text, "Hz") != 0)
        return 0;
    return opt_whole(&d, prefix ? 3 * (int)(prefix - prefixes + 1) : 0, most);
}

static int take_hz(const char *verb, const struct opt *row, const char *text, void *field)
{
    if ((*(uint64_t *)field = opt_parse_hertz(text, UINT64_C(10000000000))))
        return CLI_OK;
    return cli_usage(verb, "%s %s: Hz are expected: 27000000, 27M, at most 10G", opt_called(row),
                     text);
}

static int take_setting(const char *verb, const struct opt *row, const char *text, void *field)
{
    const char *equals = strchr(text, '=');

    if (!equals || equals == text || !equals[1])
        return cli_usage(verb, "%s %s: NAME=VALUE is expected", opt_called(row), text);
    return opt_take_texts(verb, row, text, field);
}

static int take_memory(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    return cli_memory_limit(verb, text, field);
}

static int take_jobs(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    return cli_parse_jobs(verb, text, field);
}

static int take_ratio(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    return cli_ratio_limit(verb, text, field);
}

const struct opt_kind opt_word = { .value = "WORD", .take = take_word, .word = word_at };
const struct opt_kind opt_u32 = { .value = "N", .take = take_u32 };
const struct opt_kind opt_hertz = { .value = "HZ", .take = take_hz };
const struct opt_kind opt_setting = { .value = "NAME=VALUE",
                                      .take = take_setting,
                                      .offer = complete_model_options };
const struct opt_kind opt_memory = { .value = "SIZE", .take = take_memory };
const struct opt_kind opt_jobs = {
    .value = "N",
    .brief = "number of threads; the output is the same",
    .more = "default: 1; for 16 MB and more one for each CPU, up to 4",
    .take = take_jobs,
};
const struct opt_kind opt_ratio = { .value = "ratio=N", .take = take_ratio };

/* --- names of the library --- */

static int take_chip(const char *verb, const struct opt *row, const char *text, void *field)
{
    const struct pc_chip **chip = field;

    (void)verb, (void)row;
    *chip = cli_find_chip(text);
    return *chip ? CLI_OK : CLI_INPUT;
}

static int take_core(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return cli_find_core(text, field);
}

static int take_profile(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return cli_find_profile(text, field);
}

static int take_signals(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    return cli_names_add(verb, field, text);
}

static int take_metric(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)verb, (void)row;
    return cli_metric_text(field, NULL, text);
}

static int take_metrics(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    return cli_metric_file(verb, field, text);
}

const struct opt_kind opt_domain = { .value = "DOMAIN",
                                     .take = opt_take_text,
                                     .offer = complete_domains };
const struct opt_kind opt_metric = { .value = "METRICS",
                                     .take = take_metric,
                                     .offer = complete_metrics };
const struct opt_kind opt_metrics = { .value = "FILE",
                                      .take = take_metrics,
                                      .offer = complete_files };
const struct opt_kind opt_signals = {
    .value = "FILE",
    .brief = "names of your own for signals, see pcounter-signals(5)",
    .take = take_signals,
    .offer = complete_files,
};
const struct opt_kind opt_chip = {
    .value = "CHIP",
    .brief = "the chip; `pcounter list chips` shows all",
    .take = take_chip,
    .offer = complete_chips,
};
const struct opt_kind opt_core = {
    .value = "NAME", .brief = "configuration of CVA6", .take = take_core, .offer = complete_cores
};
const struct opt_kind opt_profile = { .value = "NAME",
                                      .take = take_profile,
                                      .offer = complete_profiles };

/* --- rows --- */

const struct opt opt_output_alone[] = {
    OPT_OUTPUT(struct opt_output_alone, output, "write to FILE"),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
