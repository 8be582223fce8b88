/* SPDX-License-Identifier: MIT */
/*
 * pcounter check VECTORS: replays recorded clocks of CVA6's counters through the model and
 * compares what the RTL answered: the value and exception of every access, which counters
 * changed in every clock, and the whole state where the file has it.
 */
#include "check_replay.h"
#include "core/core.h"
#include "core/core_fields.h"

#include <inttypes.h>
#include <string.h>

/* A row to compare: the inputs, and the state of the model before it. */
struct row_view {
    struct pc_hpm_in in;
    struct pc_hpm_strobe strobe;
    struct pc_hpm_state before;
    bool module;
};

/* ---- telling ---- */

static const char *op_name(enum pc_hpm_csr_op op)
{
    static const char *const name[] = { "no access", "csrrw", "csrrs", "csrrc", "csrr" };

    return name[op];
}

static void describe(const struct replay *r, const struct row_view *v, char *out, size_t size)
{
    static const char *const mode[2][4] = { { "U", "S", "H", "M" }, { "VU", "VS", "VH", "M" } };
    const unsigned address = v->module ? v->strobe.address : v->in.csr.address;
    struct pc_hpm_reg reg;
    char name[24];

    if (pc_hpm_reg_at(&r->head.config, address, &reg, NULL) == PC_OK)
        snprintf(name, sizeof name, "%s", reg.name);
    else
        snprintf(name, sizeof name, "%03x", address);
    if (v->module)
        snprintf(out, size, "%s %s", v->strobe.write ? "write of" : "read of", name);
    else if (v->in.csr.op == PC_HPM_CSR_NONE)
        snprintf(out, size, "no access");
    else
        snprintf(out, size, "%s %s in %s", op_name(v->in.csr.op), name,
                 v->in.mode.debug ? "debug mode"
                                  : mode[v->in.mode.virtualised][v->in.mode.privilege]);
}

static void show(const struct replay *r, const char *what, uint64_t model, uint64_t file,
                 const char *doing, const struct pc_hpm_rule *rule)
{
    cli_print_name(r->page, r->in->path);
    fprintf(r->page, ":%" PRIu64 ": %s: model %" PRIx64 ", file %" PRIx64 "\n", r->in->line, what,
            model, file);
    if (r->scenario[0])
        fprintf(r->page, "  in     %s\n", r->scenario);
    if (doing[0])
        fprintf(r->page, "  clock  %s\n", doing);
    char row[2000];
    snprintf(row, sizeof row, "%.*s", (int)strcspn(r->line, "\r\n"), r->line);
    fputs("  row    ", r->page);
    cli_print_name(r->page, row);
    fputc('\n', r->page);
    if (rule)
        fprintf(r->page, "  rule   %s: %s\n", rule->clause, rule->about);
}

/* One value: the model's against the file's. */
static void compare(struct replay *r, const char *what, uint64_t model, uint64_t file,
                    const struct row_view *v, unsigned decides)
{
    const struct pc_hpm_rule *rule = NULL;
    struct pc_hpm_state now;
    char doing[80] = "";

    r->values++;
    if (model == file)
        return;
    if (v) {
        pc_hpm_get_state(r->hpm, &now);
        if (pc_hpm_set_state(r->hpm, &v->before, NULL) == PC_OK)
            rule = pc_hpm_why(r->hpm, &v->in, v->module ? &v->strobe : NULL, decides);
        if (pc_hpm_set_state(r->hpm, &now, NULL) != PC_OK)
            rule = NULL;
        describe(r, v, doing, sizeof doing);
    }
    if (r->differences++ == 0) {
        r->first_line = r->in->line;
        snprintf(r->first_what, sizeof r->first_what, "%s", what);
        r->first_model = model;
        r->first_file = file;
        r->first_clause = rule ? rule->clause : "";
    }
    if (r->page && r->differences <= MOST_SHOWN)
        show(r, what, model, file, doing, rule);
    r->stop = !r->options->keep_going;
}

