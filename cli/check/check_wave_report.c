/* SPDX-License-Identifier: MIT */
/* pcounter check WAVE, for programs: the tree, and what goes into it. */
#include "check_wave.h"
#include "core/core_fields.h"

#include <inttypes.h>

/* --- the tree --- */

static const struct rep_field diff_fields[] = {
    { "edge", REP_COUNT, .about = "the edge of the clock, from 0" },
    { "register", REP_TEXT, .about = "the register that differs" },
    { "time", REP_COUNT, .about = "when, in time units of the waveform; absent if it is not known",
      .flags = REP_MAYBE },
    { "design", REP_TEXT, .about = "what the design has; null: unknown (x, z)", .flags = REP_NULL,
      .pattern = "^0x[0-9a-f]{1,16}$" },
    { "model", REP_TEXT, .about = "what the model has", .pattern = "^0x[0-9a-f]{1,16}$" },
    { "clause", REP_TEXT, .about = "the clause of the rule that decided" },
    { "rule", REP_TEXT, .about = "the rule as text" },
    { "like", REP_TEXT, .about = "the quirk that would explain it", .flags = REP_MAYBE },
    { "reference", REP_TEXT, .about = "where that is known from", .flags = REP_MAYBE },
    { .name = NULL },
};
static const struct rep_field register_fields[] = {
    { "name", REP_TEXT, .about = "the register" },
    { "compared", REP_COUNT, .about = "values that were compared" },
    { "differences", REP_COUNT, .about = "of them, those that differ" },
    { "last", REP_COUNT, .about = "the model's value after the last edge; not of answers to reads",
      .flags = REP_MAYBE },
    { "as_if", REP_TEXT,
      .about =
          "what would explain all differences that are not quirks, if there are several and it "
          "is found",
      .flags = REP_MAYBE },
    { .name = NULL },
};
static const struct rep_field left_out_fields[] = {
    { "name", REP_TEXT, .about = "the register" },
    { "why", REP_TEXT, .about = "what is missing" },
    { .name = NULL },
};
static const struct rep_field group_fields[] = {
    { "clause", REP_TEXT, .about = "the clause of the rule that decided" },
    { "like", REP_TEXT, .about = "the quirk that would explain it; empty: none" },
    { "count", REP_COUNT, .about = "differences of this kind", .least = 1 },
    { "first_edge", REP_COUNT, .about = "the edge of the first one" },
    { .name = NULL },
};
/* A register of the core a row, whether it was compared or not. */
static const struct rep_field row_fields[] = {
    { "register", REP_TEXT, .flags = REP_NULL },
    { "verdict", REP_TEXT, .flags = REP_NULL },
    { "compared", REP_COUNT, .flags = REP_NULL },
    { "differences", REP_COUNT, .flags = REP_NULL },
    { "first_edge", REP_COUNT, .flags = REP_NULL },
    { "first_time", REP_COUNT, .flags = REP_NULL },
    { "design", REP_TEXT, .flags = REP_NULL },
    { "model", REP_TEXT, .flags = REP_NULL },
    { "clause", REP_TEXT, .flags = REP_NULL },
    { "like", REP_TEXT, .flags = REP_NULL },
    { "not_compared", REP_TEXT, .flags = REP_NULL },
    { "as_if", REP_TEXT, .flags = REP_NULL },
    { .name = NULL },
};
static const struct rep_field warning = { .name = "warning",
                                          .kind = REP_TEXT,
                                          .csv = "clause",
                                          .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )" };

