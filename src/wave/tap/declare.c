/* SPDX-License-Identifier: MIT */
/* Reads the declarations of a tap: the simulator, scopes, variables, clocks of rows. */
#include "wave/tap/tap.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "pcounter/tap.h"

static enum pc_status take_head(struct tap *t, struct pc_error *err)
{
    uint8_t head[PC_TAP_HEAD];
    const enum pc_status status = tap_bytes(t, head, sizeof head, err);

    if (status)
        return status;
    if (memcmp(head, PC_TAP_MAGIC, PC_TAP_HEAD) != 0)
        return pc_fail(err, 793, "the module in the simulator speaks version %u, this program %u",
                       head[5], PC_TAP_VERSION);
    return PC_OK;
}

static enum pc_status take_hello(struct tap *t, struct pc_error *err)
{
    uint8_t exponent;
    size_t length = 0;
    enum pc_status status = tap_byte(t, &exponent, err);

    if (status == PC_OK)
        status = tap_text(t, &length, err);
    if (status)
        return status;
    if (t->simulator)
        return tap_fail(t, err, "a second simulator names itself");
    if (exponent > 15 && exponent != PC_TAP_NO_PRECISION)
        return tap_fail(t, err, "the precision is 10^-%u s", exponent);
    t->simulator_size = length + 1;
    t->simulator = pc_calloc(&t->alloc, t->simulator_size, 1);
    if (!t->simulator)
        return pc_fail(err, 100, "not enough memory to open a tap");
    memcpy(t->simulator, t->text, length);
    if (exponent == PC_TAP_NO_PRECISION)
        return PC_OK;
    t->base.info.timescale_factor = 1;
    t->base.info.timescale_exponent = -(int)exponent;
    while (t->base.info.timescale_exponent % 3 != 0) { /* 10 and 100 of a unit that has a name */
        t->base.info.timescale_exponent--;
        t->base.info.timescale_factor *= 10;
    }
    return PC_OK;
}

/* Takes a bound of a range, which may be below 0: bit 0 says so. */
static enum pc_status take_bound(struct tap *t, int64_t *out, struct pc_error *err)
{
    uint64_t number;
    const enum pc_status status = tap_number(t, &number, err);

    if (status)
        return status;
    *out = (int64_t)(number >> 1) * (number & 1 ? -1 : 1);
    if (*out < INT32_MIN || *out > INT32_MAX)
        return tap_fail(t, err, "a bound of a range has more than 32 bits");
    return PC_OK;
}

/* The name is not needed any more. */
static enum pc_status take_alias(struct tap *t, uint8_t kind, uint64_t width, uint32_t *code,
                                 struct pc_error *err)
{
    const enum pc_status status = tap_variable(t, code, err);

    if (status)
        return status;
    const struct wv_code *c = &t->base.hier.code[*code];
    if (c->width != width || c->kind != kind)
        return tap_fail(t, err, "a variable is another one, which is not alike");
    return PC_OK;
}

static enum pc_status take_variable(struct tap *t, struct pc_error *err)
{
    uint8_t kind, flags;
    uint64_t width;
    int64_t left = 0, right = 0;
    char type[32], range[32] = "";
    size_t length = 0, type_length = 0;
    enum pc_status status = tap_byte(t, &kind, err);

    if (status == PC_OK)
        status = tap_byte(t, &flags, err);
    if (status == PC_OK)
        status = tap_text(t, &type_length, err);
    if (status)
        return status;
    if (kind > PC_VAR_EVENT || type_length >= sizeof type)
        return tap_fail(t, err, "a variable is of no known kind");
    memcpy(type, t->text, type_length + 1);
    status = tap_number(t, &width, err);
    if (status == PC_OK)
        status = take_bound(t, &left, err);
    if (status == PC_OK)
        status = take_bound(t, &right, err);
    if (status == PC_OK)
        status = tap_text(t, &length, err);
    if (status)
        return status;
    if (flags & PC_TAP_RANGE)
        snprintf(range, sizeof range, " [%" PRId64 ":%" PRId64 "]", left, right);
    const size_t more = strlen(range);
    if (!pc_grow(&t->alloc, (void **)&t->text, &t->text_capacity, length + more + 1, 1))
        return pc_fail(err, 100, "not enough memory for the names of a tap");
    memcpy(t->text + length, range, more + 1);
    struct wv_hier *h = &t->base.hier;
    uint32_t code;
    if (width > UINT32_MAX || (kind == PC_VAR_BITS && width == 0))
        return tap_fail(t, err, "a variable has %" PRIu64 " bits", width);
    if (flags & PC_TAP_ALIAS)
        status = take_alias(t, kind, width, &code, err);
    else
        status = wv_add_code(h, (uint32_t)width, (enum pc_var_kind)kind, &code, err);
    if (status == PC_OK)
        status = wv_add_var(h, t->text, length + more, type, type_length, (enum pc_var_kind)kind,
                            (uint32_t)width, code, err);
    if (status == PC_OK)
        h->var[h->vars - 1].is_signed |= (flags & PC_TAP_SIGNED) != 0;
    return status;
}

static enum pc_status take_scope(struct tap *t, struct pc_error *err)
{
    size_t length = 0;
    const enum pc_status status = tap_text(t, &length, err);

    return status ? status : wv_scope(&t->base.hier, t->text, length, err);
}

static enum pc_status take_record(struct tap *t, uint8_t what, struct pc_error *err)
{
    switch (what) {
    case 'H':
        return take_hello(t, err);
    case 'S':
        return take_scope(t, err);
    case 'U':
        return wv_upscope(&t->base.hier) ? PC_OK : tap_fail(t, err, "no scope is open");
    case 'V':
        return take_variable(t, err);
    case 'K':
        return tap_clock(t, err);
    case 'F':
        return tap_failure(t, err);
    default:
        return tap_fail(t, err, "a record 0x%02x, which declares nothing", what);
    }
}

enum pc_status tap_declare(struct tap *t, struct pc_error *err)
{
    enum pc_status status = take_head(t, err);
    uint8_t what = 0;

    while (status == PC_OK) {
        status = tap_byte(t, &what, err);
        if (status == PC_OK && what == 'R')
            break;
        if (status == PC_OK)
            status = take_record(t, what, err);
    }
    if (status == PC_OK && !t->simulator)
        return tap_fail(t, err, "no simulator has named itself");
    return status;
}
