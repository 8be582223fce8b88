/* SPDX-License-Identifier: MIT */
/* The file of answers: JSON, in the form that `run --answers` reads. */
#include "settle/settle.h"

#include <inttypes.h>
#include <string.h>

struct file {
    const struct settle_options *o;
    const struct pci_card *card;
    const struct settle_verdict *verdict;
    size_t count;
};

/* Writes the name of the next member, whose value the caller writes. */
static void begin_member(FILE *f, const char *name, size_t *members)
{
    fprintf(f, "%s\n    ", (*members)++ ? "," : "");
    cli_json_string(f, name);
    fputs(": ", f);
}

static void end_members(FILE *f, size_t members, const char *after)
{
    fprintf(f, "%s}%s\n", members ? "\n  " : "", after);
}

static void put_answers(FILE *f, const struct file *a)
{
    size_t members = 0;

    fputs("  \"answers\": {", f);
    for (size_t i = 0; i < a->count; i++) {
        const struct settle_verdict *v = &a->verdict[i];
        bool told = false; /* an experiment before it was about the same */
        for (size_t k = 0; k < i; k++)
            told |= a->verdict[k].answer && !strcmp(a->verdict[k].e->question, v->e->question);
        if (!v->answer || told)
            continue;
        begin_member(f, v->e->question, &members);
        cli_json_string(f, v->answer);
    }
    end_members(f, members, ",");
}

/* Answers that the experiment cannot tell from the one above. */
static void put_equal(FILE *f, const struct file *a)
{
    size_t members = 0;

    fputs("  \"equal\": {", f);
    for (size_t i = 0; i < a->count; i++) {
        const struct settle_verdict *v = &a->verdict[i];
        bool first = true;
        if (!v->answer || v->equals < 2)
            continue;
        begin_member(f, v->e->name, &members);
        for (size_t k = 0; k < v->e->answers; k++) {
            if (!v->equal[k])
                continue;
            fputs(first ? "[" : ", ", f);
            cli_json_string(f, v->e->answer[k].name);
            first = false;
        }
        fputc(']', f);
    }
    end_members(f, members, ",");
}

static void put_readings(FILE *f, const struct file *a)
{
    size_t members = 0;

    fputs("  \"readings\": {", f);
    for (size_t i = 0; i < a->count; i++) {
        const struct settle_verdict *v = &a->verdict[i];
        if (!v->asked)
            continue;
        begin_member(f, v->e->name, &members);
        for (size_t k = 0; k < v->reading.words; k++)
            fprintf(f, "%s\"0x%08" PRIx32 "\"", k ? ", " : "[", v->reading.word[k]);
        fputs(v->reading.words ? "]" : "[]", f);
    }
    end_members(f, members, ",");
}

static void put_undecided(FILE *f, const struct file *a)
{
    size_t members = 0;

    fputs("  \"undecided\": {", f);
    for (size_t i = 0; i < a->count; i++) {
        const struct settle_verdict *v = &a->verdict[i];
        if (v->answer)
            continue;
        begin_member(f, v->e->name, &members);
        cli_json_string(f, v->why);
    }
    end_members(f, members, "");
}

static void put(FILE *f, const struct file *a)
{
    fprintf(f, "{\n  \"tool\": \"pcounter %s\",\n  \"chip\": ", pc_version());
    cli_json_string(f, a->card->chip->name);
    fprintf(f, ",\n  \"boot0\": \"0x%08" PRIx32 "\",\n  \"address\": ", a->card->boot0);
    cli_json_string(f, a->card->address);
    fputs(",\n  \"driver\": ", f);
    if (a->card->driver[0])
        cli_json_string(f, a->card->driver);
    else
        fputs("null", f);
    fprintf(f, ",\n  \"clock_hz\": %" PRIu64 ",\n  \"repeat\": %" PRIu32 ",\n", pci_hz(a->card),
            a->o->repeat);
    put_answers(f, a);
    put_equal(f, a);
    put_readings(f, a);
    put_undecided(f, a);
    fputs("}\n", f);
}

void settle_write(FILE *f, const struct settle_options *o, const struct pci_card *card,
                  const struct settle_verdict *verdict, size_t count)
{
    const struct file a = { o, card, verdict, count };

    put(f, &a);
}
