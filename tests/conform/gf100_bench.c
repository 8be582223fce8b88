/* SPDX-License-Identifier: MIT */
/* The bench of the GF100+ conformance tests, and its runner; see gf100.h. */
#include "gf100.h"

#include <stdlib.h>
#include <string.h>

/* Sets of the three kinds and of both families, with documented and with assumed sizes. */
static const struct place {
    const char *chip;
    enum pc_set set;
    unsigned index;
} places[] = {
    { "GF100", PC_SET_HUB, 0 }, { "GF100", PC_SET_GPC, 1 },  { "GF100", PC_SET_PART, 5 },
    { "GF108", PC_SET_GPC, 0 }, { "GK104", PC_SET_HUB, 0 },  { "GK104", PC_SET_GPC, 3 },
    { "GK110", PC_SET_GPC, 4 }, { "GK20A", PC_SET_PART, 0 }, { "GM107", PC_SET_PART, 1 },
};
enum { PLACES = sizeof places / sizeof places[0] };

struct instance {
    const struct gf_case *what;
    const struct place *place;
    struct gf *gf;
    unsigned dom;
    char path[96];
};
struct plan {
    struct instance *instance; /* NULL: only count */
    struct CMUnitTest *test;
    size_t count;
};

/* ---- the unit ---- */

uint32_t gf_domain_base(enum pc_set set, unsigned index, unsigned dom)
{
    if (set == PC_SET_HUB)
        return 0x1b0000 + 0x200 * dom;
    return (set == PC_SET_GPC ? 0x180000 : 0x1a0000) + 0x1000 * index + 0x200 * dom;
}

uint32_t gf_set_base(enum pc_set set, unsigned index)
{
    if (set == PC_SET_HUB)
        return 0x1be000;
    return (set == PC_SET_GPC ? 0x1b8000 : 0x1bc000) + 0x200 * index;
}

static void find_signals(struct gf *gf, unsigned dom)
{
    unsigned n = 0;

    for (unsigned s = 0; s < PC_MAX_SIGNALS && n < GF_RAW; s++)
        if (pc_chip_signal(&gf->chip, dom, s).kind == PC_SIG_RAW)
            gf->signal[dom][n++] = (uint8_t)s;
    assert_int_equal(n, GF_RAW);
}

static void open_unit(struct gf *gf, const struct place *place)
{
    struct pc_error err = { 0 };

    *gf =
        (struct gf){ .whole = pc_chip_find(place->chip), .set = place->set, .index = place->index };
    assert_non_null(gf->whole);
    test_ok(pc_chip_of_set(gf->whole, gf->set, &gf->chip, &err), &err);
    for (unsigned d = 0; d < gf->chip.domains; d++)
        find_signals(gf, d);
    struct pc_unit_desc desc = { .chip = gf->whole, .set = gf->set, .index = gf->index };
    test_ok(pc_unit_create(&desc, &gf->unit, &err), &err);
}

static void close_unit(struct gf *gf)
{
    pc_unit_destroy(gf->unit);
    gf->unit = NULL;
}

void gf_option(struct gf *gf, const char *name, const char *value)
{
    struct pc_error err = { 0 };

    gf->changed = true;
    test_ok(pc_unit_option(gf->unit, name, value, &err), &err);
}

void gf_write_dom(struct gf *gf, unsigned dom, uint32_t offset, uint32_t value)
{
    pc_unit_write(gf->unit, gf_domain_base(gf->set, gf->index, dom) + offset, value);
}

uint32_t gf_read_dom(const struct gf *gf, unsigned dom, uint32_t offset)
{
    return pc_unit_read(gf->unit, gf_domain_base(gf->set, gf->index, dom) + offset);
}

void gf_write(struct gf *gf, uint32_t offset, uint32_t value)
{
    gf_write_dom(gf, gf->dom, offset, value);
}

uint32_t gf_read(const struct gf *gf, uint32_t offset)
{
    return gf_read_dom(gf, gf->dom, offset);
}

void gf_write_set(struct gf *gf, uint32_t offset, uint32_t value)
{
    pc_unit_write(gf->unit, gf_set_base(gf->set, gf->index) + offset, value);
}

uint32_t gf_read_set(const struct gf *gf, uint32_t offset)
{
    return pc_unit_read(gf->unit, gf_set_base(gf->set, gf->index) + offset);
}

/* ---- signals and time ---- */

unsigned gf_raw(const struct gf *gf, unsigned k)
{
    assert_in_range(k, 0, GF_RAW - 1);
    return gf->signal[gf->dom][k];
}

unsigned gf_at(const struct gf *gf, unsigned trailer)
{
    return gf->chip.domain[gf->dom].trailer_base + trailer;
}