enum {
    SHOWN = 5,
    REGISTERS,
    LEFT_OUT,
    GROUPS,
    EDGES,
    IN_RESET,
    BETWEEN,
    TAKEN,
    COMPARED,
    DIFFERENCES,
    AGREES,
    COMPLETE,
    WARNINGS,
    ROWS
};
static const struct rep_field fields[] = {
    { "file", REP_TEXT, .about = "the waveform, as it was given" },
    { "core", REP_TEXT, .about = "the configuration of CVA6" },
    CORE_PROFILE_FIELD,
    CORE_SWITCHED_FIELD,
    CORE_SCOPE_FIELD,
    { "shown", REP_LIST, .about = "the first 20 differences", .flags = REP_STREAM,
      .field = diff_fields, .item = "a difference", .one = "difference" },
    { "registers", REP_LIST, .about = "those that were compared", .flags = REP_STREAM,
      .field = register_fields, .item = "a register that was compared", .one = "register" },
    { "not_compared", REP_LIST, .about = "registers of the core that were not", .flags = REP_STREAM,
      .field = left_out_fields, .item = "a register of the core that was not compared",
      .one = "not_compared" },
    { "groups", REP_LIST, .about = "differences by what decided", .flags = REP_STREAM,
      .field = group_fields, .item = "differences of one kind", .one = "group" },
    { "edges", REP_COUNT, .about = "edges of the clock" },
    { "in_reset", REP_COUNT, .about = "of them, those in reset" },
    { "resets_between", REP_COUNT, .about = "resets that began and ended between two edges" },
    { "taken_as_reset", REP_COUNT, .about = "clocks that were taken as reset for want of rst_ni" },
    { "compared", REP_COUNT, .about = "values of all registers that were compared",
      .flags = REP_NO_CSV },
    { "differences", REP_COUNT, .about = "of them, those that differ", .flags = REP_NO_CSV },
    { "agrees_with_rtl", REP_BOOL, .about = "there are differences, and none by the profile rtl" },
    { "complete", REP_BOOL, .about = "false: the first difference ended the run",
      .flags = REP_NO_LINES },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed, with its code and place, as on standard error",
      .flags = REP_ROW, .value = &warning, .fixed = "scope=,register=WARNING,switched=" },
    { "rows", REP_LIST, .flags = REP_ROW | REP_NO_JSON, .field = row_fields },
    { .name = NULL },
};

const struct rep_def check_wave_report = {
    .schema = "pcounter-check-wave-2",
    .lines = "pcounter-check-wave-lines-2",
    .call = "pcounter check WAVE --core NAME",
    .about = "Counters of a CVA6 core in a waveform, compared with the model. Of several files the "
             "program prints an array.",
    .field = fields,
    .columns = "file,core,profile,scope,register,compared,differences,first_edge,first_time,"
               "design,model,clause,like,switched,not_compared,as_if",
    .test = "register",
    .verdict = "verdict",
    .test_columns = "file,core,profile,register,verdict,compared,differences,first_edge,"
                    "first_time,design,model,clause,like,not_compared,as_if",
    .passed = "same",
    .skipped = "not compared",
};

/* --- cells --- */

enum { HEX = 24 };

static const char *hex_text(uint64_t value, char out[HEX])
{
    snprintf(out, HEX, "0x%" PRIx64, value);
    return out;
}

static void put_diff(struct rep *r, const struct wave_diff *d, const uint64_t *time)
{
    char name[WAVE_NAME], design[HEX], model[HEX];

    rep_row(r, SHOWN,
            REP_CELLS(rep_count(d->cycle), rep_text(wave_reg_name(d->reg, name)),
                      time ? rep_count(*time) : rep_absent(),
                      rep_text(d->unknown ? NULL : hex_text(d->design, design)),
                      rep_text(hex_text(d->model, model)), rep_text(wave_clause_of(d->rule)),
                      rep_text(wave_about_of(d->rule)),
                      d->like ? rep_text(d->like->name) : rep_absent(),
                      d->like ? rep_text(d->like->reference) : rep_absent()));
}

static void put_register(struct rep *rep, const struct wave_result *r, unsigned i)
{
    char name[WAVE_NAME], guess[200];

    wave_guess_text(r, i, guess, sizeof guess);
    rep_row(rep, REGISTERS,
            REP_CELLS(rep_text(wave_reg_name(i, name)), rep_count(r->compared[i]),
                      rep_count(r->differences[i]),
                      WAVE_ANSWERS >> i & 1 ? rep_absent() : rep_count(r->last[i]),
                      guess[0] ? rep_text(guess) : rep_absent()));
}

