/* SPDX-License-Identifier: MIT */
#include "wave/only_clock.h"

#include "cli.h"
#include "wave/clock_evidence.h"

#include <stdlib.h>
#include <string.h>

#define NAMED 4

/* Returns true for a word that --clock does not read as a signal. */
static bool is_word(const char *name)
{
    static const char *const words[] = { "sample", "every", "posedge", "negedge" };

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(name, words[i]) == 0)
            return true;
    return false;
}

/* Returns the name as --clock takes it; NULL: it cannot, or there is no memory. */
static char *clock_text(const struct pc_wave *wave, const struct cli_suggestion *s)
{
    struct pc_wave_var var, found;
    uint32_t hi, lo;
    size_t at, n = 0;

    if (pc_wave_get_var(wave, s->var, &var))
        return NULL;
    char *text = malloc(strlen(var.name) + sizeof "posedge ");
    if (!text)
        return NULL;
    if (is_word(var.name)) {
        n = strlen("posedge ");
        memcpy(text, "posedge ", n);
    }
    const size_t name = n;
    for (const char *p = var.name; *p; p++)
        if (*p != ' ')
            text[n++] = *p;
    text[n] = '\0';
    if (pc_wave_find(wave, text + name, &at, &hi, &lo, NULL) == PC_OK &&
        pc_wave_get_var(wave, at, &found) == PC_OK && found.code == s->code && hi == 0)
        return text;
    free(text);
    return NULL;
}

/* Writes "a, b, c and 2 more". */
static void put_names(FILE *f, const struct pc_wave *wave, const struct cli_suggestions *s)
{
    struct pc_wave_var var;

    for (size_t i = 0; i < s->clocks && i < NAMED; i++)
        if (pc_wave_get_var(wave, s->clock[i].var, &var) == PC_OK) {
            fputs(i > 0 ? ", " : "", f);
            cli_print_name(f, var.name);
        }
    if (s->clocks > NAMED)
        fprintf(f, " and %zu more", s->clocks - NAMED);
}

static int ask(const char *verb, const struct pc_wave *wave, const struct cli_suggestions *s)
{
    char *names = NULL;
    size_t size;
    FILE *f = open_memstream(&names, &size);
    int code;

    if (!f)
        return cli_no_memory();
    put_names(f, wave, s);
    if (!cli_collected(f, &names)) {
        free(names);
        return cli_no_memory();
    }
    if (s->clocks == 0)
        code = cli_usage(verb, "cycles of which clock? None was found in the waveform. Name it "
                               "with --clock, like --clock top.clk or --clock 'every 10ns'");
    else
        code = cli_usage(verb,
                         "cycles of which clock? Name it with --clock; the waveform seems to have "
                         "%zu: %s",
                         s->clocks, names);
    free(names);
    return code;
}

/* Says why this clock, or refuses it where the data contradict. */
static int judge(const char *verb, const struct pc_wave *wave, const struct pc_wave_desc *desc,
                 const struct pc_var_activity *activity, const struct cli_suggestions *found,
                 struct cli_only_clock *out)
{
    struct cli_clock_evidence e;
    struct pc_wave_var other;

    if (!cli_prove_clocks(wave, desc, activity, found, &e) || e.clock[0].changes == 0)
        return CLI_OK;
    cli_proof_text(&e.clock[0], out->why, sizeof out->why);
    const struct cli_clock_proof *rival = cli_rival_of(&e, 0);
    if (rival && pc_wave_get_var(wave, rival->var, &other) == PC_OK) {
        char why[sizeof out->why];
        cli_proof_text(rival, why, sizeof why);
        return cli_usage(
            verb, "cycles of which clock? %s %s of other signals, and %s %s. Name it with --clock",
            out->name, out->why, other.name, why);
    }
    if (cli_is_contradicted(&e.clock[0]))
        return cli_usage(verb,
                         "cycles of which clock? %s, the only one found, %s of other signals. Name "
                         "a clock with --clock, even if it is this one",
                         out->name, out->why);
    return CLI_OK;
}

static int choose(const char *verb, const struct pc_wave_desc *desc, struct pc_wave *wave,
                  struct cli_only_clock *out)
{
    struct pc_wave_totals totals;
    struct cli_suggestions found;
    struct pc_wave_info info;
    struct pc_error err;
    int code;

    pc_wave_get_info(wave, &info);
    struct pc_var_activity *activity = calloc(info.codes + 1, sizeof *activity);
    if (!activity)
        return cli_no_memory();
    if (pc_wave_scan(wave, &totals, activity, &err)) {
        code = cli_error(&err, desc->path, NULL);
    } else if (!cli_suggest(wave, &totals, activity, &found)) {
        code = cli_no_memory();
    } else {
        if (found.clocks == 1)
            out->name = clock_text(wave, &found.clock[0]);
        code = out->name ? judge(verb, wave, desc, activity, &found, out) : ask(verb, wave, &found);
        cli_suggest_free(&found);
    }
    free(activity);
    return code;
}

int cli_find_only_clock(const char *verb, const struct cli_read_options *read, const char *path,
                        unsigned threads, struct cli_only_clock *out)
{
    struct pc_wave_desc desc = cli_wave_desc(read, path);
    struct pc_wave *wave;
    struct pc_error err;

    *out = (struct cli_only_clock){ .name = NULL };
    if (cli_read_once(path))
        return cli_usage(verb, "cycles of which clock? Name it with --clock, like --clock top.clk; "
                               "input that can be read only once is not searched for clocks");
    desc.threads = threads;
    if (cli_wave_open(&desc, &wave, &err))
        return cli_error(&err, path, NULL);
    const int code = choose(verb, &desc, wave, out);
    pc_wave_close(wave);
    return code;
}