void gf_set(struct gf *gf, unsigned dom, unsigned signal, bool level)
{
    uint64_t bit = UINT64_C(1) << signal % 64;

    if (level)
        gf->raw[dom][signal / 64] |= bit;
    else
        gf->raw[dom][signal / 64] &= ~bit;
}

void gf_line(struct gf *gf, unsigned line, bool level)
{
    gf_set(gf, gf->dom, gf_raw(gf, line), level);
}

bool gf_signal_dom(const struct gf *gf, unsigned dom, unsigned signal)
{
    return gf_read_dom(gf, dom, GF_SIG_STATUS + 4 * (signal / 32)) >> signal % 32 & 1;
}

bool gf_signal(const struct gf *gf, unsigned signal)
{
    return gf_signal_dom(gf, gf->dom, signal);
}

uint32_t gf_four(unsigned s0, unsigned s1, unsigned s2, unsigned s3)
{
    return s0 | s1 << 8 | s2 << 16 | s3 << 24;
}

static void edges(struct gf *gf, uint32_t mask, unsigned n)
{
    while (n-- > 0)
        pc_unit_step(gf->unit, mask, (const uint64_t(*)[PC_SIG_WORDS])gf->raw);
}

void gf_step(struct gf *gf, unsigned n)
{
    edges(gf, 1u << gf->dom, n);
}

void gf_step_all(struct gf *gf, unsigned n)
{
    edges(gf, (1u << gf->chip.domains) - 1, n);
}

static void set_letter(struct gf *gf, char letter)
{
    static const char letters[] = "psexfc"; /* in the order of enum gf_line */
    const char *at = strchr(letters, letter);

    if (letter == 'w')
        pc_unit_pulse(gf->unit, PC_PULSE_PM_TRIGGER, 0);
    else if (at)
        gf_line(gf, (unsigned)(at - letters), true);
    else if (letter != '.')
        fail_msg("unknown letter '%c' in a play", letter);
}

static void all_low(struct gf *gf)
{
    for (unsigned line = GF_P; line < GF_ZERO; line++)
        gf_line(gf, line, false);
}

void gf_play(struct gf *gf, const char *tokens)
{
    while (*tokens) {
        all_low(gf);
        for (; *tokens && *tokens != ' '; tokens++)
            set_letter(gf, *tokens);
        gf_step(gf, 1);
        tokens += strspn(tokens, " ");
    }
    all_low(gf);
}

/* ---- ways into the modes ---- */

void gf_wire(struct gf *gf)
{
    unsigned zero = gf_raw(gf, GF_ZERO);

    /* CLRFLAG's argument 0 is PRE_SRC[2], SETFLAG's is START_SRC[2] */
    gf_write(gf, GF_PRE_SRC, gf_four(gf_raw(gf, GF_P), zero, gf_raw(gf, GF_C), zero));
    gf_write(gf, GF_START_SRC, gf_four(gf_raw(gf, GF_S), zero, gf_raw(gf, GF_F), zero));
    gf_write(gf, GF_EVENT_SRC, gf_four(gf_raw(gf, GF_E), zero, zero, zero));
    gf_write(gf, GF_STOP_SRC, gf_four(gf_raw(gf, GF_X), zero, zero, zero));
    gf_write(gf, GF_PRE_OP, GF_OP_ARG0);
    gf_write(gf, GF_START_OP, GF_OP_ARG0);
    gf_write(gf, GF_EVENT_OP, GF_OP_ARG0);
    gf_write(gf, GF_STOP_OP, GF_OP_ARG0);
    gf_write(gf, GF_SETFLAG_OP, GF_OP_ARG0);
    gf_write(gf, GF_CLRFLAG_OP, GF_OP_ARG0);
    gf_write(gf, GF_SWAP_SRC, gf_at(gf, GF_AT_PM_TRIGGER));
}

void gf_ctrl(struct gf *gf, unsigned mode, unsigned ctr_mode, uint32_t more)
{
    gf_write(gf, GF_CTRL, mode | ctr_mode << 3 | more);
}

void gf_start_single(struct gf *gf, uint32_t pre, uint32_t stop, uint32_t ctrl)
{
    gf_wire(gf);
    gf_write(gf, GF_CTR_PRE, pre);
    gf_write(gf, GF_CTR_STOP, stop);
    gf_write(gf, GF_CTRL, GF_SINGLE | ctrl);
    gf_write(gf, GF_SINGLE_BEGIN, 1);
    gf_play(gf, "."); /* the cycle that starts */
    assert_int_equal(gf_single_state(gf), GF_WAIT_PRE);
}

