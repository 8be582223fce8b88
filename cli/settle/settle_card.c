/* SPDX-License-Identifier: MIT */
/* settle --card: asks a card, several times, and holds what it reads against each answer. */
#include "settle/settle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Chooses one of those that read the same: the model's own, where it is among them. */
static const char *choose(const struct settle_verdict *v)
{
    const struct experiment *e = v->e;
    const char *first = NULL;

    for (size_t i = 0; i < e->answers; i++) {
        if (!v->equal[i])
            continue;
        if (e->option && strcmp(e->answer[i].name, e->option->initial) == 0)
            return e->answer[i].name;
        first = first ? first : e->answer[i].name;
    }
    return first;
}

/* Finds which answers would read so. */
static int judge(struct settle_verdict *v, const struct pc_chip *chip, const char *script)
{
    struct settle_reading predicted;
    struct pc_error err = { 0 };

    for (size_t i = 0; i < v->e->answers; i++) {
        if (settle_predict(v->e, chip, script, i, &predicted, &err))
            return cli_error(&err, v->e->name, script);
        v->equal[i] = settle_equal(&predicted, &v->reading);
        v->equals += v->equal[i];
    }
    v->answer = choose(v);
    if (!v->answer)
        snprintf(v->why, sizeof v->why, "the reads are those of no answer");
    return CLI_OK;
}

static int ask(const struct settle_options *o, struct pci_card *card, struct settle_verdict *v)
{
    const struct experiment *e = v->e;
    struct settle_reading first;
    struct pc_error err = { 0 };
    char *script;
    int code = settle_script(e, card->chip, &o->memory, &script);

    for (uint32_t n = 0; n < (e->once ? 1 : o->repeat) && code == CLI_OK && !v->why[0]; n++) {
        if (settle_measure(e, card, script, &v->reading, &err))
            code = pci_stopped() ? CLI_INTERRUPTED : cli_error(&err, e->name, script);
        else if (n == 0)
            first = v->reading;
        else if (!settle_equal(&first, &v->reading))
            snprintf(v->why, sizeof v->why, "run %" PRIu32 " and the first have different reads",
                     n + 1);
        v->asked |= code == CLI_OK;
    }
    if (code == CLI_OK && !v->why[0])
        code = judge(v, card->chip, script);
    free(script);
    return code;
}

/* Returns why a card is not asked; NULL: it is. */
static const char *refused(const struct settle_options *o, const struct experiment *e)
{
    if (e->memory && !o->memory.given)
        return "not asked: record mode writes to memory (--record)";
    if (e->hangs && !o->may_hang)
        return "not asked: a domain hangs afterwards (--may-hang)";
    return NULL;
}

static void print_words(FILE *f, const struct settle_verdict *v)
{
    for (size_t i = 0; i < v->reading.words; i++)
        fprintf(f, " %08" PRIx32, v->reading.word[i]);
}

/* Lines for people go out unless the file of answers takes standard output. */
static bool has_page(const struct settle_options *o)
{
    return !o->output || strcmp(o->output, "-") != 0;
}

static void print_verdict(const struct settle_verdict *v)
{
    FILE *f = cli_stdout();

    fprintf(f, "%-22s ", v->e->name);
    if (v->answer) {
        fputs(v->answer, f);
        for (size_t i = 0; i < v->e->answers; i++)
            if (v->equal[i] && v->e->answer[i].name != v->answer)
                fprintf(f, " or %s", v->e->answer[i].name);
    } else {
        fprintf(f, "undecided: %s", v->why);
        if (v->asked) {
            fputs("; words:", f);
            print_words(f, v);
        }
    }
    fputc('\n', f);
}

/* Some have to come first; those that hang a domain come last. */
static int ask_all(const struct settle_options *o, struct pci_card *card,
                   const struct experiment *e, size_t count, struct settle_verdict *v,
                   size_t *asked)
{
    int code = CLI_OK;

    for (int turn = 0; turn < 3; turn++)
        for (size_t i = 0; i < count && code == CLI_OK; i++) {
            if (turn != (e[i].hangs ? 2 : e[i].first ? 0 : 1))
                continue;
            struct settle_verdict *one = &v[(*asked)++];
            const char *why = refused(o, &e[i]);
            *one = (struct settle_verdict){ .e = &e[i] };
            if (why)
                snprintf(one->why, sizeof one->why, "%s", why);
            else
                code = ask(o, card, one);
            if (code == CLI_OK && has_page(o))
                print_verdict(one);
        }
    return code;
}

static size_t collect(const struct settle_options *o, const struct pc_chip *chip,
                      struct experiment *out)
{
    size_t count = 0;

    for (size_t i = 0; count < SETTLE_EXPERIMENTS && settle_experiment(i, &out[count]); i++)
        count += settle_suits(&out[count], chip) && settle_wanted(o, &out[count]);
    return count;
}

static int settle(const struct settle_options *o, struct pci_card *card, struct experiment *e,
                  struct settle_verdict *v, struct cli_out *out)
{
    const size_t count = collect(o, card->chip, e);
    size_t asked = 0, undecided = 0;

    int code = settle_check_names(o, card->chip);
    if (code)
        return code;
    if (count == 0)
        return cli_usage("settle", "no experiment is about %s", card->chip->name);
    if (has_page(o))
        fprintf(cli_stdout(), "%s, a %s (boot id %08" PRIx32 "), %s%s\n", card->address,
                card->chip->name, card->boot0, card->driver[0] ? "driver " : "no driver",
                card->driver);
    code = ask_all(o, card, e, count, v, &asked);
    for (size_t i = 0; i < asked; i++)
        undecided += v[i].answer == NULL;
    pci_tell(card);
    if (code == CLI_OK && out)
        settle_write(out->file, o, card, v, asked);
    if (code == CLI_OK)
        cli_note(2202, "%s answered, %zu undecided, each asked %s",
                 cli_count(asked - undecided, "question"), undecided, cli_count(o->repeat, "time"));
    if (code == CLI_INTERRUPTED)
        fputs("pcounter: interrupted; registers are put back\n", stderr);
    return code;
}

static int ask_card(const struct settle_options *o, struct experiment *e, struct settle_verdict *v,
                    struct cli_out *out)
{
    struct pci_card card;
    struct pc_error err = { 0 };
    int code = pci_open(&o->card, &card);

    if (code)
        return code;
    if (o->chip && pci_check_chip(&card, o->chip, &err))
        code = cli_error(&err, "-a", NULL);
    if (code == CLI_OK)
        code = settle(o, &card, e, v, out);
    pci_close(&card);
    return code;
}

int settle_card(const struct settle_options *o)
{
    struct experiment *e = calloc(SETTLE_EXPERIMENTS + 1, sizeof *e);
    struct settle_verdict *v = calloc(SETTLE_EXPERIMENTS, sizeof *v);
    struct cli_out *out = o->output ? calloc(1, sizeof *out) : NULL;
    int code = e && v && (out || !o->output) ? CLI_OK : cli_no_memory();

    if (code == CLI_OK && out)
        code = cli_out_open(out, o->output); /* before a card is asked */
    if (code == CLI_OK) {
        pci_catch_signals();
        code = ask_card(o, e, v, out);
        if (out && code == CLI_OK)
            code = cli_out_commit(out);
        else if (out)
            cli_out_abort(out);
    }
    free(out);
    free(e);
    free(v);
    return code;
}
