/* SPDX-License-Identifier: MIT */
/*
 * The reader of GHW as wave.c sees it (parts: ghw.h).  Steps of one time are one timestamp: a
 * snapshot, and the changes of delta cycles after it.
 */
#include "wave/ghw/ghw.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"

/* --- values --- */

static void touch(struct ghw *g, uint32_t code)
{
    if (g->code[code].changed)
        return;
    g->code[code].changed = true;
    g->touched[g->touches++] = code;
}

/* Writes the value of a scalar of up to 64 bits that is not one of std_logic. */
static void put_digits(const struct ghw_type *t, int64_t value, char *digits)
{
    double real;

    if (t->kind == GHW_REAL) {
        memcpy(&real, &value, sizeof real);
        wv_put_real(real, digits);
        return;
    }
    for (uint32_t i = 0; i < t->width; i++)
        digits[i] = (char)('0' + ((uint64_t)value >> (t->width - 1 - i) & 1));
}

static enum pc_status take_value(struct ghw *g, size_t n, struct pc_error *err)
{
    const struct ghw_scalar *s = &g->scalar[n];
    const struct ghw_type *t = &g->type[s->type - 1];
    int64_t value = 0;
    const enum pc_status status = ghw_value(g, t, &value, err);
    char state = '\0', digits[WV_REAL_BITS];

    if (status)
        return status;
    if (t->is_bit)
        state = ghw_state(g, t, (uint32_t)value);
    else
        put_digits(t, value, digits);
    for (uint32_t u = s->use; u; u = g->use[u - 1].next) {
        const struct ghw_use *use = &g->use[u - 1];
        char *to = g->now + g->code[use->code].at + use->bit;
        if (t->is_bit) {
            if (*to != state)
                touch(g, use->code);
            *to = state;
            continue;
        }
        if (memcmp(to, digits, t->width) != 0)
            touch(g, use->code);
        memcpy(to, digits, t->width);
    }
    return PC_OK;
}

/* --- steps --- */

/* Takes the values of all scalars that a signal has. */
static enum pc_status take_snapshot(struct ghw *g, struct wv_group *out, struct pc_error *err)
{
    enum pc_status status = PC_OK;
    uint8_t tail[4];

    for (size_t i = 1; i < g->scalars && status == PC_OK; i++) {
        if (g->scalar[i].type == 0)
            continue;
        status = take_value(g, i, err);
        out->records++;
    }
    if (status == PC_OK)
        status = ghw_bytes(g, tail, sizeof tail, err);
    if (status == PC_OK && memcmp(tail, "ESN", 4) != 0)
        return ghw_fail(g, err, "a snapshot does not end where it should");
    return status;
}

/* Takes which scalars changed: each is told by how many with a signal lie between. */
static enum pc_status take_changes(struct ghw *g, struct wv_group *out, struct pc_error *err)
{
    size_t at = 0;

    for (;;) {
        uint32_t skip = 0;
        enum pc_status status = ghw_unsigned(g, &skip, err);
        if (status || skip == 0)
            return status;
        while (skip > 0) {
            if (++at >= g->scalars)
                return ghw_fail(g, err, "a scalar changes that no signal has");
            skip -= g->scalar[at].type != 0;
        }
        status = take_value(g, at, err);
        if (status)
            return status;
        out->records++;
    }
}

/* Begins with the file's end, or what is there instead of a section. */
static enum pc_status begin_section(struct ghw *g, struct pc_error *err)
{
    uint8_t tag[4], head[12];
    enum pc_status status = ghw_byte(g, tag, err);

    if (status) /* at the end of a section: not finished, but nothing is lost */
        return status;
    status = ghw_bytes(g, tag + 1, 3, err);
    if (status)
        return status;
    if (memcmp(tag, "DIR", 4) == 0) {
        g->state = GHW_OVER;
        return PC_OK;
    }
    g->snapshot = memcmp(tag, "SNP", 4) == 0;
    if (!g->snapshot && memcmp(tag, "CYC", 4) != 0)
        return ghw_fail(g, err, "neither a snapshot nor changes");
    const size_t size = g->snapshot ? 12 : 8;
    status = ghw_bytes(g, head, size, err);
    if (status)
        return status;
    g->time = ghw_word(g, head + size - 8, 8);
    g->begun = true;
    g->state = g->snapshot ? GHW_BETWEEN : GHW_CYCLES;
    return PC_OK;
}

/* Takes how much later the next step of the section is; its end is told by -1. */
static enum pc_status begin_step(struct ghw *g, struct pc_error *err)
{
    int64_t later = 0;
    uint8_t tail[4];
    enum pc_status status = ghw_signed(g, &later, err);

