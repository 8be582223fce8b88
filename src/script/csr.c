/* SPDX-License-Identifier: MIT */
/*
 * Scripts of a core's counters: CSR instructions in a mode, and instructions and clocks between
 * them.  Each CSR instruction is a clock, as on the core.  The whole text is checked before its
 * first command runs.
 */
#include "script/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "base/text.h"

struct core {
    const struct pc_csr_script_desc *desc;
    void *ctx;
    struct pc_script_result *result;
    const struct pc_hpm_config *config;
    const struct pc_hpm_profile *profile;
    struct pc_hpm *hpm; /* NULL: the text is checked */
    struct pc_hpm_mode mode;
};

typedef enum pc_status command_fn(struct core *k, struct sc_cursor *c, const struct sc_text *word,
                                  struct pc_error *err);

/* ---- words ---- */

static enum pc_status take_hex(const struct core *k, struct sc_cursor *c, const char *what,
                               uint64_t *out, struct pc_error *err)
{
    struct sc_text word;
    char shown[60];
    enum pc_status status = sc_need(c, what, &word, err);
    size_t i = word.size > 2 && word.at[0] == '0' && pc_lower(word.at[1]) == 'x' ? 2 : 0;

    if (status)
        return status;
    sc_show(&word, shown, sizeof shown);
    *out = 0;
    if (word.size - i > 16)
        return pc_fail_at(err, 806, c->line, word.column, "%s is %s and does not fit in 64 bits",
                          what, shown);
    for (; i < word.size || word.quoted; i++) {
        const int digit = word.quoted ? -1 : pc_hex_digit(word.at[i]);
        if (digit < 0)
            return pc_fail_at(err, 805, c->line, word.column,
                              "\"%s\" is not %s: a hexadecimal number is expected", shown, what);
        *out = *out << 4 | (unsigned)digit;
    }
    if (k->config->xlen == 32 && *out > UINT32_MAX)
        return pc_fail_at(err, 806, c->line, word.column, "%s is %s, and %s has 32 bits", what,
                          shown, k->config->name);
    return PC_OK;
}

/* The names that a CVA6 may have, on any configuration: an absent one traps, and is no mistake. */
static const struct pc_hpm_config all_there = {
    .name = "CVA6",
    .xlen = 32,
    .commit_ports = 2,
    .perf_counter_en = true,
    .zicntr = true,
    .zihpm = true,
    .rvs = true,
    .rvu = true,
    .rvh = true,
    .dcache_ways = 8,
};

static enum pc_status take_csr(struct sc_cursor *c, char name[32], uint16_t *address,
                               struct pc_error *err)
{
    struct sc_text word;
    struct pc_hpm_reg reg;
    char *end;
    enum pc_status status = sc_need(c, "a CSR", &word, err);

    if (status)
        return status;
    sc_show(&word, name, 32);
    if (pc_same_text(name, "time") || pc_same_text(name, "timeh")) {
        *address = name[4] ? 0xc81 : 0xc01;
        return PC_OK;
    }
    if (name[0] == '0' && pc_lower(name[1]) == 'x') {
        const unsigned long number = strtoul(name + 2, &end, 16);
        if (*end == '\0' && number <= 0xfff && pc_hpm_owns((unsigned)number)) {
            *address = (uint16_t)number;
            return PC_OK;
        }
    } else if (pc_hpm_reg_find(&all_there, name, &reg, NULL) == PC_OK) {
        *address = reg.address;
        return PC_OK;
    }
    status = pc_fail_at(err, 830, c->line, word.column, "\"%s\" is not a CSR of a counter", name);
    pc_hint(err, "like mhpmcounter3, mhpmevent3, hpmcounter3, mcountinhibit, mcounteren, 0xb03");
    return status;
}

/* ---- commands ---- */

static enum pc_status do_core(struct core *k, struct sc_cursor *c, const struct sc_text *word,
                              struct pc_error *err)
{
    struct sc_text name, profile;
    char text[64];
    enum pc_status status = sc_need(c, "the name of a core", &name, err);
    uint32_t column = name.column;

    if (status)
        return status;
    if (k->config)
        return pc_fail_at(err, 801, c->line, word->column, "a second `core`");
    status = pc_hpm_config_get(sc_show(&name, text, sizeof text), &k->config, err);
    if (status == PC_OK && sc_word(c, &profile, err) == PC_OK) {
        status = pc_hpm_profile_find(sc_show(&profile, text, sizeof text), &k->profile, err);
        column = profile.column;
    } else if (status == PC_OK) {
        k->profile = pc_hpm_profile_at(0);
    }
    if (status && err) {
        err->line = c->line;
        err->column = column;
    }
    return status;
}

