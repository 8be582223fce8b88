/* SPDX-License-Identifier: MIT */
/*
 * The commands about time from a waveform: wave, bind, run.  Their order is checked
 * here: one wave, then binds, then runs, in domains whose clock is bound.
 */
#include "script/script.h"

static unsigned lowest(uint64_t set)
{
    unsigned i = 0;

    while (i < PC_GPU_DOMAINS - 1 && !(set >> i & 1))
        i++;
    return i;
}

/* With a wave, only domains whose clock is bound have time. */
static enum pc_status check_clocks(const struct sc_parser *p, const struct sc_cursor *c,
                                   const struct sc_command *out, struct pc_error *err)
{
    if (out->domain == PC_DOM_PDAEMON)
        return pc_fail_at(err, 815, c->line, out->column,
                          "PDAEMON has no clock in a script with a wave: it would never advance");
    if (p->clocked == 0)
        return pc_fail_at(err, 815, c->line, out->column,
                          "no clock is bound: `bind DOM clock SIGNAL` is missing");
    if (!(p->clocked >> out->domain & 1))
        return pc_fail_at(err, 815, c->line, out->column,
                          "the clock of domain %s is not bound: it would never advance",
                          sc_domain_name(p->chip, out->domain).text);
    for (unsigned d = 0; d < PC_GPU_DOMAINS; d++)
        if (p->bound_line[d] && !(p->clocked >> d & 1))
            return pc_fail_at(err, 815, p->bound_line[d], 1,
                              "signals of domain %s are bound, and its clock is not",
                              sc_domain_name(p->chip, d).text);
    return PC_OK;
}

enum pc_status sc_parse_run(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                            struct pc_error *err)
{
    struct sc_text word;
    enum pc_status status = sc_need(c, "a number of cycles or `end`", &word, err);

    if (status)
        return status;
    const bool by_wave = p->has_wave && !p->sampled;
    out->domain = lowest(by_wave ? p->clocked : 1);
    out->to_end = sc_is(&word, "end");
    if (out->to_end && !by_wave)
        return pc_fail_at(err, 815, c->line, word.column,
                          "`run end` without a wave would never end");
    if (!out->to_end) {
        status = sc_count_text(c, &word, "a number of cycles", SC_RUN_MAX, &out->count, err);
        if (!status)
            status = sc_word(c, &word, err);
        if (!status)
            status = sc_clocked_text(p, c, &word, out, err);
        if (status && status != PC_END)
            return status;
    }
    p->has_run = true;
    return by_wave ? check_clocks(p, c, out, err) : PC_OK;
}

enum pc_status sc_parse_wave(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                             struct pc_error *err)
{
    if (p->has_wave)
        return pc_fail_at(err, 815, c->line, out->column, "a second wave");
    if (p->has_run)
        return pc_fail_at(err, 815, c->line, out->column, "`wave` after the first `run`");
    p->has_wave = true;
    enum pc_status status = sc_need(c, "the path of a waveform", &out->name, err);
    if (!status && out->name.size == 0)
        status =
            pc_fail_at(err, 813, c->line, out->name.column, "the path of the waveform is empty");
    return status;
}

static enum pc_status parse_bind_clock(struct sc_parser *p, struct sc_cursor *c,
                                       struct sc_command *out, struct pc_error *err)
{
    struct pc_clock_text said;

    out->verb = SC_BIND_CLOCK;
    if (p->clocked >> out->domain & 1)
        return pc_fail_at(err, 816, c->line, out->column, "the clock of domain %s is bound already",
                          sc_domain_name(p->chip, out->domain).text);
    p->clocked |= (uint64_t)1 << out->domain;
    enum pc_status status = sc_rest(c, &out->name, err);
    if (status)
        return status;
    status = pc_wave_parse_clock(out->name.at, out->name.size, &said, err);
    if (status == PC_OK && said.is_expression)
        return pc_fail_at(err, 804, c->line,
                          out->name.column +
                              (uint32_t)(said.iff.text + said.iff.size - out->name.at),
                          "one signal follows iff in a script, and no expression");
    if (status && err) {
        err->line = c->line;
        err->column += out->name.column - 1;
    }
    return status;
}

enum pc_status sc_parse_bind(struct sc_parser *p, struct sc_cursor *c, struct sc_command *out,
                             struct pc_error *err)
{
    struct sc_text word;

    if (!p->has_wave || p->has_run)
        return pc_fail_at(err, 815, c->line, out->column, "`bind` %s",
                          p->has_run ? "after the first `run`" : "before `wave`");
    enum pc_status status = sc_domain(c, p->chip, &out->domain, err);
    if (!status)
        status = sc_need(c, "`clock` or a signal", &word, err);
    if (status)
        return status;
    if (sc_is(&word, "clock"))
        return parse_bind_clock(p, c, out, err);
    status = sc_signal_text(p, c, &word, out->domain, &out->signal, err);
    if (!status)
        status = sc_need(c, "a signal of the wave", &out->name, err);
    if (status)
        return status;
    uint64_t *set = &p->bound[out->domain][out->signal / 64], bit = (uint64_t)1 << out->signal % 64;
    if (*set & bit)
        return pc_fail_at(err, 816, c->line, word.column,
                          "signal 0x%02x of domain %s is bound already", out->signal,
                          sc_domain_name(p->chip, out->domain).text);
    *set |= bit;
    if (!p->bound_line[out->domain])
        p->bound_line[out->domain] = c->line;
    return PC_OK;
}