/* The `chg` field, counter by counter where it differs: bit i of both is counter first + i. */
static void compare_changes(struct replay *r, unsigned model, unsigned file, unsigned first,
                            const struct row_view *v)
{
    static const char *const name[] = { "mcycle",       "",
                                        "minstret",     "mhpmcounter3",
                                        "mhpmcounter4", "mhpmcounter5",
                                        "mhpmcounter6", "mhpmcounter7",
                                        "mhpmcounter8" };

    if (model == file) {
        r->values++;
        return;
    }
    for (unsigned i = 0; first + i <= PC_HPM_LAST && !r->stop; i++)
        if ((model ^ file) >> i & 1) {
            char what[40];
            snprintf(what, sizeof what, "%s changed", name[first + i]);
            compare(r, what, model >> i & 1, file >> i & 1, v, PC_HPM_COUNTER + first + i);
        }
}

/* ---- clocks ---- */

static void fill_ports(const struct replay *r, const uint64_t *f, struct pc_hpm_in *in)
{
    const uint64_t *p = f + r->layout.ports;

    for (unsigned i = 0; i < r->head.config.commit_ports; i++, p += 4)
        in->port[i] = (struct pc_hpm_port){
            .ack = p[0] != 0, .fu = (uint8_t)p[1], .op = (uint8_t)p[2], .rd = (uint8_t)p[3]
        };
}

static void module_row(struct replay *r, const uint64_t *f)
{
    struct row_view v = { .module = true };
    const uint64_t *after = f + r->layout.after;
    struct pc_hpm_out out;

    v.in.mode = (struct pc_hpm_mode){ .privilege = 3, .debug = f[0] != 0 };
    v.strobe = (struct pc_hpm_strobe){
        .write = f[1] != 0, .address = (uint16_t)f[2], .wdata = f[3], .inhibit = (uint32_t)f[4]
    };
    fill_ports(r, f, &v.in);
    v.in.lines = (uint32_t)after[0];
    for (unsigned i = 0; i < 3; i++)
        v.in.way_valid[i] = (uint32_t)after[1 + i];
    pc_hpm_get_state(r->hpm, &v.before);
    pc_hpm_step_module(r->hpm, &v.in, &v.strobe, &out);
    compare(r, "rdata", out.rdata, after[4], &v, PC_HPM_RDATA);
    if (!r->stop)
        compare_changes(r, out.changed >> PC_HPM_FIRST, (unsigned)after[5], PC_HPM_FIRST, &v);
}

/* The event bits of a csr row as the lines of a step. */
static uint32_t csr_lines(uint64_t ev, bool exception, bool eret)
{
    const uint32_t e = (uint32_t)ev;

    return (e & 15) | (uint32_t)exception << PC_HPM_EXCEPTION | (uint32_t)eret << PC_HPM_ERET |
           (e >> 4 & 63) << PC_HPM_RESOLVED | (e >> 10 & 3) << PC_HPM_DCACHE_REQUEST_0 |
           (e >> 12 & 1) << PC_HPM_TLB_FLUSH | (e >> 13 & 1) << PC_HPM_ISSUE_STALL;
}

static void csr_row(struct replay *r, const uint64_t *f, bool other_csr)
{
    struct row_view v = { .module = false };
    const uint64_t *after = f + r->layout.after;
    struct pc_hpm_out out;

    v.in.mode = (struct pc_hpm_mode){ .privilege = (uint8_t)f[0],
                                      .virtualised = f[1] != 0,
                                      .debug = f[2] != 0 };
    if (!other_csr)
        v.in.csr = (struct pc_hpm_access){ .op = (enum pc_hpm_csr_op)f[3],
                                           .address = (uint16_t)f[4],
                                           .operand = f[5] };
    fill_ports(r, f, &v.in);
    v.in.lines = csr_lines(after[2], after[0] != 0, after[1] != 0);
    pc_hpm_get_state(r->hpm, &v.before);
    pc_hpm_step(r->hpm, &v.in, &out);
    if (!other_csr) {
        compare(r, "exc", out.cause, after[4], &v, PC_HPM_CAUSE);
        if (!r->stop)
            compare(r, "rdata", out.rdata, after[3], &v, PC_HPM_RDATA);
    }
    if (!r->stop)
        compare_changes(r, out.changed, (unsigned)after[5], 0, &v);
}

