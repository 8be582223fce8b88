/* SPDX-License-Identifier: MIT */
/*
 * The registers in the order of writing: multiplexers, so that the signals are there; what
 * swaps, so that quad mode begins without the swaps of whatever was selected before; CTRL,
 * because entering quad mode is done by it; sources and operations, each of which makes a single
 * mode process INACTIVE; counts and threshold; and PRE_OP last, which starts the process (D-17a).
 * On GF100+ neither does: there one write stops a process, and another one starts it (D-62).
 * Inputs that are not wanted get the table 0, so that what was there before does not count; but in
 * single mode PRE and START get all ones: counting starts at once.
 */
#include "lang/compile/compile.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct writer {
    const struct pc_compile_request *r;
    const struct cm_target *t;
    const char *ctr_mode; /* that adds numbers, or NULL */
    struct pc_chip_domain place;
    struct pc_program *p;
    struct pc_error *err;
    enum pc_status status;
};

/* Finds the register's row; false (and w->status) if the chip has none, or something went wrong
 * before.
 */
static bool find(struct writer *w, const char *name, struct pc_reg_info *out)
{
    char full[64];

    if (w->status != PC_OK)
        return false;
    if (w->t->chip->layout == PC_LAYOUT_GF100)
        snprintf(full, sizeof full, "%s.%s", w->place.name, name);
    else if (w->t->chip->layout == PC_LAYOUT_NV10 && strcmp(name, "CTRL") == 0)
        snprintf(full, sizeof full, "CTRL");
    else
        snprintf(full, sizeof full, "%s[%u]", name, w->t->domain);
    w->status = pc_reg_find(w->r->chip, full, out, w->err);
    return w->status == PC_OK;
}

static void name_write(struct pc_program_write *to, const struct pc_reg_info *reg)
{
    char full[64];

    to->address = reg->address;
    to->mask = UINT32_MAX;
    pc_reg_full_name(reg, full, sizeof full);
    snprintf(to->name, sizeof to->name, "%.31s", full);
}

static void put(struct writer *w, const char *name, uint32_t value)
{
    struct pc_reg_info reg;

    if (!find(w, name, &reg))
        return;
    struct pc_program_write *to = &w->p->write[w->p->writes++];
    to->value = value;
    name_write(to, &reg);
}

/* Sets a field of CTRL; one that the chip lacks cannot be expressed on it. */
static void set(struct writer *w, const struct pc_reg_info *ctrl, const char *field,
                const char *value)
{
    char name[32];

    if (w->status != PC_OK)
        return;
    if (w->t->chip->layout == PC_LAYOUT_NV10 && strcmp(field, "CTR_MODE") != 0)
        snprintf(name, sizeof name, "DOM%u_%s", w->t->domain, field);
    else
        snprintf(name, sizeof name, "%s", field);
    if (pc_reg_set_field(ctrl, name, value, &w->p->ctrl, NULL) != PC_OK)
        w->status = pc_fail(w->err, 345, "%s has no %s %s", w->r->chip->name, field, value);
}

static void put_ctrl(struct writer *w)
{
    const struct pc_compile_request *r = w->r;
    static const char *const modes[] = { "SINGLE", "QUAD", "RECORD" };
    struct pc_reg_info ctrl;

    if (!find(w, "CTRL", &ctrl))
        return;
    w->p->ctrl = 0;
    if (r->mode != PC_COUNT_SINGLE || (w->t->features & PC_F_QUAD))
        set(w, &ctrl, "MODE", modes[r->mode]);
    if (w->ctr_mode)
        set(w, &ctrl, "CTR_MODE", w->ctr_mode);
    if (r->ctr_mode)
        set(w, &ctrl, "CTR_MODE", r->ctr_mode);
    if (r->period_all)
        set(w, &ctrl, "EVENT_CTR_PERIOD", "ALL");
    if (r->record_short)
        set(w, &ctrl, "RECORD_FORMAT", "SHORT");
    put(w, "CTRL", w->p->ctrl);
}

/* --- multiplexers --- */

static struct pc_program_write *mux_at(struct writer *w, uint32_t address)
{
    for (size_t i = 0; i < w->p->writes; i++)
        if (w->p->write[i].address == address)
            return &w->p->write[i];
    return NULL;
}

