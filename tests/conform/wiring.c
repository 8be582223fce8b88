/* SPDX-License-Identifier: MIT */
/* The letters of the conformance tests, and the ways into the modes; see support.h. */
#include "support.h"

#include <string.h>

void rig_wire(struct rig *rig)
{
    unsigned p = rig_raw(rig, LINE_P), s = rig_raw(rig, LINE_S), e = rig_raw(rig, LINE_E);
    unsigned x = rig_raw(rig, LINE_X), f = rig_raw(rig, LINE_F), c = rig_raw(rig, LINE_C);
    unsigned zero = rig_raw(rig, LINE_ZERO);

    rig_select(rig, PRE_SRC, p, zero, c, zero);   /* CLRFLAG argument 0 is PRE_SRC[2] */
    rig_select(rig, START_SRC, s, zero, f, zero); /* SETFLAG argument 0 is START_SRC[2] */
    rig_select(rig, EVENT_SRC, e, zero, zero, zero);
    rig_select(rig, STOP_SRC, x, zero, zero, zero);
    if (chip_has(rig->chip, PC_F_OWN_FLAG_SRC)) {
        rig_select(rig, SETFLAG_SRC, f, zero, zero, zero);
        rig_select(rig, CLRFLAG_SRC, c, zero, zero, zero);
    }
    rig_write(rig, START_OP, OP_ARG0);
    rig_write(rig, EVENT_OP, OP_ARG0);
    rig_write(rig, STOP_OP, OP_ARG0);
    rig_write(rig, SETFLAG_OP, OP_ARG0);
    rig_write(rig, CLRFLAG_OP, OP_ARG0);
}

static void set_letter(struct rig *rig, char letter)
{
    static const char letters[] = "psexfc"; /* in the order of enum line */
    const char *at = strchr(letters, letter);

    if (letter == 'w')
        pc_unit_pulse(rig->unit, PC_PULSE_PM_TRIGGER, 0);
    else if (at)
        rig_line(rig, (unsigned)(at - letters), true);
    else if (letter != '.')
        fail_msg("unknown letter '%c' in a play", letter);
}

void rig_play(struct rig *rig, const char *tokens)
{
    while (*tokens) {
        tokens += strspn(tokens, " ");
        if (!*tokens)
            break;
        for (unsigned line = LINE_P; line < LINE_ZERO; line++)
            rig_line(rig, line, false);
        for (; *tokens && *tokens != ' '; tokens++)
            set_letter(rig, *tokens);
        rig_step(rig, 1);
    }
    for (unsigned line = LINE_P; line < LINE_ZERO; line++)
        rig_line(rig, line, false);
}

void rig_repeat(struct rig *rig, const char *token, unsigned n)
{
    while (n-- > 0)
        rig_play(rig, token);
}

void rig_ctrl(struct rig *rig, enum mode mode, enum ctr_mode ctr, uint32_t more)
{
    if (rig->chip->layout == PC_LAYOUT_NV40) {
        rig_write(rig, CTRL, (uint32_t)mode | (uint32_t)ctr << 4 | more);
        return;
    }
    /* both domains live in one register: keep the other's bits */
    uint32_t value =
        rig_read(rig, CTRL) & ~(1u << 2 | 1u << (8 + rig->dom) | 1u << (16 + 2 * rig->dom));
    value |= (uint32_t)mode << (16 + 2 * rig->dom) | (uint32_t)ctr << 2;
    if (more & CTRL_ALL)
        value |= 1u << (8 + rig->dom);
    rig_write(rig, CTRL, value);
}

enum single_state rig_single_state(const struct rig *rig)
{
    unsigned shift = rig->chip->layout == PC_LAYOUT_NV40 ? 28 : 3 + 2 * rig->dom;

    return (enum single_state)(rig_read(rig, CTRL) >> shift & 3);
}

enum quad_state rig_quad_state(const struct rig *rig)
{
    unsigned shift = rig->chip->layout == PC_LAYOUT_NV40 ? 24 : 24 + 2 * rig->dom;

    return (enum quad_state)(rig_read(rig, CTRL) >> shift & 3);
}

void rig_start_single(struct rig *rig, uint32_t pre, uint32_t stop, uint32_t ctrl)
{
    rig_wire(rig);
    rig_write(rig, CTR_PRE, pre);
    rig_write(rig, CTR_STOP, stop);
    rig_ctrl(rig, MODE_SINGLE, SIMPLE, ctrl);
    rig_write(rig, PRE_OP, OP_ARG0);
    rig_play(rig, "."); /* the cycle that starts */
    assert_int_equal(rig_single_state(rig), WAIT_PRE);
}

void rig_start_quad(struct rig *rig, enum ctr_mode ctr)
{
    rig_wire(rig);
    rig_write(rig, PRE_OP, OP_ARG0); /* still in single mode: starts, which CTRL then aborts */
    rig_play(rig, ".");
    rig_ctrl(rig, MODE_QUAD, ctr, 0);
}