    if (status)
        return status;
    if (later >= 0) {
        if ((uint64_t)later > UINT64_MAX - g->time)
            return ghw_fail(g, err, "a time has more than 64 bits");
        g->time += (uint64_t)later;
        g->begun = true;
        return PC_OK;
    }
    status = ghw_bytes(g, tail, sizeof tail, err);
    if (status == PC_OK && memcmp(tail, "ECY", 4) != 0)
        return ghw_fail(g, err, "changes do not end where they should");
    g->state = GHW_BETWEEN;
    return status;
}

/* Reads until the time of a step is known, or the file is over. */
static enum pc_status find_step(struct ghw *g, struct pc_error *err)
{
    enum pc_status status = PC_OK;

    while (status == PC_OK && !g->begun && g->state != GHW_OVER)
        status = g->state == GHW_CYCLES ? begin_step(g, err) : begin_section(g, err);
    return status;
}

static enum pc_status check_time(struct ghw *g, struct pc_error *err)
{
    if (!g->any || g->time >= g->last)
        return PC_OK;
    if (!g->base.tolerate_time_backwards)
        return ghw_fail(g, err, "time %" PRIu64 " comes after %" PRIu64, g->time, g->last);
    wv_warn(&g->base.hier, "time %" PRIu64 " comes after %" PRIu64 ", and is taken as that",
            g->time, g->last);
    g->time = g->last;
    return PC_OK;
}

static void take_touched(struct ghw *g, struct wv_group *out)
{
    for (size_t i = 0; i < g->touches; i++) {
        const uint32_t code = g->touched[i];
        g->code[code].changed = false;
        if (g->wanted[code])
            g->change[out->changes++] = (struct wv_change){ code, g->code[code].at };
    }
    g->touches = 0;
    out->change = g->change;
    out->bits = g->now;
}

/* The file ends before its directory: what is whole was read. */
static void tell_cut(struct ghw *g, bool inside)
{
    if (g->base.info.unfinished)
        return;
    g->base.info.unfinished = true;
    wv_warn(&g->base.hier,
            inside ? "the file ends inside a step of time, which is left out"
                   : "the file ends without its directory: the simulation did not finish it");
}

static enum pc_status ghw_next(struct wv_reader *r, struct wv_group *out, struct pc_error *err)
{
    struct ghw *g = (struct ghw *)r;
    bool some = false;
    enum pc_status status = find_step(g, err);

    while (status == PC_OK && g->begun && (!some || g->time == out->time)) {
        status = check_time(g, err);
        if (status)
            return status;
        out->time = g->time;
        status = g->snapshot ? take_snapshot(g, out, err) : take_changes(g, out, err);
        if (status == PC_END)
            break;
        some = status == PC_OK;
        g->begun = g->snapshot = false;
        g->last = out->time;
        g->any = true;
        if (status == PC_OK)
            status = find_step(g, err);
    }
    if (status && status != PC_END)
        return status;
    if (status == PC_END) {
        tell_cut(g, g->begun);
        g->begun = false;
        g->state = GHW_OVER;
    }
    if (!some)
        return PC_END;
    take_touched(g, out);
    return PC_OK;
}

static enum pc_status ghw_select(struct wv_reader *r, const uint8_t *wanted, struct pc_error *err)
{
    struct ghw *g = (struct ghw *)r;

    (void)err;
    if (g->codes > 0)
        memcpy(g->wanted, wanted, g->codes);
    return PC_OK;
}

static void ghw_progress(const struct wv_reader *r, uint64_t *done, uint64_t *total)
{
    wv_input_progress(((const struct ghw *)r)->in, done, total);
}

static void ghw_close(struct wv_reader *r)
{
    struct ghw *g = (struct ghw *)r;
    struct pc_alloc a = g->alloc;

    wv_input_close(g->in);
    if (g->buf)
        pc_free(&a, g->buf, GHW_WINDOW);
    pc_free(&a, g->text, g->text_capacity);
    pc_free(&a, g->string, g->strings_capacity * sizeof *g->string);
    pc_free(&a, g->type, g->types_capacity * sizeof *g->type);
    pc_free(&a, g->number, g->numbers_capacity * sizeof *g->number);
    pc_free(&a, g->item, g->items_capacity * sizeof *g->item);
    pc_free(&a, g->range, g->ranges_capacity * sizeof *g->range);
    pc_free(&a, g->scalar, g->scalars_capacity * sizeof *g->scalar);
    pc_free(&a, g->use, g->uses_capacity * sizeof *g->use);
    pc_free(&a, g->code, g->codes_capacity * sizeof *g->code);
    pc_free(&a, g->list, g->lists_capacity * sizeof *g->list);
    pc_free(&a, g->slot, g->slots * sizeof *g->slot);
    if (g->now)
        pc_free(&a, g->now, g->bits + 1);
    if (g->wanted)
        pc_free(&a, g->wanted, g->codes + 1);
    if (g->change)
        pc_free(&a, g->change, (g->codes + 1) * sizeof *g->change);
    if (g->touched)
        pc_free(&a, g->touched, (g->codes + 1) * sizeof *g->touched);
    pc_free(&a, g, sizeof *g);
}