static void put_mux(struct writer *w, struct pc_mux mux)
{
    uint32_t mask = mux.mask ? mux.mask : UINT32_MAX;
    struct pc_program_write *to = mux_at(w, mux.address);
    struct pc_reg_info reg;
    char full[64] = "mux";

    if (mux.address % 4 || mux.address >> 24 || mux.value & ~mask)
        w->status = pc_fail(w->err, 391,
                            "a multiplexer 0x%" PRIx32 " with 0x%" PRIx32 " in the bits 0x%" PRIx32,
                            mux.address, mux.value, mask);
    else if (to && (to->value ^ mux.value) & to->mask & mask)
        w->status = pc_fail(w->err, 390,
                            "the multiplexer 0x%06" PRIx32 " cannot have 0x%" PRIx32
                            " and 0x%" PRIx32 " in the bits 0x%" PRIx32,
                            mux.address, to->value, mux.value, to->mask & mask);
    else if (!to && w->p->writes == PC_PROGRAM_MUXES)
        w->status = pc_fail(w->err, 391, "a program sets up to %d multiplexers", PC_PROGRAM_MUXES);
    if (w->status != PC_OK)
        return;
    if (!to) {
        to = &w->p->write[w->p->writes++];
        to->address = mux.address;
        if (pc_reg_at(w->r->chip, mux.address, &reg, NULL) == PC_OK)
            pc_reg_full_name(&reg, full, sizeof full);
        snprintf(to->name, sizeof to->name, "%.31s", full);
    }
    to->value |= mux.value;
    to->mask |= mask;
}

/* Refuses multiplexers that the program sets itself. */
static void check_muxes(struct writer *w, size_t muxes)
{
    for (size_t i = 0; i < muxes; i++)
        for (size_t k = muxes; k < w->p->writes && w->status == PC_OK; k++)
            if (w->p->write[i].address == w->p->write[k].address)
                w->status = pc_fail(w->err, 391, "%s is written by the program itself",
                                    w->p->write[k].name);
}

/* Returns the signal on SWAP, or -1: it is left alone. On GF100+ that is signal 0 after a reset,
 * and no trigger would make a count readable (PC.GF.21): there it is USER_0 (ADR 037). */
static int swap_signal(const struct writer *w)
{
    if (w->r->has_swap)
        return w->r->swap;
    if (w->r->mode != PC_COUNT_QUAD || w->r->keep_swap || !(w->t->features & PC_F_GF100))
        return -1;
    return pc_chip_signal_position(w->t->chip, w->t->domain, PC_SIG_USER, 0);
}

/* Sets the write after which a USER signal is 1 for one cycle. PC.USER. */
static void set_swap_write(struct writer *w, unsigned user)
{
    struct pc_program_write *to = &w->p->swap;
    bool gf100 = w->t->features & PC_F_GF100;
    struct pc_reg_info reg;
    char field[32], pulse[32], bit[12];

    if (!find(w, "USER_TRIGGER", &reg))
        return;
    snprintf(field, sizeof field, gf100 ? "USER" : "USER_%u", user);
    snprintf(pulse, sizeof pulse, gf100 ? "PULSE" : "USER_%u_PULSE", user);
    snprintf(bit, sizeof bit, "%u", gf100 ? 1u << user : 1u);
    w->status = pc_reg_set_field(&reg, field, bit, &to->value, w->err);
    if (w->status == PC_OK)
        w->status = pc_reg_set_field(&reg, pulse, bit, &to->value, w->err);
    name_write(to, &reg);
}

static void put_swap(struct writer *w)
{
    int swap = swap_signal(w);

    if (swap < 0 || w->status != PC_OK)
        return;
    if (!(w->t->features & PC_F_SWAP_SRC)) {
        w->status = pc_fail(w->err, 345, "SWAP of %s is wired to PM_TRIGGER", w->r->chip->name);
        return;
    }
    put(w, w->t->features & PC_F_GF100 ? "SWAP_SRC" : "SPEC_SRC", (uint32_t)swap);
    struct pc_signal_info s = pc_chip_signal(w->t->chip, w->t->domain, (unsigned)swap);
    if (s.kind == PC_SIG_USER)
        set_swap_write(w, s.index);
}