/* ---- states ---- */

static void state_of(const struct replay *r, uint64_t *f)
{
    struct pc_hpm_state s;

    pc_hpm_get_state(r->hpm, &s);
    if (r->head.csr) {
        *f++ = s.counter[0];
        *f++ = s.counter[2];
    }
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        *f++ = s.counter[c];
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        *f++ = s.selector[c];
    if (r->head.csr) {
        *f++ = s.inhibit;
        *f++ = s.mcounteren;
        *f++ = s.scounteren;
        *f = s.hcounteren;
    }
}

/* After a difference the model goes on from the file's state, so that each is told once. */
static enum pc_status adopt(struct replay *r, const uint64_t *f, struct pc_error *err)
{
    struct pc_hpm_state s = { .inhibit = 0 };

    if (r->head.csr) {
        s.counter[0] = *f++;
        s.counter[2] = *f++;
    }
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        s.counter[c] = *f++;
    for (unsigned c = PC_HPM_FIRST; c <= PC_HPM_LAST; c++)
        s.selector[c] = (uint8_t)*f++;
    if (r->head.csr) {
        s.inhibit = (uint32_t)*f++;
        s.mcounteren = (uint32_t)*f++;
        s.scounteren = (uint32_t)*f++;
        s.hcounteren = (uint32_t)*f;
    }
    if (pc_hpm_set_state(r->hpm, &s, err) == PC_OK)
        return PC_OK;
    err->line = (uint32_t)r->in->line;
    return err->status;
}

static enum pc_status state_row(struct replay *r, const uint64_t *f, struct pc_error *err)
{
    uint64_t mine[ROW_MAX_FIELDS];

    state_of(r, mine);
    r->states++;
    for (unsigned i = 0; i < r->layout.state_count && !r->stop; i++)
        compare(r, r->layout.state_name[i], mine[i], f[i], NULL, 0);
    if (r->differences > 0 && !r->stop)
        return adopt(r, f, err);
    return PC_OK;
}

/* ---- the file ---- */

/* Values of a csr row that none of the limits of its fields excludes. */
static enum pc_status check_answer(const struct replay *r, const struct vectors_row *row,
                                   struct pc_error *err)
{
    const unsigned exc = (unsigned)row->field[r->layout.after + 4];
    const unsigned chg = (unsigned)row->field[r->layout.after + 5];

    if (exc != 0 && exc != PC_HPM_ILLEGAL && exc != PC_HPM_VIRTUAL)
        return check_fail(err, 1021, r->in, 0, "exc is %x, none of 0, 2, 16", exc);
    if (chg & 2)
        return check_fail(err, 1021, r->in, 0, "chg is %x, but there is no counter 1", chg);
    return PC_OK;
}

/* After the last clock: another file, it may be, with other parameters. */
static enum pc_status too_many(const struct replay *r, struct pc_error *err)
{
    check_fail(err, 1020, r->in, 1,
               "one clock more than the %" PRIu64 " that cycles= in line 2 says",
               r->head.announced);
    snprintf(err->hint, sizeof err->hint,
             "if files were joined check each of them; if cycles= is wrong leave it out");
    return err->status;
}

