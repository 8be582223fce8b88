/* SPDX-License-Identifier: MIT */
/*
 * The input is a list of lines, each looked up as the name of a signal in one waveform with
 * all the trouble that names have: brackets, blanks, escapes, aliases, descending and
 * negative bounds.
 */
#include "fuzz.h"

#include <string.h>

static const char text[] =
    "$timescale 1ns $end $scope module top $end $var wire 1 ! clk $end "
    "$var reg 8 # count [7:0] $end $var wire 12 $ wide [0:11] $end "
    "$var wire 6 % low [2:-3] $end $var wire 1 & bus[3] $end $var wire 4 ' bus [3:0] $end "
    "$scope module u0 $end $var wire 1 ! clk $end $var wire 2 ( \\odd[1] [1:0] $end "
    "$var wire 1 ) a.b $end $upscope $end $scope module u1 $end $var wire 1 * clk $end "
    "$var wire 3 + mem[2][7] [2:0] $end $var real 64 , volts $end $upscope $end "
    "$var wire 1 - one [2] $end $var wire 1 . one [1] $end $var wire 1 / one [0] $end "
    "$var wire 8 0 grid [1:0][3:0] $end $upscope $end $enddefinitions $end #0 0! #1 1!\n";

/* What is a variable is it bit by bit; what is none may be several. */
static void look_up_bits(const struct pc_wave *wave, const char *name, enum pc_status as_var,
                         size_t var, uint32_t hi, uint32_t lo)
{
    struct pc_error err = { 0 };
    struct pc_wave_bit bit[16];
    size_t count = SIZE_MAX;
    enum pc_status status = pc_wave_find_bits(wave, name, bit, 16, &count, &err);

    fuzz_check_error(status, &err);
    FUZZ_CHECK(status == as_var || as_var == PC_ENOENT);
    FUZZ_CHECK(status == PC_OK ? count <= 64 : count == SIZE_MAX);
    for (size_t i = 0; status == PC_OK && as_var == PC_OK && i < count && i < 16; i++)
        FUZZ_CHECK(count == hi - lo + 1 && bit[i].var == var && bit[i].bit == lo + i);
}

static void look_up(const struct pc_wave *wave, const char *name)
{
    struct pc_error err = { 0 };
    size_t var = SIZE_MAX, again;
    uint32_t hi = 77, lo = 77, hi2, lo2;
    struct pc_wave_var v;
    enum pc_status status = pc_wave_find(wave, name, &var, &hi, &lo, &err);

    fuzz_check_error(status, &err);
    look_up_bits(wave, name, status, var, hi, lo);
    if (status) {
        FUZZ_CHECK(status == PC_ENOENT || status == PC_EAMBIG || status == PC_EINPUT);
        FUZZ_CHECK(var == SIZE_MAX && hi == 77 && lo == 77);
        return;
    }
    FUZZ_CHECK(pc_wave_get_var(wave, var, &v) == PC_OK);
    FUZZ_CHECK(lo <= hi && hi < v.width);
    status = pc_wave_find(wave, v.name, &again, &hi2, &lo2, &err);
    FUZZ_CHECK(status == PC_OK || status == PC_EAMBIG);
    if (status == PC_OK)
        FUZZ_CHECK(again == var && hi2 == v.width - 1 && lo2 == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct pc_wave *wave;
    struct fuzz_bytes in = { data, size };
    char name[2048];

    if (!wave) {
        const char *path = fuzz_file((const uint8_t *)text, strlen(text));
        FUZZ_CHECK(pc_wave_open(&(struct pc_wave_desc){ .path = path }, &wave, NULL) == PC_OK);
    }
    while (in.left > 0 && size <= 8192) {
        fuzz_line(&in, name, sizeof name);
        look_up(wave, name);
    }
    return 0;
}
