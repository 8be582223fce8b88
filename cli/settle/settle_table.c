/* SPDX-License-Identifier: MIT */
/* settle -a: what the model reads for each answer, on one chip. */
#include "settle/settle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct rep_field answer_fields[] = {
    { "answer", REP_TEXT, .about = "a value of the option; `modelled`: what the model does" },
    { "reads", REP_TEXT, .about = "what would be read, of what is compared: hexadecimal words" },
    { .name = NULL },
};
enum { ANSWERS = 5 };
static const struct rep_field experiment_fields[] = {
    { "experiment", REP_TEXT, .about = "its name" },
    { "question", REP_TEXT,
      .about = "the option of the model that it is about, or the number of what is unknown" },
    { "decision", REP_TEXT, .about = "the decision that the option is about; null: none",
      .flags = REP_NULL },
    { "ask", REP_TEXT, .about = "the question in words", .flags = REP_NO_CSV },
    { "needs", REP_TEXT, .about = "the option without which a card is not asked; null: none",
      .flags = REP_NULL },
    { "answers", REP_LIST, .about = "what each answer would read", .flags = REP_ROW,
      .field = answer_fields, .item = "an answer" },
    { .name = NULL },
};
enum { EXPERIMENTS = 1 };
static const struct rep_field fields[] = {
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "experiments", REP_LIST, .about = "those of the chip, by name", .field = experiment_fields,
      .item = "an experiment" },
    { .name = NULL },
};

const struct rep_def settle_report = {
    .schema = "pcounter-settle-1",
    .call = "pcounter settle -a CHIP",
    .about = "What the model reads for each answer to an open question.",
    .field = fields,
    .columns = "chip,experiment,question,decision,needs,answer,reads",
};

static void show_signs(const struct settle_reading *r, char *out, size_t size)
{
    size_t at = 0;

    out[0] = '\0';
    for (size_t i = 0; i < r->signs && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%" PRIx32, i ? " " : "", r->sign[i]);
}

static void print_head(FILE *page, const struct experiment *e)
{
    fprintf(page, "\n%s", e->name);
    if (strcmp(e->name, e->question) != 0)
        fprintf(page, " (%s)", e->question);
    fprintf(page, "  %s\n", e->ask);
}

static int put(struct rep *r, const struct experiment *e, const struct pc_chip *chip)
{
    static const struct settle_memory own = { .given = false };
    char *script, reads[SETTLE_READS * 9];
    struct settle_reading reading;
    struct pc_error err = { 0 };
    int code = settle_script(e, chip, &own, &script);
    FILE *page = rep_page(r);

    if (code)
        return code;
    if (page)
        print_head(page, e);
    if (rep_has_rows(r))
        rep_begin(r, EXPERIMENTS,
                  REP_CELLS(rep_text(e->name), rep_text(e->question),
                            e->option ? rep_text(e->option->decision) : rep_null(),
                            rep_text(e->ask),
                            e->hangs    ? rep_text("--may-hang")
                            : e->memory ? rep_text("--record")
                                        : rep_null()));
    for (size_t i = 0; i < e->answers && code == CLI_OK; i++) {
        if (settle_predict(e, chip, script, i, &reading, &err)) {
            code = cli_error(&err, e->name, script);
            break;
        }
        show_signs(&reading, reads, sizeof reads);
        if (page)
            fprintf(page, "  %-20s %s\n", e->answer[i].name, reads);
        if (rep_has_rows(r))
            rep_row(r, ANSWERS, REP_CELLS(rep_text(e->answer[i].name), rep_text(reads)));
    }
    if (rep_has_rows(r))
        rep_end(r);
    free(script);
    return code;
}

static int put_all(const struct settle_options *o, struct rep *r)
{
    struct experiment e;
    int code = CLI_OK;
    size_t shown = 0;

    if (rep_page(r))
        fprintf(rep_page(r), "%s: what the model reads for each answer\n", o->chip->name);
    if (rep_has_rows(r))
        rep_root(r, REP_CELLS(rep_text(o->chip->name)));
    for (size_t i = 0; settle_experiment(i, &e) && code == CLI_OK; i++)
        if (settle_suits(&e, o->chip) && settle_wanted(o, &e)) {
            code = put(r, &e, o->chip);
            shown++;
        }
    if (code == CLI_OK && shown == 0)
        cli_note(2201, "no experiment is about %s", o->chip->name);
    return code;
}

/* Prints the one script that is asked for, as text. */
static int print_script(const struct settle_options *o)
{
    struct experiment e;
    char *script;

    for (size_t i = 0; settle_experiment(i, &e); i++)
        if (settle_suits(&e, o->chip) && settle_wanted(o, &e)) {
            const int code = settle_script(&e, o->chip, &o->memory, &script);
            if (code == CLI_OK)
                fputs(script, cli_stdout());
            free(script);
            return code;
        }
    return CLI_OK; /* settle_check_names() has found one */
}

int settle_table(struct settle_options *o)
{
    struct rep *r;

    int code = settle_check_names(o, o->chip);
    if (code)
        return code;
    if (o->script)
        return print_script(o);
    code = rep_open(&r, &settle_report, &o->report);
    return code ? code : rep_close(r, put_all(o, r));
}
