/* SPDX-License-Identifier: MIT */
/*
 * Describes what a write of a register does.
 *
 * Clauses: D-09, D-44, D-45, D-54, D-60, D-67, D-71; GF100+: D-62, D-75.
 */
#include "text/written_text.h"
#include "text/regs_text.h"

#include <stdarg.h>
#include <string.h>

struct text {
    const struct pc_chip *chip;
    const struct pc_reg_info *reg;
    uint32_t value;
    char domain[32]; /* "domain 1", "gpc0.1" */
    char *out;
    size_t size, used;
};

static void say(struct text *t, const char *fmt, ...) PC_PRINTF(2, 3);

/* Adds one more thing that happens. */
static void say(struct text *t, const char *fmt, ...)
{
    va_list args;
    size_t left = t->size - t->used;

    if (t->used > 0 && left > 2) {
        memcpy(t->out + t->used, "; ", 3);
        t->used += 2;
        left -= 2;
    }
    va_start(args, fmt);
    int n = vsnprintf(t->out + t->used, left, fmt, args);
    va_end(args);
    if (n > 0)
        t->used += (size_t)n < left ? (size_t)n : left - 1;
}

static uint32_t field(const struct text *t, const char *name)
{
    return cli_field(t->reg, name, t->value);
}

static bool is(const struct text *t, const char *name)
{
    return strcmp(t->reg->name, name) == 0;
}

static bool is_gf100(const struct text *t)
{
    return t->chip->layout == PC_LAYOUT_GF100;
}

static void say_abort(struct text *t)
{
    if (t->reg->domain >= 0)
        say(t, "a running SINGLE process of %s goes to INACTIVE", t->domain);
    else if (t->chip->domains == 1)
        say(t, "a running SINGLE process goes to INACTIVE");
    else
        say(t, "running SINGLE processes of both domains go to INACTIVE");
}

static void say_ctrl(struct text *t)
{
    if (is_gf100(t)) {
        say(t, "no swap, and a running SINGLE process continues");
        return;
    }
    say_abort(t);
    if (t->chip->features & PC_F_QUAD)
        say(t, "no swap");
    if (field(t, "FAULT_CLEAR"))
        say(t, "RECORD_STATUS[%d].FAULT is cleared; if the domain hangs it still does",
            t->reg->domain);
}

static void say_ack(struct text *t)
{
    static const char *const bits[] = { "ACK", "DOM0", "DOM1" };
    bool any = false;

    for (int i = 0; i < 3; i++) {
        if (!field(t, bits[i]))
            continue;
        any = true;
        if (i > 0)
            snprintf(t->domain, sizeof t->domain, "domain %d", i - 1);
        say(t, "%s: OVERFLOW goes to VALID, VALID to EMPTY", t->domain);
    }
    if (!any)
        say(t, "nothing happens");
}

static void say_record(struct text *t)
{
    if (is(t, "RECORD_START")) {
        say(t, "the record position goes to 0x%08x and the buffer opens",
            (unsigned)(t->value & t->reg->rw_mask));
        say(t, "in RECORD mode the record counters are cleared");
    } else if (field(t, "VALID")) {
        say(t, "channel 0x%x and the object in RECORD_DMA are bound", (unsigned)field(t, "CHAN"));
    } else {
        say(t, "stored, nothing is bound");
    }
}

static void say_user(struct text *t)
{
    for (unsigned i = 0; i < (is_gf100(t) ? 4u : 2u); i++) {
        bool value = t->value >> i & 1, pulse = t->value >> (is_gf100(t) ? 4 + i : 2 + i) & 1;
        say(t, "USER_%u goes to %d%s", i, value, value && pulse ? " for one cycle" : "");
    }
}

static void say_pre_op(struct text *t)
{
    if (is_gf100(t)) {
        say(t, "stored; it starts nothing here (SINGLE_BEGIN_TRIGGER does) and swaps nothing");
        return;
    }
    say(t, "starts the SINGLE process of %s if it is INACTIVE", t->domain);
    if (t->chip->features & PC_F_PREOP_SWAP)
        say(t, "swaps the domain's counters in QUAD");
}