static void put_record(struct writer *w)
{
    const struct pc_compile_request *r = w->r;

    if (r->mode != PC_COUNT_RECORD || w->status != PC_OK)
        return;
    if ((r->record_start | r->record_limit) & 15) {
        w->status = pc_fail(w->err, 347,
                            "a record buffer from 0x%" PRIx64 " to 0x%" PRIx64
                            ": both are to be multiples of 16",
                            r->record_start, r->record_limit);
        return;
    }
    if ((r->record_start | r->record_limit) >> 40 ||
        r->record_start >> 32 != r->record_limit >> 32 ||
        (r->record_start >> 32 && !(w->t->features & PC_F_RECORD_HIGH))) {
        w->status =
            pc_fail(w->err, 347,
                    "a record buffer from 0x%" PRIx64 " to 0x%" PRIx64 " cannot be given to %s",
                    r->record_start, r->record_limit, r->chip->name);
        return;
    }
    if (w->t->features & PC_F_RECORD_HIGH)
        put(w, "RECORD_ADDRESS_HIGH", (uint32_t)(r->record_start >> 32));
    put(w, "RECORD_LIMIT", (uint32_t)r->record_limit);
    put(w, "RECORD_START", (uint32_t)r->record_start);
}

static void put_inputs(struct writer *w)
{
    char name[32];
    unsigned sources = w->t->features & PC_F_OWN_FLAG_SRC ? PC_INPUT_COUNT : PC_INPUT_SETFLAG;

    for (unsigned i = 0; i < sources; i++) {
        uint32_t word = 0;
        for (unsigned k = 0; k < 4; k++)
            if (w->p->source[i][k] != PC_NO_SIGNAL)
                word |= (uint32_t)w->p->source[i][k] << (8 * k);
        snprintf(name, sizeof name, "%s_SRC", pc_input_name(i));
        put(w, name, word);
    }
    for (unsigned i = PC_INPUT_START; i < PC_INPUT_COUNT; i++) {
        snprintf(name, sizeof name, "%s_OP", pc_input_name(i));
        put(w, name, w->p->op[i]);
    }
}

static void put_single(struct writer *w)
{
    const struct pc_compile_request *r = w->r;

    if (r->mode != PC_COUNT_SINGLE || w->status != PC_OK)
        return;
    if (r->threshold >> (w->t->features & PC_F_CTR40 ? 40 : 32)) {
        w->status = pc_fail(w->err, 347, "%" PRIu64 " does not fit THRESHOLD of %s", r->threshold,
                            r->chip->name);
        return;
    }
    put(w, "THRESHOLD", (uint32_t)r->threshold);
    if (w->t->features & PC_F_CTR40)
        put(w, "THRESHOLD_HI", (uint32_t)(r->threshold >> 32));
    put(w, "CTR_PRE", r->pre_count);
    put(w, "CTR_STOP", r->stop_count);
}

/* Any value begins (PC.GF.23) or aborts (PC.GF.26) single mode. */
static void put_trigger(struct writer *w, const char *name)
{
    if (w->r->mode == PC_COUNT_SINGLE && w->t->features & PC_F_GF100)
        put(w, name, 1);
}

enum pc_status cm_program(const struct pc_compile_request *r, const struct cm_want *want,
                          const struct cm_found *found, struct pc_program *out,
                          struct pc_error *err)
{
    struct writer w = { r, &want->target, want->ctr_mode, { .domain = 0 }, out, err, PC_OK };

    memset(out, 0, sizeof *out);
    (void)pc_chip_get_domain(r->chip, r->domain, &w.place); /* was checked */
    memcpy(out->op, found->op, sizeof out->op);
    if (r->mode == PC_COUNT_SINGLE && !want->wanted[PC_INPUT_PRE])
        out->op[PC_INPUT_PRE] = 0xffff;
    if (r->mode == PC_COUNT_SINGLE && !want->wanted[PC_INPUT_START])
        out->op[PC_INPUT_START] = 0xffff;
    memcpy(out->chained, found->chained, sizeof out->chained);
    memcpy(out->source, found->selector, sizeof out->source);
    out->selectors = found->selectors;
    for (size_t i = 0; i < r->muxes && w.status == PC_OK; i++)
        put_mux(&w, r->mux[i]);
    size_t muxes = out->writes;
    put_swap(&w);
    put_ctrl(&w);
    put_trigger(&w, "SINGLE_ABORT_TRIGGER");
    put_inputs(&w);
    put_record(&w);
    put_single(&w);
    put(&w, "PRE_OP", out->op[PC_INPUT_PRE]);
    put_trigger(&w, "SINGLE_BEGIN_TRIGGER");
    check_muxes(&w, muxes);
    return w.status;
}
