/* SPDX-License-Identifier: MIT */
/* pcounter merge: reports of parts, or of many runs, into one. */
#include "merge/merge.h"

#include <stdlib.h>
#include <string.h>

#include "complete/complete.h"
#include "diff/diff_jansson.h"
#include "record/record.h"
#include "stat/stat_report.h"
#include "text/warnings.h"
#include "wave/event_list.h"
#include "wave/read_options.h"

#define HINT "make it with `pcounter stat`, `record`, `bus` or `activity` and --format json"

enum { MOST = 256 << 20 }; /* bytes of a file */

struct merge_options {
    char **file;
    size_t files;
    bool inexact, again;
    struct merge_parts parts;
    size_t memory;
    struct rep_request report;
};

/* --- reading --- */

static int add(struct merge_options *o, struct merge_report *sum, struct merge_report *r)
{
    int code = merge_check(r, o->inexact);

    if (code == CLI_OK)
        code = merge_take_parts(&o->parts, r);
    if (code == CLI_OK && sum->reports > 0) {
        code = merge_add(sum, r);
        tree_free(&r->root);
        return code;
    }
    if (code == CLI_OK && !(r->from = cli_copy(r->path, strlen(r->path))))
        code = cli_no_memory();
    if (code) {
        tree_free(&r->root);
        return code;
    }
    *sum = *r;
    sum->root.field = &sum->field;
    return CLI_OK;
}

/* One, or an array of them. */
static int add_all(struct merge_options *o, const struct diff_file *f, struct merge_report *sum)
{
    const json_t *root = f->json;
    const bool several = json_is_array(root);
    const size_t n = several ? f->jansson->array_size(root) : 1;
    int code = n > 0 ? CLI_OK : diff_fail(f, 1701, "an array without a report");

    for (size_t i = 0; i < n && code == CLI_OK; i++) {
        struct merge_report r = { .reports = 0 };
        code = merge_read(f, several ? f->jansson->array_get(root, i) : root, &r);
        if (code == CLI_OK)
            code = add(o, sum, &r);
        else
            tree_free(&r.root);
    }
    return code;
}

static int add_file(struct merge_options *o, const char *path, struct merge_report *sum)
{
    struct diff_file f = { .path = path, .memory = o->memory, .hint = HINT, .once = true };
    char *text = NULL;
    size_t size;
    int code = cli_read_file("merge", path, MOST, &text, &size);

    if (code == CLI_OK)
        code = diff_json_open(&f, text, size);
    free(text);
    if (code == CLI_OK)
        code = add_all(o, &f, sum);
    diff_json_close(&f);
    return code;
}

/* --- telling --- */

static struct rep_def def_of(const struct merge_report *r)
{
    struct rep_def def = *merge_defs[r->kind];
    const struct rep_tree *chip = tree_value(&r->root, "chip", TREE_TEXT);

    if (r->kind == MERGE_RECORD)
        return def;
    def.series = false;
    def.page &= r->kind != MERGE_STAT;
    def.tables = !def.page;
    def.own = 0;
    if (r->kind != MERGE_STAT)
        return def;
    def.columns = stat_columns(chip != NULL, false, false, merge_clocks(r) != NULL,
                               tree_value(&r->root, "core", TREE_TEXT) != NULL);
    return def;
}

/* Says the warnings of the reports again, as those of the sum. */
static void repeat_warnings(const struct rep_tree *root)
{
    const struct rep_tree *warning;
    char *rest;

    for (size_t i = 0; (warning = tree_item(root, "warnings", i)) != NULL; i++) {
        const char *text = warning->text;
        const bool coded = strncmp(text, "PC-W", 4) == 0;
        const unsigned long code = coded ? strtoul(text + 4, &rest, 10) : 0;
        if (coded && rest == text + 8 && strncmp(rest, ": ", 2) == 0)
            cli_warning((unsigned)code, "%s", rest + 2);
        else
            cli_keep_again(text);
    }
}