static enum pc_status take_row(struct replay *r, const struct vectors_row *row,
                               struct pc_error *err)
{
    switch (row->type) {
    case 'R':
        pc_hpm_reset(r->hpm);
        return PC_OK;
    case 'S':
        return state_row(r, row->field, err);
    case 'X':
        if (!r->head.csr)
            return check_fail(err, 1021, r->in, 1, "rows X are for csr files");
        break;
    default:
        break;
    }
    if (r->head.announced && r->rows == r->head.announced)
        return too_many(r, err);
    enum pc_status status = r->head.csr ? check_answer(r, row, err) : PC_OK;
    if (status != PC_OK)
        return status;
    r->rows++;
    if (r->head.csr)
        csr_row(r, row->field, row->type == 'X');
    else
        module_row(r, row->field);
    return PC_OK;
}

static enum pc_status take_comment(struct replay *r, struct pc_error *err)
{
    if (vectors_is_head(r->line)) {
        check_fail(err, 1020, r->in, 1, "another file of vectors begins here");
        snprintf(err->hint, sizeof err->hint, "check each of the joined files separately");
        return err->status;
    }
    const char *text = r->line + 1 + strspn(r->line + 1, " \t");

    snprintf(r->scenario, sizeof r->scenario, "%.*s", (int)strcspn(text, "\r\n"), text);
    for (char *p = r->scenario; *p; p++)
        if ((unsigned char)*p < ' ' || (unsigned char)*p > '~')
            *p = '?';
    return PC_OK;
}

static enum pc_status replay(struct replay *r, struct pc_error *err)
{
    struct vectors_row row;
    enum pc_status status = check_line(r->in, &r->line, err);

    if (status == PC_OK && r->line[0] == '#') /* the third line is the legend */
        status = check_line(r->in, &r->line, err);
    for (; status == PC_OK && !r->stop; status = check_line(r->in, &r->line, err)) {
        status = vectors_parse_row(r->in, r->line, &r->layout, &row, err);
        if (status != PC_OK)
            return status;
        if (row.type)
            status = row.type == '#' ? take_comment(r, err) : take_row(r, &row, err);
        if (status != PC_OK)
            return status;
        if (r->stop)
            return PC_OK;
    }
    if (status != PC_END)
        return status;
    if (r->rows == 0)
        return check_fail(err, 1022, r->in, 0, "the file has no clocks: nothing was compared");
    if (r->rows < r->head.announced)
        return check_fail(err, 1022, r->in, 0,
                          "the file ends after %" PRIu64 " of %" PRIu64 " clocks", r->rows,
                          r->head.announced);
    return PC_OK;
}

/* An exit code. */
static int run(struct replay *r, const struct check_options *options)
{
    struct pc_hpm_desc desc = { .profile = core_profile(options->profile),
                                .quirks_on = options->quirks_on,
                                .quirks_off = options->quirks_off };
    struct pc_error err;
    enum pc_status status = vectors_read_head(r->in, &r->head, &err);

    if (status == PC_OK) {
        desc.config = &r->head.config;
        status = pc_hpm_create(&desc, &r->hpm, &err);
        if (status != PC_OK)
            err.line = 2;
    }
    if (status == PC_OK) {
        vectors_layout(&r->head, &r->layout);
        status = replay(r, &err);
    }
    pc_hpm_destroy(r->hpm);
    if (status != PC_OK)
        return cli_error(&err, r->in->path, NULL);
    return r->differences ? CLI_NO : CLI_OK;
}

int check_vectors(struct check_input *in, const struct check_options *options)
{
    struct replay r = { .in = in, .options = options };
    struct rep *rep;
    int code = rep_open(&rep, &check_vectors_report, &options->report);

    if (code)
        return code;
    r.page = rep_page(rep);
    code = run(&r, options);
    if (r.page && (code == CLI_OK || code == CLI_NO))
        check_replay_print(&r);
    if (rep_has_rows(rep) && (code == CLI_OK || code == CLI_NO))
        check_replay_put(rep, &r);
    return rep_close(rep, code);
}
