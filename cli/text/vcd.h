/* SPDX-License-Identifier: MIT */
/* Parts of a VCD that is written. */
#ifndef PC_CLI_VCD_H
#define PC_CLI_VCD_H

#include <stddef.h>
#include <stdio.h>

/* Writes the code of variable `number`, from 0 on, without a NUL; how long it is. */
enum { VCD_CODE = 12 };
size_t vcd_code(char out[VCD_CODE], size_t number);
void vcd_put_code(FILE *out, size_t number);
/*
 * Writes a name without its blanks, which would end it there, and with what cannot be shown as
 * \xHH.
 */
void vcd_put_name(FILE *out, const char *name);
/* Writes "$timescale 10ns $end": a time unit is 10^exponent seconds. */
void vcd_put_timescale(FILE *out, int exponent);
/* Writes text of a comment: no word of it is the comment's end. */
void vcd_put_comment(FILE *out, const char *text);

#endif
