/* SPDX-License-Identifier: MIT */
/* Signals of a waveform by their names. */
#include "wave/wave_bits.h"
#include "cli.h"

enum pc_status cli_no_memory_of(struct pc_error *err, const char *signal)
{
    return cli_fail(err, 100, "out of memory for the signal \"%s\"", signal);
}

/* A voltage of an instrument. */
static void hint_analog(const struct pc_wave *wave, struct pc_error *err)
{
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    if (info.format == PC_WAVE_CSV)
        snprintf(err->hint, sizeof err->hint,
                 "an analog channel has no bits; a level makes some of it, here 1.65 of column 2: "
                 "awk -F, -v OFS=, 'NR > 1 { $2 = $2 > 1.65 } 1' FILE | pcounter ... -");
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
    status = cli_fail(err, code, "\"%s\" is %s", info.name, kinds[info.kind]);
    if (info.kind == PC_VAR_REAL)
        hint_analog(wave, err);
    if (info.kind == PC_VAR_STRING)
        snprintf(err->hint, sizeof err->hint, "compare it with a text: %.200s == \"run\"", name);
    return status;
}