void gf_start_quad(struct gf *gf, unsigned ctr_mode)
{
    gf_wire(gf);
    gf_ctrl(gf, GF_QUAD, ctr_mode, 0);
}

enum gf_single gf_single_state(const struct gf *gf)
{
    return (enum gf_single)(gf_read(gf, GF_CTRL) >> 28 & 3);
}

enum gf_quad gf_quad_state(const struct gf *gf)
{
    return (enum gf_quad)(gf_read(gf, GF_CTRL) >> 24 & 3);
}

void gf_expect(const struct gf *gf, unsigned cycles, unsigned pre, unsigned start, unsigned event,
               unsigned stop)
{
    assert_int_equal(gf_read(gf, GF_CTR_CYCLES), cycles);
    assert_int_equal(gf_read(gf, GF_CTR_PRE), pre);
    assert_int_equal(gf_read(gf, GF_CTR_START), start);
    assert_int_equal(gf_read(gf, GF_CTR_EVENT), event);
    assert_int_equal(gf_read(gf, GF_CTR_STOP), stop);
}

/* ---- runner ---- */

/* The unit of the case before serves again, reset, if it is of the same place and unchanged. */
static int set_up(void **state)
{
    const struct instance *in = *state;
    struct gf *gf = in->gf;
    const struct pc_chip *chip = pc_chip_find(in->place->chip);

    if (gf->unit && (gf->changed || gf->whole != chip || gf->set != in->place->set))
        close_unit(gf);
    if (!gf->unit)
        open_unit(gf, in->place);
    pc_unit_reset(gf->unit);
    memset(gf->raw, 0, sizeof gf->raw);
    gf->dom = in->dom;
    return 0;
}

static void run(void **state)
{
    const struct instance *in = *state;

    in->what->run(in->gf);
}

static void add(struct plan *plan, struct instance in, const char *chapter)
{
    static const char *const sets[] = { "", "hub", "gpc", "part" };
    const char *filter = getenv("PC_FILTER");

    snprintf(in.path, sizeof in.path, "%s/%s%u/dom%u/%s/%s", in.place->chip, sets[in.place->set],
             in.place->index, in.dom, chapter, in.what->name);
    if (filter && !strstr(in.path, filter))
        return;
    if (plan->instance) {
        struct instance *to = &plan->instance[plan->count];
        *to = in;
        plan->test[plan->count] = (struct CMUnitTest){ to->path, run, set_up, NULL, to };
    }
    plan->count++;
}

/* Adds the runs of a case; false if there is none. */
static bool expand(struct plan *plan, const struct gf_case *what, const char *chapter,
                   struct gf *gf)
{
    bool any = false;

    for (size_t i = 0; i < PLACES; i++) {
        struct pc_error err;
        struct pc_chip chip;
        const struct pc_chip *whole = pc_chip_find(places[i].chip);

        if (!whole || pc_chip_of_set(whole, places[i].set, &chip, &err) != PC_OK ||
            chip.domains < what->domains)
            continue;
        for (unsigned d = 0; d < (what->flags & GF_ONCE ? 1 : chip.domains); d++)
            add(plan, (struct instance){ .what = what, .place = &places[i], .gf = gf, .dom = d },
                chapter);
        any = true;
    }
    if (!any)
        fprintf(stderr, "%s/%s: no set runs this case\n", chapter, what->name);
    return any;
}

static bool expand_all(struct plan *plan, const char *chapter, const struct gf_case *cases,
                       size_t count, struct gf *gf)
{
    bool all = true;

    plan->count = 0;
    for (size_t c = 0; c < count; c++)
        all &= expand(plan, &cases[c], chapter, gf);
    return all;
}

int gf_run(const char *chapter, const struct gf_case *cases, size_t count)
{
    struct gf gf = { .unit = NULL };
    struct plan plan = { .instance = NULL };

    if (!expand_all(&plan, chapter, cases, count, &gf))
        return 1;
    if (plan.count == 0) {
        fprintf(stderr, "%s: PC_FILTER=%s keeps no case\n", chapter, getenv("PC_FILTER"));
        return 77;
    }
    plan.test = calloc(plan.count, sizeof *plan.test);
    plan.instance = calloc(plan.count, sizeof *plan.instance);
    if (!plan.instance || !plan.test) {
        fprintf(stderr, "%s: out of memory\n", chapter);
        return 1;
    }
    expand_all(&plan, chapter, cases, count, &gf);
    int failed = _cmocka_run_group_tests(chapter, plan.test, plan.count, NULL, NULL);
    close_unit(&gf);
    free(plan.test);
    free(plan.instance);
    return failed != 0;
}
