/* SPDX-License-Identifier: MIT */
/* The report of a replay of vectors. */
#include "check_replay.h"
#include "core/core.h"
#include "core/core_fields.h"

#include <inttypes.h>
#include <string.h>

static const char *profile_name(const struct check_options *o)
{
    return core_profile(o->profile)->name;
}

void check_replay_print(const struct replay *r)
{
    char quirks[400], shown[40] = "";

    if (r->differences > MOST_SHOWN)
        snprintf(shown, sizeof shown, ", the first %d shown", MOST_SHOWN);
    core_switched(r->options->quirks_on, r->options->quirks_off, quirks, sizeof quirks);
    cli_print_name(r->page, r->in->path);
    fprintf(r->page, ": %s ", r->head.csr ? "csr" : "perf");
    cli_print_name(r->page, r->head.core);
    fprintf(r->page, ", profile %s%s%s\n", profile_name(r->options),
            r->options->profile ? "" : " (the default)", quirks);
    fprintf(r->page, "  clocks       %14s\n", cli_grouped(r->rows));
    fprintf(r->page, "  states       %14s\n", cli_grouped(r->states));
    fprintf(r->page, "  compared     %14s values\n", cli_grouped(r->values));
    fprintf(r->page, "  differences  %14s%s%s\n", cli_grouped(r->differences), shown,
            r->stop ? ", stopped there (--keep-going continues)" : "");
}

static const char *const kinds[] = { "csr", "perf", NULL };

static const struct rep_field first_fields[] = {
    { "line", REP_COUNT, .about = "the line of the file", .least = 1 },
    { "what", REP_TEXT, .about = "the register or wire" },
    { "model", REP_TEXT, .about = "what the model has, hexadecimal",
      .pattern = "^[0-9a-f]{1,16}$" },
    { "file", REP_TEXT, .about = "what the file has, hexadecimal", .pattern = "^[0-9a-f]{1,16}$" },
    { "clause", REP_TEXT, .about = "the clause of the rule that decided" },
    { .name = NULL },
};
static const struct rep_field row_fields[] = {
    { "verdict", REP_TEXT, .flags = REP_NULL },
    { "first_line", REP_COUNT, .flags = REP_NULL },
    { "first_what", REP_TEXT, .flags = REP_NULL },
    { .name = NULL },
};

enum { FIRST = 10, ROW };
static const struct rep_field fields[] = {
    { "file", REP_TEXT, .about = "the file, as it was given" },
    { "kind", REP_WORD, .about = "what was measured: the registers, or the unit alone",
      .words = kinds },
    { "core", REP_TEXT, .about = "the core, as the file says" },
    CORE_PROFILE_FIELD,
    CORE_SWITCHED_FIELD,
    { "clocks", REP_COUNT, .about = "clocks of the file" },
    { "states", REP_COUNT, .about = "states that were compared" },
    { "compared", REP_COUNT, .about = "values that were compared" },
    { "differences", REP_COUNT, .about = "of them, those that differ" },
    { "complete", REP_BOOL, .about = "false: the first difference ended the run" },
    { "first", REP_OBJECT, .about = "the first difference; null: there is none", .flags = REP_NULL,
      .field = first_fields },
    { "row", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = row_fields },
    { .name = NULL },
};

const struct rep_def check_vectors_report = {
    .schema = "pcounter-check-vectors-1",
    .call = "pcounter check VECTORS",
    .about = "Measured vectors of CVA6, compared with the model. Of several files the program "
             "prints an array.",
    .field = fields,
    .columns = "file,kind,core,profile,clocks,states,compared,differences,first_line,first_what,"
               "switched",
    .test = "file",
    .verdict = "verdict",
    .test_columns = "file,verdict,clocks,states,compared,differences,first_line,first_what",
    .passed = "same",
    .bare = true,
};

void check_replay_put(struct rep *rep, const struct replay *r)
{
    char quirks[400], model[20], file[20];
    const bool differs = r->differences > 0;

    core_switched(r->options->quirks_on, r->options->quirks_off, quirks, sizeof quirks);
    snprintf(model, sizeof model, "%" PRIx64, r->first_model);
    snprintf(file, sizeof file, "%" PRIx64, r->first_file);
    rep_root(rep,
             REP_CELLS(rep_text(r->in->path), rep_text(kinds[!r->head.csr]), rep_text(r->head.core),
                       rep_text(profile_name(r->options)), rep_text(quirks + (quirks[0] != '\0')),
                       rep_count(r->rows), rep_count(r->states), rep_count(r->values),
                       rep_count(r->differences), rep_bool(!r->stop)));
    if (differs)
        rep_row(rep, FIRST,
                REP_CELLS(rep_count(r->first_line), rep_text(r->first_what), rep_text(model),
                          rep_text(file), rep_text(r->first_clause)));
    else
        rep_set(rep, FIRST, rep_null());
    rep_row(rep, ROW,
            REP_CELLS(rep_text(differs ? "differs" : "same"),
                      differs ? rep_count(r->first_line) : rep_null(),
                      rep_text(differs ? r->first_what : NULL)));
    rep_end(rep);
}