static void put_items(struct rep *rep, const struct core *c, const struct wave_result *r,
                      const uint64_t *time)
{
    char name[WAVE_NAME], why[300];

    for (size_t i = 0; i < r->shown_count; i++)
        put_diff(rep, &r->shown[i], time ? &time[i] : NULL);
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (r->compared[i] > 0)
            put_register(rep, r, i);
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if ((wave_regs_seen(c) >> i & 1) && *wave_why_not(c, r, i, why, sizeof why))
            rep_row(rep, LEFT_OUT, REP_CELLS(rep_text(wave_reg_name(i, name)), rep_text(why)));
    for (size_t i = 0; i < r->groups; i++) {
        const struct wave_group *g = &r->group[i];
        rep_row(rep, GROUPS,
                REP_CELLS(rep_text(wave_clause_of(g->rule)), rep_text(g->like ? g->like->name : ""),
                          rep_count(g->count), rep_count(g->first)));
    }
}

/* Index of the first difference told of the register; -1 if none was. */
static int first_of(const struct wave_result *r, unsigned reg)
{
    for (size_t i = 0; i < r->shown_count; i++)
        if (r->shown[i].reg == reg)
            return (int)i;
    return -1;
}

static void put_row(struct rep *rep, const struct core *c, const struct wave_result *r,
                    const uint64_t *time, unsigned reg)
{
    char name[WAVE_NAME], why[300], guess[300], design[HEX], model[HEX];
    const int first = first_of(r, reg);
    const struct wave_diff *d = first < 0 ? NULL : &r->shown[first];

    wave_why_not(c, r, reg, why, sizeof why);
    wave_guess_text(r, reg, guess, sizeof guess);
    rep_row(rep, ROWS,
            REP_CELLS(rep_text(wave_reg_name(reg, name)),
                      rep_text(r->differences[reg] ? "differs"
                               : r->compared[reg]  ? "same"
                                                   : "not compared"),
                      rep_count(r->compared[reg]), rep_count(r->differences[reg]),
                      d ? rep_count(d->cycle) : rep_null(),
                      d && time ? rep_count(time[first]) : rep_null(),
                      rep_text(!d           ? NULL
                               : d->unknown ? "x"
                                            : hex_text(d->design, design)),
                      rep_text(d ? hex_text(d->model, model) : NULL),
                      rep_text(d ? wave_clause_of(d->rule) : NULL),
                      rep_text(d && d->like ? d->like->name : NULL), rep_text(why),
                      rep_text(guess)));
}

void wave_put(struct rep *rep, const struct check_options *o, const struct core *c,
              const struct wave_result *r, const uint64_t *time)
{
    const uint32_t regs = wave_regs_seen(c);
    char quirks[400];

    core_switched(o->quirks_on, o->quirks_off, quirks, sizeof quirks);
    rep_root(rep, REP_CELLS(rep_text(cli_input_label(c->options->path)),
                            rep_text(c->options->config->name), rep_text(c->options->profile->name),
                            rep_text(quirks + (quirks[0] != '\0')), rep_text(c->scope)));
    put_items(rep, c, r, time);
    rep_totals(rep, r->stopped);
    rep_set(rep, EDGES, rep_count(r->edges));
    rep_set(rep, IN_RESET, rep_count(r->in_reset));
    rep_set(rep, BETWEEN, rep_count(r->between));
    rep_set(rep, TAKEN, rep_count(r->assumed));
    rep_set(rep, COMPARED, rep_count(r->total_compared));
    rep_set(rep, DIFFERENCES, rep_count(r->total_differences));
    rep_set(rep, AGREES, rep_bool(r->rtl_agrees));
    rep_set(rep, COMPLETE, rep_bool(!r->stopped));
    for (unsigned i = 0; i < WAVE_REGS; i++)
        if (regs >> i & 1)
            put_row(rep, c, r, time, i);
    rep_warnings(rep, WARNINGS);
    rep_end(rep);
}
