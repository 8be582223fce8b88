/* SPDX-License-Identifier: MIT */
/* Reads a request: the domain as the chip has it, and each input as a function of its signals.
 */
#include "lang/compile/compile.h"

#include <string.h>

enum pc_status cm_target_of(const struct pc_chip *chip, unsigned device_domain,
                            struct pc_chip *of_set, struct cm_target *out, struct pc_error *err)
{
    struct pc_chip_domain place;

    if (chip->layout == PC_LAYOUT_NONE)
        return pc_fail(err, 323, "%s has no PCOUNTER", chip->name);
    if (!pc_chip_get_domain(chip, device_domain, &place))
        return pc_fail(err, 340, "%s has no domain %u", chip->name, device_domain);
    enum pc_status status = pc_chip_of_set(chip, place.set, of_set, err);
    if (status)
        return status;
    *out = (struct cm_target){ of_set, place.domain, chip->features,
                               pc_chip_signal_position(of_set, place.domain, PC_SIG_DOM_EVENT,
                                                       place.domain) };
    return PC_OK;
}

/* Reserves the selectors that the request pins or records; those of numbers: cm_take_sums(). */
static void reserve(const struct pc_compile_request *r, int16_t reserved[CM_SELECTORS])
{
    for (unsigned i = 0; i < CM_SELECTORS; i++)
        reserved[i] = PC_NO_SIGNAL;
    for (unsigned i = 0; r->ctr_mode && i < 16; i++)
        reserved[i] = r->pinned[i / 4][i % 4];
    for (unsigned i = 0; i < r->record_signals; i++) /* PC.REC.3 */
        reserved[i] = (int16_t)r->record[i];
}

/* Refuses members that belong to another mode: they are not dropped. */
static enum pc_status check_mode(const struct pc_compile_request *r, struct pc_error *err)
{
    const bool record = r->record_start || r->record_limit || r->record_short;

    if ((unsigned)r->mode > PC_COUNT_RECORD)
        return pc_fail(err, 393, "there is no mode %u", (unsigned)r->mode);
    if (r->mode != PC_COUNT_SINGLE && (r->threshold || r->pre_count || r->stop_count))
        return pc_fail(err, 393, "a threshold or a count of PRE or STOP, which single mode has");
    if (r->mode != PC_COUNT_RECORD && record)
        return pc_fail(err, 393, "a buffer or a format of record mode in another mode");
    if (r->has_swap && r->keep_swap)
        return pc_fail(err, 393, "SWAP is to have a signal, and to be left alone");
    for (unsigned i = 0; r->ctr_mode && i < 16; i++) {
        const int signal = r->pinned[i / 4][i % 4];
        if (signal != PC_NO_SIGNAL && (signal < 0 || signal >= PC_MAX_SIGNALS))
            return pc_fail_at(err, 342, i / 4 + 1, 0, "signal %d: selectors have 8 bits", signal);
    }
    return PC_OK;
}

static enum pc_status check(const struct pc_compile_request *r, struct pc_error *err)
{
    if (!r || !r->chip)
        return pc_fail(err, 400, "no chip was given");
    enum pc_status status = check_mode(r, err);
    if (status)
        return status;
    if (r->mode == PC_COUNT_RECORD && r->chip->features & PC_F_GF100) {
        status =
            pc_fail(err, 345,
                    "record mode of %s is not compiled: how to set it up is not documented for "
                    "GF100 and later, and what is modelled is GK20A's stream-out (D-75)",
                    r->chip->name);
        pc_hint(err,
                "-m quad gives the inputs; with MODE=RECORD_E in CTRL then, their four counters "
                "go to the ring of MAIN at each STOP");
        return status;
    }
    if (r->record_signals > PC_RECORD_SIGNALS || (r->record_signals && r->mode != PC_COUNT_RECORD))
        return pc_fail(err, 341, "record mode counts up to %d signals, not %u", PC_RECORD_SIGNALS,
                       r->record_signals);
    for (unsigned i = 0; i < r->record_signals; i++)
        if (r->record[i] >= PC_MAX_SIGNALS)
            return pc_fail(err, 342, "signal %u: selectors have 8 bits", r->record[i]);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        const struct pc_expr *e = r->input[i];
        if (e && !e->resolved)
            return pc_fail(err, 307, "an expression cannot be compiled before it is resolved");
        for (size_t w = 0; e && w < e->wires; w++)
            if (e->wire[w] >= PC_MAX_SIGNALS)
                return pc_fail_at(err, 342, i + 1, 0, "signal %u: selectors have 8 bits",
                                  e->wire[w]);
    }
    return PC_OK;
}

enum pc_status cm_want_of(const struct pc_compile_request *r, struct pc_chip *of_set,
                          struct cm_want *out, bool *small, struct pc_error *err)
{
    enum pc_status status = check(r, err);

    memset(out, 0, sizeof *out);
    *small = true;
    if (status == PC_OK)
        status = cm_target_of(r->chip, r->domain, of_set, &out->target, err);
    if (status)
        return status;
    reserve(r, out->reserved);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        out->wanted[i] = r->input[i] != NULL;
        *small = *small && (!r->input[i] || cm_func_of(r->input[i], &out->func[i]));
    }
    return cm_take_sums(r, out, *small, err);
}