static int tell(const struct merge_options *o, struct merge_report *sum)
{
    const struct rep_def def = def_of(sum);
    const char *lacks = rep_lacks(&def, &o->report);
    struct rep *rep;
    int code = CLI_OK;

    if (lacks)
        return cli_usage("merge", "a report of `%s` has no format %s", def.call, lacks);
    if (sum->reports > 1 && sum->kind != MERGE_RECORD) {
        merge_finish(sum);
        code = merge_formulas(sum);
        if (code == CLI_OK && sum->kind == MERGE_ACTIVITY)
            code = merge_sort_nets(sum);
    }
    repeat_warnings(&sum->root);
    if (code == CLI_OK && (sum->kind == MERGE_STAT || sum->kind == MERGE_ACTIVITY))
        code = merge_name_expectations(sum);
    if (sum->lost)
        cli_warning(515, "of some distributions percentiles are not known: a report does not list "
                         "their values");
    if (sum->left_out)
        cli_warning(515,
                    "percentiles of --percentile are left out: the reports do not have the same");
    if (o->parts.uneven)
        cli_warning(1704, "seconds are the sum of those of the parts, each by its own mean period, "
                          "which differ: the whole can have taken others");
    if (code == CLI_OK)
        code = rep_open(&rep, &def, &o->report);
    if (code)
        return code;
    if (sum->kind == MERGE_RECORD)
        return rep_close(rep, record_again(rep, &sum->root, sum->from, sum->reports));
    code = merge_print(rep_page(rep), def.page ? rep_own(rep, "html") : NULL, sum);
    if (rep_has_rows(rep))
        merge_put(rep, sum);
    return rep_close(rep, code ? code : merge_is_unmet(sum) ? CLI_NO : CLI_OK);
}

static int merge(struct merge_options *o)
{
    struct merge_report sum = { .reports = 0 };
    int code = CLI_OK;

    for (size_t i = 0; i < o->files && code == CLI_OK; i++)
        code = add_file(o, o->file[i], &sum);
    if (code == CLI_OK && sum.reports > 1)
        code = merge_check_parts(&o->parts, &sum, o->again);
    if (code == CLI_OK)
        code = tell(o, &sum);
    merge_parts_free(&o->parts);
    tree_free(&sum.root);
    free(sum.from);
    return code;
}

/* --- the command line --- */

/* Which formats there are: those of all reports, some of which one of them lacks. */
static const struct rep_field none[] = { { "", REP_LIST, .flags = REP_STREAM }, { .name = NULL } };
static const struct rep_def formats = {
    .schema = "", .call = "pcounter merge", .field = none, .series = true, .test = ""
};

#define O struct merge_options
static const struct opt rows[] = {
    { .name = "inexact",
      OPT_SWITCH(O, inexact),
      .brief = "also add tainted, saturated and lost counts",
      .more = "the sum has that state as well" },
    { .name = "again",
      OPT_SWITCH(O, again),
      .brief = "also add reports of the same cycles of one waveform" },
    { .name = "memory",
      OPT_MEMORY(O, memory),
      .brief = "memory limit of a report file, like 2G (20 times its size)" },
    REP_OPTIONS(O, report, &formats),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand files = { .first = complete_files, .rest = complete_files };
static const struct opt_line line = { .name = "merge", .row = rows, .operand = &files };

static int run(int argc, char **argv)
{
    struct merge_options o = { .inexact = false };
    struct opt_said said;
    int code = opt_read(&cli_verb_merge, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    if (said.operands == 0)
        return cli_usage("merge", "which reports? The arguments are files of JSON, or - for "
                                  "standard input");
    o.file = said.operand;
    o.files = said.operands;
    code = cli_check_dashes("merge", cli_dashes((const char *const *)o.file, o.files));
    return code ? code : merge(&o);
}

const struct cli_verb cli_verb_merge = {
    .name = "merge",
    .summary = "add reports of several runs, or of parts of a run",
    .run = run,
    .line = &line,
};
