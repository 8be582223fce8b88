/* SPDX-License-Identifier: MIT */
/*
 * Timestamps as writers have them that count in fractions or print floating point numbers:
 * "#0.5", "#1e+06".  All are read exactly, as decimal numbers.
 */
#ifndef PC_WAVE_VCD_TIMES_H
#define PC_WAVE_VCD_TIMES_H

#include "wave/vcd/vcd.h"

/* digits * 10^shift; trailing zeros of a fraction are gone, so that shift < 0 is a fraction. */
struct vcd_decimal {
    uint64_t digits;
    int shift;
    bool power; /* was written with an exponent */
};

enum vcd_decimal_kind { VCD_DECIMAL, VCD_NO_DECIMAL, VCD_DECIMAL_LARGE, VCD_DECIMAL_CUT };

/*
 * All of p[0 .. end) is the number; VCD_DECIMAL_CUT: it would be one if it went on.  Of a fraction
 * 19 digits count.
 */
enum vcd_decimal_kind vcd_decimal(const uint8_t *p, const uint8_t *end, struct vcd_decimal *out);
/*
 * Converts the number to units of 10^-places, and what is left of one to units of 10^-18; false if
 * that is more than 64 bits.
 */
bool vcd_decimal_units(const struct vcd_decimal *d, unsigned places, uint64_t *units,
                       uint64_t *rest);

/* Returns "ns" for -9; exponents are multiples of 3. */
const char *vcd_unit_name(int exponent);

#endif
