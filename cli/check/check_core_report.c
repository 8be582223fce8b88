/* SPDX-License-Identifier: MIT */
/* pcounter check --core FILE, for programs: the tree, and what goes into it. */
#include "check_core.h"

#include <inttypes.h>

#define HEX "^0x[0-9a-fx]+$"

static const char *const kinds[] = { "register", "check", NULL };
static const struct rep_field difference_fields[] = {
    { "register", REP_TEXT, .about = "its name after `for`; or the name of a check" },
    { "kind", REP_WORD, .about = "whether a register differs, or a check fails", .words = kinds },
    { "is", REP_TEXT, .about = "what it is compared with; null: of a check", .flags = REP_NULL },
    { "edge", REP_COUNT, .about = "the edge of the clock, from 0" },
    { "time", REP_COUNT, .about = "when, in time units of the waveform; null: it is read once",
      .flags = REP_NULL },
    { "design", REP_TEXT,
      .about = "the value in the design, or the left side of a check; null: unknown (x, z), or a "
               "check without ==",
      .flags = REP_NULL, .pattern = HEX },
    { "model", REP_TEXT, .about = "what the model has, or the right side", .flags = REP_NULL,
      .pattern = HEX },
    { "before", REP_TEXT,
      .about = "the register at the edge before; with values, writes and as_if of the first "
               "difference of a register and of the first 20",
      .flags = REP_MAYBE, .pattern = HEX },
    { "rule", REP_TEXT, .about = "the rule that decided, with its line" },
    { "values", REP_TEXT, .about = "the signals that it read, with their values",
      .flags = REP_MAYBE },
    { "writes", REP_TEXT, .about = "the last rule that has set the register", .flags = REP_MAYBE },
    { "as_if", REP_TEXT, .about = "what would explain the design", .flags = REP_MAYBE },
    { "clause", REP_TEXT, .about = "of a document, which the rule or check names",
      .flags = REP_MAYBE },
    { "known", REP_TEXT,
      .about = "a behaviour that is known, as the rule or check says, or the rule of as_if",
      .flags = REP_MAYBE },
    { .name = NULL },
};
static const struct rep_field register_fields[] = {
    { "name", REP_TEXT, .about = "the register" },
    { "is", REP_TEXT, .about = "what it is compared with; null: nothing", .flags = REP_NULL },
    { "width", REP_COUNT, .about = "bits", .least = 1 },
    { "compared", REP_COUNT, .about = "values that were compared" },
    { "differences", REP_COUNT, .about = "of them, those that differ" },
    { "unknown", REP_COUNT, .about = "edges at which unknown inputs left it unknown" },
    { "as_if", REP_TEXT,
      .about =
          "what would explain all its differences, the first 64 of them, if there are several: "
          "another event in a selector, an inhibited bit",
      .flags = REP_MAYBE },
    { .name = NULL },
};
static const struct rep_field check_fields[] = {
    { "name", REP_TEXT, .about = "the check" },
    { "looked", REP_COUNT, .about = "edges at which its `when` held" },
    { "failed", REP_COUNT, .about = "of them, those at which `that` did not" },
    { "unknown", REP_COUNT, .about = "edges at which it depends on unknown values" },
    { .name = NULL },
};
static const struct rep_field rule_fields[] = {
    { "register", REP_TEXT, .about = "its register" },
    { "line", REP_COUNT, .about = "of the description" },
    { "acted", REP_COUNT, .about = "edges at which it has acted; 0: it was never tried" },
    { .name = NULL },
};
static const struct rep_field row_fields[] = {
    { "register", REP_TEXT, .flags = REP_NULL },     { "is", REP_TEXT, .flags = REP_NULL },
    { "verdict", REP_TEXT, .flags = REP_NULL },      { "compared", REP_COUNT, .flags = REP_NULL },
    { "differences", REP_COUNT, .flags = REP_NULL }, { "first_edge", REP_COUNT, .flags = REP_NULL },
    { "first_time", REP_COUNT, .flags = REP_NULL },  { "design", REP_TEXT, .flags = REP_NULL },
    { "model", REP_TEXT, .flags = REP_NULL },        { "rule", REP_TEXT, .flags = REP_NULL },
    { "as_if", REP_TEXT, .flags = REP_NULL },        { "clause", REP_TEXT, .flags = REP_NULL },
    { "known", REP_TEXT, .flags = REP_NULL },        { .name = NULL },
};
static const struct rep_field warning = {
    .name = "warning", .kind = REP_TEXT, .csv = "rule", .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )"
};