static enum pc_status do_mode(struct core *k, struct sc_cursor *c, const struct sc_text *word,
                              struct pc_error *err)
{
    static const struct {
        const char *name;
        struct pc_hpm_mode mode;
    } modes[] = { { "M", { .privilege = 3 } },
                  { "S", { .privilege = 1 } },
                  { "U", { .privilege = 0 } },
                  { "VS", { .privilege = 1, .virtualised = true } },
                  { "VU", { .privilege = 0, .virtualised = true } },
                  { "debug", { .privilege = 3, .debug = true } } };
    struct sc_text text;
    char shown[60];
    enum pc_status status = sc_need(c, "a mode", &text, err);

    (void)word;
    if (status)
        return status;
    for (size_t i = 0; i < sizeof modes / sizeof modes[0]; i++) {
        const struct pc_hpm_mode m = modes[i].mode;
        const bool there = (m.privilege != 1 || k->config->rvs) &&
                           (m.privilege != 0 || k->config->rvu) &&
                           (!m.virtualised || k->config->rvh) && (!m.debug || k->config->debug);
        if (!sc_is(&text, modes[i].name))
            continue;
        if (!there)
            return pc_fail_at(err, 813, c->line, text.column, "%s has no mode %s", k->config->name,
                              modes[i].name);
        k->mode = m;
        return PC_OK;
    }
    return pc_fail_at(err, 813, c->line, text.column,
                      "\"%s\" is not a mode: M, S, U, VS, VU or debug",
                      sc_show(&text, shown, sizeof shown));
}

/* Reads what is expected, if anything is: a trap, or the value of a read. */
static enum pc_status take_expected(const struct core *k, struct sc_cursor *c, bool reads,
                                    bool *expects, bool *trap, uint64_t *value,
                                    struct pc_error *err)
{
    struct sc_cursor ahead = *c;
    struct sc_text word;

    *expects = sc_word(&ahead, &word, NULL) == PC_OK;
    *trap = *expects && sc_is(&word, "trap");
    if (*trap)
        *c = ahead;
    if (!*expects || *trap || !reads)
        return PC_OK;
    return take_hex(k, c, "the expected value", value, err);
}

static enum pc_status make_access(struct core *k, struct pc_csr_access *a,
                                  const struct pc_hpm_access *csr, bool trap, uint64_t expected,
                                  struct pc_error *err)
{
    struct pc_hpm_in in = { .mode = k->mode, .csr = *csr };
    char reason[300];

    a->reason = reason;
    a->rule = sc_csr_why(k->hpm, &in, reason, sizeof reason);
    a->cause = pc_hpm_csr(k->hpm, k->mode, csr, &a->value);
    const bool trapped = a->cause != PC_HPM_NO_TRAP;
    a->failed = a->expects && (trapped != trap || (!trap && a->value != expected));
    *(a->op == PC_HPM_CSR_READ ? &k->result->reads : &k->result->writes) += 1;
    k->result->expectations += a->expects;
    k->result->failed += a->failed;
    return k->desc->access(k->ctx, a, err);
}

static enum pc_status do_csr(struct core *k, struct sc_cursor *c, const struct sc_text *word,
                             struct pc_error *err)
{
    static const char letters[] = " wscr"; /* as enum pc_hpm_csr_op */
    struct pc_hpm_access csr = { .op =
                                     (enum pc_hpm_csr_op)(strchr(letters, word->at[3]) - letters) };
    const bool reads = csr.op == PC_HPM_CSR_READ;
    struct pc_csr_access a = { .line = c->line, .op = csr.op };
    char name[32];
    uint64_t expected = 0;
    bool trap = false;
    enum pc_status status = take_csr(c, name, &csr.address, err);

    if (status == PC_OK && !reads)
        status = take_hex(k, c, "the value", &csr.operand, err);
    if (status == PC_OK)
        status = take_expected(k, c, reads, &a.expects, &trap, &expected, err);
    a.name = name;
    return status || !k->hpm ? status : make_access(k, &a, &csr, trap, expected, err);
}

static enum pc_status do_insn(struct core *k, struct sc_cursor *c, const struct sc_text *word,
                              struct pc_error *err)
{
    uint32_t insn = 0;
    uint64_t count = 1;
    bool given;
    struct pc_hpm_port port;
    enum pc_status status = sc_hex(c, "an instruction", &insn, err);

    if (status == PC_OK)
        status = sc_count_or_end(c, "how often", SC_RUN_MAX, &count, &given, err);
    if (status)
        return status;
    struct pc_hpm_in in = { .mode = k->mode };
    if (!pc_hpm_classify(k->config, insn, &port))
        return pc_fail_at(err, 813, c->line, word->column, "0x%08x is not an instruction of %s",
                          (unsigned)insn, k->config->name);
    in.port[0] = port;
    in.port[0].ack = true;
    if (k->hpm)
        pc_hpm_advance(k->hpm, &in, given ? count : 1);
    return PC_OK;
}