static const struct wv_reader_ops ops = {
    .select = ghw_select,
    .next = ghw_next,
    .progress = ghw_progress,
    .close = ghw_close,
};

/* --- opening --- */

static enum pc_status take_head(struct ghw *g, struct pc_error *err)
{
    uint8_t head[16];
    const enum pc_status status = ghw_bytes(g, head, sizeof head, err);

    if (status)
        return status;
    if (memcmp(head, "GHDLwave\n", 9) != 0 || head[9] != 16 || head[10] != 0 || head[12] < 1 ||
        head[12] > 2 || head[13] != 4 || head[15] != 0)
        return ghw_fail(g, err, "the head is none of a GHW");
    if (head[11] > 1)
        return pc_fail(err, 781, "version %u", head[11]);
    g->big_endian = head[12] == 2;
    return PC_OK;
}

/* Well known types: pairs of a number and a type, which their values tell as well. */
static enum pc_status skip_known(struct ghw *g, struct pc_error *err)
{
    uint8_t head[4], kind = 1;
    uint32_t type;
    enum pc_status status = ghw_bytes(g, head, sizeof head, err);

    while (status == PC_OK) {
        status = ghw_byte(g, &kind, err);
        if (status || kind == 0)
            break;
        status = ghw_type(g, &type, err);
    }
    return status;
}

/* Sections up to the end of the head. */
static enum pc_status take_sections(struct ghw *g, struct pc_error *err)
{
    enum pc_status status = take_head(g, err);
    uint8_t tag[4];

    while (status == PC_OK) {
        status = ghw_bytes(g, tag, sizeof tag, err);
        if (status)
            break;
        if (memcmp(tag, "EOH", 4) == 0)
            return PC_OK;
        if (memcmp(tag, "STR", 4) == 0)
            status = ghw_strings(g, err);
        else if (memcmp(tag, "TYP", 4) == 0)
            status = ghw_types(g, err);
        else if (memcmp(tag, "WKT", 4) == 0)
            status = skip_known(g, err);
        else if (memcmp(tag, "HIE", 4) == 0)
            status = ghw_hierarchy(g, err);
        else
            status = ghw_fail(g, err, "a section that is not known");
    }
    return status == PC_END ? ghw_fail(g, err, "the file ends before its signals are declared")
                            : status;
}

static enum pc_status allocate(struct ghw *g, struct pc_error *err)
{
    const struct pc_alloc *a = &g->alloc;

    g->now = pc_calloc(a, g->bits + 1, 1);
    g->wanted = pc_calloc(a, g->codes + 1, 1);
    g->change = pc_calloc(a, g->codes + 1, sizeof *g->change);
    g->touched = pc_calloc(a, g->codes + 1, sizeof *g->touched);
    return g->now && g->wanted && g->change && g->touched
               ? PC_OK
               : pc_fail(err, 100, "not enough memory for the values of a GHW");
}

enum pc_status wv_ghw_open(struct wv_input *in, const struct pc_wave_desc *desc,
                           struct wv_reader **out, struct pc_error *err)
{
    struct pc_alloc alloc = pc_alloc_or_libc(desc->alloc);
    struct pc_wave_limits limits = wv_limits(&desc->limits);
    struct ghw *g = pc_calloc(&alloc, 1, sizeof *g);

    if (!g) {
        wv_input_close(in);
        return pc_fail(err, 100, "not enough memory to open a GHW");
    }
    g->alloc = alloc;
    g->in = in;
    g->base.ops = &ops;
    g->base.tolerate_time_backwards = desc->tolerate_time_backwards;
    wv_hier_init(&g->base.hier, &alloc, &limits);
    g->buf = pc_calloc(&alloc, GHW_WINDOW, 1);
    enum pc_status status =
        g->buf ? take_sections(g, err) : pc_fail(err, 100, "not enough memory to open a GHW");
    if (status == PC_OK)
        status = allocate(g, err);
    if (status) {
        struct wv_hier hier = g->base.hier;
        ghw_close(&g->base);
        wv_hier_free(&hier);
        return status;
    }
    g->base.info.format = PC_WAVE_GHW;
    g->base.info.encoding = wv_input_encoding(g->in);
    g->base.info.version = "GHDL";
    g->base.info.timescale_factor = 1;
    g->base.info.timescale_exponent = g->has_unit ? g->unit : -15;
    g->base.unit_assumed = !g->has_unit;
    *out = &g->base;
    return PC_OK;
}