enum {
    DIFFERENCES = 5,
    REGISTERS,
    CHECKS,
    RULES,
    UNTRIED,
    EDGES,
    IN_RESET,
    BETWEEN,
    COMPARED,
    TOTAL,
    UNKNOWN,
    ADOPTED,
    COMPLETE,
    WARNINGS,
    ROWS
};
static const struct rep_field fields[] = {
    { "file", REP_TEXT, .about = "the waveform, as it was given" },
    { "description", REP_TEXT, .about = "the file of the description" },
    { "core", REP_TEXT, .about = "its name" },
    { "profile", REP_TEXT,
      .about = "whose behaviour it describes, as it says; null: it says nothing",
      .flags = REP_NULL },
    { "scope", REP_TEXT, .about = "where names are looked for first; null: nowhere",
      .flags = REP_NULL },
    { "differences", REP_LIST,
      .about = "in order of edge: the first 10000, and the first of each register and check",
      .flags = REP_STREAM, .field = difference_fields, .item = "a difference",
      .one = "difference" },
    { "registers", REP_LIST, .about = "of the description", .flags = REP_STREAM,
      .field = register_fields, .item = "a register", .one = "register" },
    { "checks", REP_LIST, .about = "of the description", .flags = REP_STREAM, .field = check_fields,
      .item = "a check", .one = "check" },
    { "rules", REP_LIST, .about = "of all registers", .flags = REP_STREAM, .field = rule_fields,
      .item = "a rule", .one = "rule" },
    { "untried", REP_LIST,
      .about = "what no edge has tried, of a run that was not cut off: nothing is known of it",
      .flags = REP_STREAM, .field = core_untried_fields, .item = "what was never tried",
      .one = "untried" },
    { "edges", REP_COUNT, .about = "edges of the clock" },
    { "in_reset", REP_COUNT, .about = "of them, those in reset" },
    { "resets_between", REP_COUNT, .about = "resets that began and ended between two edges" },
    { "compared", REP_COUNT, .about = "values of all registers that were compared",
      .flags = REP_NO_CSV },
    { "total_differences", REP_COUNT, .about = "values that differ, and checks that fail" },
    { "unknown", REP_COUNT,
      .about = "edges at which a register or check was unknown, all together" },
    { "adopted", REP_BOOL,
      .about = "the waveform does not begin in reset: registers began as they are" },
    { "complete", REP_BOOL, .about = "false: the first difference ended the run",
      .flags = REP_NO_LINES },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed, with its code and place, as on standard error",
      .flags = REP_ROW, .value = &warning, .fixed = "scope=,register=WARNING" },
    { "rows", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = row_fields },
    { .name = NULL },
};

const struct rep_def check_core_report = {
    .schema = "pcounter-check-core-1",
    .lines = "pcounter-check-core-lines-1",
    .call = "pcounter check WAVE --core FILE",
    .about = "Registers of a design in a waveform, compared with a description of them. Of several "
             "files the program prints an array.",
    .field = fields,
    .columns =
        "file,core,profile,scope,register,is,compared,differences,first_edge,first_time,design,"
        "model,rule,as_if,clause,known",
    .test = "register",
    .verdict = "verdict",
    .test_columns = "file,core,profile,register,verdict,compared,differences,first_edge,"
                    "first_time,design,model,rule,as_if",
    .passed = "same",
    .skipped = "not compared",
};

/* ---- cells ---- */

static const char *name_of(const struct core_run *run, const struct core_difference *k)
{
    return k->of_check ? run->d.check[k->item].name : run->d.reg[k->item].name;
}

static struct rep_cell maybe(const char *text)
{
    return text && text[0] ? rep_text(text) : rep_absent();
}

static void rule_of(const struct core_run *run, const struct core_difference *k, char *out,
                    size_t size)
{
    if (k->of_check)
        described_check_text(&run->d, k->item, out, size);
    else if (k->was_reset)
        snprintf(out, size, "the value after a reset");
    else
        described_rule_text(&run->d, k->item, k->rule, out, size);
}

static void put_difference(struct rep *rep, const struct core_run *run,
                           const struct core_difference *k)
{
    const struct described_said said = core_said(run, k);
    char rule[600];

    rule_of(run, k, rule, sizeof rule);
    rep_row(rep, DIFFERENCES,
            REP_CELLS(rep_text(name_of(run, k)), rep_text(kinds[k->of_check]),
                      rep_text(k->of_check ? NULL : run->d.reg_node[k->item].shown),
                      rep_count(k->edge), k->timed ? rep_count(k->time) : rep_null(),
                      rep_text(k->design), rep_text(k->model), maybe(k->before), rep_text(rule),
                      maybe(k->values), maybe(k->writes), maybe(k->cause), maybe(said.clause),
                      maybe(said.known)));
}