/* Registers of the configuration: a write aborts, but on GF100+. */
static void say_config(struct text *t)
{
    if (!is_gf100(t))
        say_abort(t);
    if (is(t, "CTR_PRE"))
        say(t, "the next process waits for %llu one%s on PRE", (unsigned long long)t->value + 1,
            t->value ? "s" : "");
    else if (is(t, "CTR_STOP"))
        say(t, "the next process has %llu period%s", (unsigned long long)t->value + 1,
            t->value ? "s" : "");
    else if (is_gf100(t))
        say(t, "stored, nothing else");
}

static void say_gctrl(struct text *t)
{
    const char *of_set = is_gf100(t) ? " of the set" : "";

    say(t,
        field(t, "RECORD_RESET") ? "all record counters%s are held at 0" : "record counters%s run",
        of_set);
    say(t,
        field(t, "PERIODIC_RESET") ? "the PERIODIC signals%s are held at 0"
                                   : "PERIODIC signals%s run",
        of_set);
}

/* The ring of stream-out, D-75. */
static void say_main(struct text *t)
{
    if (is(t, "MAIN_MEM_BUMP"))
        say(t, "0x%x bytes of the ring are free again", (unsigned)(t->value & 0xfffffff0));
    else if (is(t, "MAIN_CONTROL") && field(t, "MEMBUF_CLEAR_STATUS"))
        say(t, "MEMBUF_STATUS is cleared");
    else if (is(t, "MAIN_RECORD_CHAN") && field(t, "VALID"))
        say(t, "the instance block at 0x%llx is bound, and the ring starts anew",
            (unsigned long long)field(t, "INSTANCE") << 12);
    else if (is(t, "MAIN_RECORD_CHAN"))
        say(t, "nothing is bound: packets are lost");
    else if (is(t, "MAIN_RECORD_LIMIT"))
        say(t, "the ring has 0x%x bytes and starts anew", (unsigned)(t->value & t->reg->rw_mask));
    else
        say(t, "stored, nothing else");
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static void say_effect(struct text *t)
{
    if (is(t, "CTRL"))
        say_ctrl(t);
    else if (is(t, "PRE_OP"))
        say_pre_op(t);
    else if (is(t, "QUAD_ACK_TRIGGER"))
        say_ack(t);
    else if (is(t, "USER_TRIGGER"))
        say_user(t);
    else if (is(t, "RECORD_START") || is(t, "RECORD_CHAN"))
        say_record(t);
    else if (is(t, "GCTRL") || is(t, "DSET_CTRL"))
        say_gctrl(t);
    else if (is(t, "SINGLE_ABORT_TRIGGER"))
        say_abort(t);
    else if (is(t, "SINGLE_BEGIN_TRIGGER"))
        say(t, "starts the SINGLE process of %s if it is INACTIVE", t->domain);
    else if (starts_with(t->reg->name, "MAIN_"))
        say_main(t);
    else if (starts_with(t->reg->effect, "a running SINGLE") || is(t, "CTR_PRE") ||
             is(t, "CTR_STOP"))
        say_config(t);
    else
        say(t, "stored, nothing else");
}

bool cli_is_opaque(const struct pc_chip *chip, const struct pc_reg_info *reg)
{
    return pc_gpu_keeps(chip, reg->address);
}

void cli_written_text(const struct pc_chip *chip, const struct pc_reg_info *reg, uint32_t value,
                      char *out, size_t size)
{
    struct text t = { .chip = chip, .reg = reg, .value = value, .out = out, .size = size };

    out[0] = '\0';
    snprintf(t.domain, sizeof t.domain, reg->place[0] ? "%s" : "domain %.0s%d", reg->place,
             reg->domain);
    const bool absent = !is_gf100(&t) && reg->domain >= (int)chip->domains;
    if (!reg->writable && starts_with(reg->effect, "a running SINGLE") && !absent) {
        say(&t, "nothing is stored");
        say_abort(&t);
    } else if (!reg->writable)
        say(&t, "nothing: the register is read-only");
    else if (cli_is_opaque(chip, reg))
        say(&t, "stored, nothing else: %s has no domain %d, but keeps this word (option igp-pair)",
            chip->name, reg->domain);
    else if (absent)
        say(&t, "nothing: %s has no domain %d, its registers read 0", chip->name, reg->domain);
    else
        say_effect(&t);
}
