/* SPDX-License-Identifier: MIT */
/* Signals of a waveform by their names. */
#include "wave/wave_bits.h"
#include "cli.h"

enum pc_status cli_no_memory_of(struct pc_error *err, const char *signal)
{
    return cli_fail(err, 100, "out of memory for the signal \"%s\"", signal);
}

/* The bits of a real that compare as it does. */
static enum pc_status find_real(const struct pc_wave *wave, const char *name,
                                struct pc_wave_bit *bits, size_t capacity, size_t *count,
                                struct pc_error *err)
{
    uint32_t hi, lo;
    size_t var;
    const enum pc_status status = pc_wave_find(wave, name, &var, &hi, &lo, err);

    if (status)
        return status;
    *count = 64;
    for (uint32_t i = 0; i < *count && i < capacity; i++)
        bits[i] = (struct pc_wave_bit){ var, PC_WAVE_REAL + i };
    return PC_OK;
}

enum pc_status cli_find_bits(const struct pc_wave *wave, const char *name, struct pc_wave_bit *bits,
                             size_t capacity, size_t *count, unsigned code, struct pc_error *err)
{
    static const char *const kinds[] = { "0 bits wide", "a real", "a string", "an event" };
    struct pc_wave_var info = { .name = name, .kind = PC_VAR_BITS };
    struct pc_wave_bit one = { .var = 0 };
    struct pc_wave_bit *to = capacity > 0 ? bits : &one; /* the kind is that of a bit */
    if (name[0] == '=') /* a real that is compared (pc_expr_values()) */
        return find_real(wave, name + 1, bits, capacity, count, err);
    enum pc_status status =
        pc_wave_find_bits(wave, name, to, capacity > 0 ? capacity : 1, count, err);

    if (status == PC_OK && *count == 0) /* a string, or of no width: it has no bit to look at */
        status = pc_wave_find(wave, name, &to[0].var, &(uint32_t){ 0 }, &(uint32_t){ 0 }, err);
    if (status == PC_OK)
        status = pc_wave_get_var(wave, to[0].var, &info);
    if (status == PC_OK && info.kind == PC_VAR_EVENT)
        *count = 1;
    if (status || (*count > 0 && (info.kind == PC_VAR_BITS || info.kind == PC_VAR_EVENT)))
        return status;
    struct pc_error unasked;
    if (!err)
        err = &unasked;
    status = cli_fail(err, code, "\"%s\" is %s", info.name, kinds[info.kind]);
    if (info.kind == PC_VAR_REAL)
        snprintf(err->hint, sizeof err->hint, "compare it with a number: %.200s > 1.65", name);
    if (info.kind == PC_VAR_STRING)
        snprintf(err->hint, sizeof err->hint, "compare it with a text: %.200s == \"run\"", name);
    return status;
}

struct naming {
    const struct pc_wave *wave;
    bool (*take)(void *ctx, const char *name);
    void *ctx;
};

/* Hands over a name that an expression asks for; its bits are any. */
static enum pc_status look_up(void *ctx, const char *name, uint32_t *wires, size_t capacity,
                              size_t *count, bool *is_signed, struct pc_error *err)
{
    const struct naming *n = ctx;
    const char *own = name[0] == '=' ? name + 1 : name; /* of a real */

    *count = 64;
    if (own == name) {
        const enum pc_status status = pc_wave_find_bits(n->wave, own, NULL, 0, count, err);
        if (status)
            return status;
    }
    for (size_t i = 0; i < *count && i < capacity; i++)
        wires[i] = (uint32_t)i;
    *is_signed = pc_wave_is_signed(n->wave, own);
    return n->take(n->ctx, own) ? PC_OK : cli_no_memory_of(err, own);
}

enum pc_status cli_each_signal(const struct pc_wave *wave, const char *expression,
                               bool (*take)(void *ctx, const char *name), void *ctx,
                               struct pc_error *err)
{
    struct naming n = { wave, take, ctx };
    struct pc_expr *e = NULL;
    struct pc_error own;
    enum pc_status status = pc_expr_parse(NULL, expression, &e, &own);

    if (status == PC_OK) {
        pc_expr_values(e, pc_wave_find_value, wave);
        status = pc_expr_resolve(e, look_up, &n, &own);
        if (status && own.code == 306) /* a vector, as a value */
            status = PC_OK;
    }
    pc_expr_free(e);
    if (status && err)
        *err = own;
    return status;
}