static void put_row(struct rep *rep, const struct core_run *run, const char *name, const char *is,
                    const struct pc_core_figures *f, size_t first)
{
    const struct core_difference *k = first ? &run->difference[first - 1] : NULL;
    struct described_said said = { NULL, NULL };
    char rule[600] = "";

    if (k) {
        said = core_said(run, k);
        rule_of(run, k, rule, sizeof rule);
    }
    rep_row(rep, ROWS,
            REP_CELLS(rep_text(name), rep_text(is),
                      rep_text(f->differences ? "differs"
                               : f->compared  ? "same"
                                              : "not compared"),
                      rep_count(f->compared), rep_count(f->differences),
                      k ? rep_count(k->edge) : rep_null(),
                      k && k->timed ? rep_count(k->time) : rep_null(),
                      rep_text(k && !k->design && !k->of_check ? "x"
                               : k                             ? k->design
                                                               : NULL),
                      rep_text(k ? k->model : NULL), rep_text(k ? rule : NULL),
                      rep_text(k ? k->cause : NULL), rep_text(said.clause), rep_text(said.known)));
}

static void put_lists(struct rep *rep, const struct core_run *run)
{
    const struct described *d = &run->d;
    char text[CORE_INSTEAD_TEXT];
    struct pc_core_figures f;

    for (size_t i = 0; i < run->differences; i++)
        put_difference(rep, run, &run->difference[i]);
    for (size_t i = 0; i < d->desc.regs; i++) {
        pc_core_get_register(d->core, i, &f);
        rep_row(rep, REGISTERS,
                REP_CELLS(rep_text(d->reg[i].name), rep_text(d->reg_node[i].shown),
                          rep_count(d->reg[i].width), rep_count(f.compared),
                          rep_count(f.differences), rep_count(f.unknown),
                          core_instead_text(run, i, text, sizeof text) ? rep_text(text)
                                                                       : rep_absent()));
    }
    for (size_t i = 0; i < d->desc.checks; i++) {
        pc_core_get_check(d->core, i, &f);
        rep_row(rep, CHECKS,
                REP_CELLS(rep_text(d->check[i].name), rep_count(f.compared),
                          rep_count(f.differences), rep_count(f.unknown)));
    }
    for (size_t i = 0; i < d->desc.regs; i++)
        for (size_t k = 0; k < d->reg[i].rules; k++)
            rep_row(
                rep, RULES,
                REP_CELLS(rep_text(d->reg[i].name),
                          rep_count(described_line(d->rule_node[d->reg_node[i].first_rule + k].of)),
                          rep_count(pc_core_rule_acted(d->core, i, k))));
    core_untried_put(rep, UNTRIED, run);
}

void core_check_put(struct rep *rep, const struct core_run *run)
{
    const struct described *d = &run->d;
    struct pc_core_figures f;

    rep_root(rep, REP_CELLS(rep_text(cli_input_label(run->path)), rep_text(d->yaml.path),
                            rep_text(d->name), rep_text(d->profile), rep_text(run->wires.scope)));
    put_lists(rep, run);
    rep_totals(rep, run->stopped);
    rep_set(rep, EDGES, rep_count(run->counts.edges));
    rep_set(rep, IN_RESET, rep_count(run->counts.in_reset));
    rep_set(rep, BETWEEN, rep_count(run->counts.resets_between));
    rep_set(rep, COMPARED, rep_count(run->counts.compared));
    rep_set(rep, TOTAL, rep_count(run->counts.differences));
    rep_set(rep, UNKNOWN, rep_count(run->counts.unknown));
    rep_set(rep, ADOPTED, rep_bool(run->counts.adopted));
    rep_set(rep, COMPLETE, rep_bool(!run->stopped));
    for (size_t i = 0; i < d->desc.regs; i++) {
        pc_core_get_register(d->core, i, &f);
        put_row(rep, run, d->reg[i].name, d->reg_node[i].shown, &f, run->first[i]);
    }
    for (size_t i = 0; i < d->desc.checks; i++) {
        pc_core_get_check(d->core, i, &f);
        put_row(rep, run, d->check[i].name, NULL, &f, run->first[d->desc.regs + i]);
    }
    rep_warnings(rep, WARNINGS);
    rep_end(rep);
}
