/* SPDX-License-Identifier: MIT */
/* Prints the report of `pcounter replay`: differences, or with --annotate every access. */
#include "replay.h"
#include "text/warnings.h"

#include <inttypes.h>

enum { REGISTER_WIDTH = 28 }; /* part0.0.SINGLE_ABORT_TRIGGER */

static const char *const verdicts[] = { "", "same", "differs", NULL };
static const char *const accesses[] = { "R", "W", NULL };

/* A word of 4 bytes; in logs of a card also of 1, 2 or 8. */
#define WORD "^0x([0-9a-f]{2}){1,8}$"
static const struct rep_field access_fields[] = {
    { "line", REP_COUNT, .about = "the line of the trace", .least = 1 },
    { "time", REP_NUMBER, .about = "seconds, as in the trace" },
    { "access", REP_WORD, .about = "a read or a write", .words = accesses },
    { "address", REP_TEXT, .about = "where in MMIO", .pattern = "^0x[0-9a-f]{6,8}$" },
    { "value", REP_TEXT, .about = "the word of the trace", .pattern = WORD },
    { "register", REP_TEXT, .about = "its name; empty: none is known" },
    { "model", REP_TEXT, .about = "of a read: the model's word", .flags = REP_MAYBE,
      .pattern = WORD },
    { "verdict", REP_WORD, .about = "of a read that was compared", .words = verdicts },
    { "fields", REP_TEXT, .about = "fields that are not 0" },
    { "effect", REP_TEXT, .about = "what the write does" },
    { .name = NULL },
};

static const struct rep_field summary_fields[] = {
    { "chip", REP_TEXT, .about = "the chip; empty: not known from the trace" },
    { "writes", REP_COUNT, .about = "writes made" },
    { "reads", REP_COUNT, .about = "reads made" },
    { "compared", REP_COUNT, .about = "reads that were compared" },
    { "differ", REP_COUNT, .about = "of them, those that differ" },
    { "outside", REP_COUNT, .about = "accesses outside of --from and --to" },
    { "odd", REP_COUNT, .about = "accesses that were left out: not of 4 bytes at a multiple of 4" },
    { "lost", REP_COUNT, .about = "events that were lost when the trace was recorded, at least" },
    { "unknown", REP_COUNT, .about = "accesses that the kernel did not understand" },
    { "complete", REP_BOOL,
      .about = "false: an error or the first difference ended the replay, or something is missing "
               "in the trace" },
    { .name = NULL },
};

static const struct rep_field warning = { .name = "warning",
                                          .kind = REP_TEXT,
                                          .csv = "effect",
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };

enum { ACCESSES = 1, PASSED, SUMMARY, WARNINGS };
static const struct rep_field report_fields[] = {
    { "trace", REP_TEXT, .about = "the trace, as it was given" },
    { "data", REP_LIST, .about = "with --annotate every access, else reads that differ",
      .flags = REP_ROW, .field = access_fields, .item = "an access" },
    { "passed", REP_LIST, .flags = REP_ROW | REP_TEST | REP_NO_JSON, .field = access_fields },
    { "summary", REP_OBJECT, .about = "sums over the trace", .field = summary_fields },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed, with its code and place, as on standard error",
      .flags = REP_ROW, .value = &warning, .fixed = "access=WARNING" },
    { .name = NULL },
};

const struct rep_def replay_report = {
    .schema = "pcounter-replay-2",
    .call = "pcounter replay",
    .about = "Accesses of an MMIO trace, made to the model.",
    .field = report_fields,
    .columns = "line,time,access,address,value,register,model,verdict,fields,effect",
    .test = "line,register",
    .verdict = "verdict",
    .passed = "same",
    .bare = true,
};

void replay_report_begin(struct replay *r)
{
    FILE *page = rep_page(r->rep);

    r->begun = true;
    if (page && r->options->annotate)
        fprintf(page, "      LINE    ADDRESS   VALUE       %-*s  FIELDS\n", REGISTER_WIDTH,
                "REGISTER");
    rep_root(r->rep, REP_CELLS(rep_text(r->options->path)));
}

struct word {
    char text[19];
};

static struct word word_of(const struct replay_access *a, uint64_t value)
{
    struct word word;

    snprintf(word.text, sizeof word.text, "0x%0*" PRIx64, 2 * (int)a->size, value);
    return word;
}

static void print_mismatch(FILE *f, const struct replay_access *a, const char *answered)
{
    char difference[400];

    replay_difference(a, difference, sizeof difference);
    fprintf(f, "read mismatch at line %s: 0x%06" PRIx32 " %s%strace=%s %s=%s", cli_grouped(a->line),
            a->address, a->name.text, a->name.text[0] ? " " : "", word_of(a, a->value).text,
            answered, word_of(a, a->model).text);
    if (difference[0])
        fprintf(f, "  (%s)", difference);
    fputc('\n', f);
}

static void print_text(FILE *f, const struct replay *r, const struct replay_access *a)
{
    char fields[400];

    if (r->options->annotate) {
        replay_fields(a, fields, sizeof fields);
        fprintf(f, "%10" PRIu32 "  %c 0x%06" PRIx32 "  %-10s", a->line, a->write ? 'W' : 'R',
                a->address, word_of(a, a->value).text);
        if (a->name.text[0] && (fields[0] || a->effect[0]))
            fprintf(f, "  %-*s  %s", REGISTER_WIDTH, a->name.text, fields);
        else if (a->name.text[0])
            fprintf(f, "  %s", a->name.text);
        if (a->effect[0])
            fprintf(f, "%s# %s", fields[0] ? "  " : "", a->effect);
        fputc('\n', f);
    }
    if (a->verdict == REPLAY_DIFFERS)
        print_mismatch(f, a, r->options->card.address ? "card" : "model");
}

static void put_access(struct rep *r, unsigned list, const struct replay_access *a)
{
    char text[400], address[16];

    const struct word value = word_of(a, a->value), model = word_of(a, a->model);
    replay_fields(a, text, sizeof text);
    snprintf(address, sizeof address, "0x%06" PRIx32, a->address);
    rep_row(r, list,
            REP_CELLS(rep_count(a->line), rep_fixed(a->time_ns, 9), rep_text(accesses[a->write]),
                      rep_text(address), rep_text(value.text), rep_text(a->name.text),
                      a->write ? rep_absent() : rep_text(model.text),
                      rep_text(verdicts[a->verdict]), rep_text(text), rep_text(a->effect)));
}

void replay_report_access(struct replay *r, const struct replay_access *a)
{
    FILE *page = rep_page(r->rep);

    if (!r->options->annotate && a->verdict != REPLAY_DIFFERS) {
        if (a->verdict == REPLAY_SAME)
            put_access(r->rep, PASSED, a);
        return;
    }
    if (page)
        print_text(page, r, a);
    if (rep_has_rows(r->rep))
        put_access(r->rep, ACCESSES, a);
    r->counts.rows++;
}

void replay_report_end(const struct replay *r, bool complete)
{
    const struct replay_counts *n = &r->counts;

    if (rep_page(r->rep))
        cli_text_warnings(rep_page(r->rep));
    if (!r->begun)
        return;
    rep_row(r->rep, SUMMARY,
            REP_CELLS(rep_text(r->chip ? r->chip->name : ""), rep_count(n->writes),
                      rep_count(n->reads), rep_count(n->compared), rep_count(n->differ),
                      rep_count(n->outside), rep_count(n->odd), rep_count(r->gaps.lost),
                      rep_count(r->gaps.unknown), rep_bool(complete)));
    rep_warnings(r->rep, WARNINGS);
}