static enum pc_status do_run(struct core *k, struct sc_cursor *c, const struct sc_text *word,
                             struct pc_error *err)
{
    const struct pc_hpm_in in = { .mode = k->mode };
    uint64_t count;
    const enum pc_status status = sc_count(c, "a number of clocks", SC_RUN_MAX, &count, err);

    (void)word;
    if (status == PC_OK && k->hpm)
        pc_hpm_advance(k->hpm, &in, count);
    return status;
}

/* ---- the whole ---- */

static const struct {
    const char *name;
    command_fn *run;
    const char *usage;
} commands[] = {
    { "core", do_core, "core NAME [PROFILE]" },  { "mode", do_mode, "mode M|S|U|VS|VU|debug" },
    { "csrr", do_csr, "csrr CSR [VALUE|trap]" }, { "csrw", do_csr, "csrw CSR VALUE [trap]" },
    { "csrs", do_csr, "csrs CSR VALUE [trap]" }, { "csrc", do_csr, "csrc CSR VALUE [trap]" },
    { "insn", do_insn, "insn WORD [COUNT]" },    { "run", do_run, "run CLOCKS" },
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

static enum pc_status do_line(struct core *k, struct sc_cursor *c, struct pc_error *err)
{
    struct sc_text word;
    char shown[60];
    size_t i = 0;
    enum pc_status status = sc_word(c, &word, err);

    if (status)
        return status == PC_END ? PC_OK : status;
    while (i < COMMANDS && !sc_is(&word, commands[i].name))
        i++;
    if (i == COMMANDS) {
        status = pc_fail_at(err, 802, c->line, word.column,
                            "unknown command \"%s\" in a script of a core",
                            sc_show(&word, shown, sizeof shown));
        pc_hint(err, "commands: core mode csrr csrw csrs csrc insn run");
        return status;
    }
    if (i > 0 && !k->config)
        return pc_fail_at(err, 801, c->line, word.column,
                          "`core NAME` is expected as the first command");
    status = commands[i].run(k, c, &word, err);
    if (status == PC_OK)
        status = sc_done(c, err);
    if (status && err && !err->hint[0] && (err->code == 803 || err->code == 804))
        pc_hint(err, "%s", commands[i].usage);
    return status;
}

static enum pc_status do_lines(struct core *k, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    const char *at = k->desc->text, *const end = at + k->desc->size;

    for (uint32_t line = 1; at < end && status == PC_OK; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        struct sc_cursor c = {
            .at = at, .start = at, .end = newline ? newline : end, .line = line
        };
        if (c.end - at > (long)SC_LINE_MAX || line == UINT32_MAX)
            return pc_fail_at(err, 817, line, 0, "a line of more than %u bytes", SC_LINE_MAX);
        status = do_line(k, &c, err);
        at = newline ? newline + 1 : end;
    }
    return status;
}

bool pc_csr_script_is(const char *text, size_t size)
{
    const char *const end = text + size;

    while (text < end && (pc_is_blank(*text) || *text == '\n' || *text == '#')) {
        const char *newline = *text == '#' ? memchr(text, '\n', (size_t)(end - text)) : text;
        if (!newline)
            return false;
        text = newline + 1;
    }
    return end - text >= 4 && memcmp(text, "core", 4) == 0 &&
           (end - text == 4 || pc_is_blank(text[4]) || text[4] == '\n');
}

enum pc_status pc_csr_script_run(const struct pc_csr_script_desc *desc, void *ctx,
                                 struct pc_script_result *out, struct pc_error *err)
{
    struct core k = { .desc = desc, .ctx = ctx, .result = out, .mode = { .privilege = 3 } };

    *out = (struct pc_script_result){ .reads = 0 };
    enum pc_status status = do_lines(&k, err);
    if (status == PC_OK && !k.config)
        status = pc_fail_at(err, 801, 1, 0, "the script has no command: `core NAME` is expected");
    if (status)
        return status;
    if (desc->begin)
        desc->begin(ctx, k.config, k.profile);
    const struct pc_hpm_desc model = { .config = k.config,
                                       .profile = k.profile,
                                       .alloc = desc->alloc };
    status = pc_hpm_create(&model, &k.hpm, err);
    k.config = NULL;
    k.mode = (struct pc_hpm_mode){ .privilege = 3 };
    if (status == PC_OK)
        status = do_lines(&k, err);
    pc_hpm_destroy(k.hpm);
    return status;
}
