/* SPDX-License-Identifier: MIT */
/* Signals of a waveform by their names. */
#include "wave/wave_bits.h"
#include "cli.h"

enum pc_status cli_no_memory_of(struct pc_error *err, const char *signal)
{
    return cli_fail(err, 100, "out of memory for the signal \"%s\"", signal);
}

enum pc_status cli_find_bits(const struct pc_wave *wave, const char *name, struct pc_wave_bit *bits,
                             size_t capacity, size_t *count, unsigned code, struct pc_error *err)
{
    static const char *const kinds[] = { "0 bits wide", "a real", "a string", "an event" };
    struct pc_wave_var info = { .name = name, .kind = PC_VAR_BITS };
    struct pc_wave_bit one = { .var = 0 };
    struct pc_wave_bit *to = capacity > 0 ? bits : &one; /* the kind is that of a bit */
    enum pc_status status =
        pc_wave_find_bits(wave, name, to, capacity > 0 ? capacity : 1, count, err);

    if (status == PC_OK && *count == 0) /* a string, or of no width: it has no bit to look at */
        status = pc_wave_find(wave, name, &to[0].var, &(uint32_t){ 0 }, &(uint32_t){ 0 }, err);
    if (status == PC_OK)
        status = pc_wave_get_var(wave, to[0].var, &info);
    if (status || (*count > 0 && info.kind == PC_VAR_BITS))
        return status;
    return cli_fail(err, code, "\"%s\" is %s", info.name, kinds[info.kind]);
}
