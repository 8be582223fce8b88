/* SPDX-License-Identifier: MIT */
#include "text/vcd.h"

#include "cli.h"
#include "text/chars.h"

size_t vcd_code(char out[VCD_CODE], size_t number)
{
    size_t n = 0;

    do {
        out[n++] = (char)('!' + (int)(number % 94));
        number /= 94;
    } while (number > 0);
    return n;
}

void vcd_put_code(FILE *out, size_t number)
{
    char code[VCD_CODE];
    const size_t size = vcd_code(code, number);

    fwrite(code, 1, size, out);
}

void vcd_put_name(FILE *out, const char *name)
{
    char hidden[CLI_HIDDEN];

    while (*name) {
        size_t n = cli_character(name);
        if (n == 0 && !cli_is_space(*name)) {
            n = cli_hidden(name, hidden);
            fputs(hidden, out);
        } else if (!cli_is_space(*name)) {
            fwrite(name, 1, n, out);
        }
        name += n ? n : 1;
    }
}

void vcd_put_timescale(FILE *out, int exponent)
{
    const int unit = (-exponent + 2) / 3;

    fprintf(out, "$timescale %s%s $end\n",
            (const char *const[]){ "1", "10", "100" }[exponent + 3 * unit],
            pc_time_unit(-3 * unit));
}

void vcd_put_comment(FILE *out, const char *text)
{
    for (; *text; text++)
        if (*text == '$' || (unsigned char)*text < ' ')
            fprintf(out, "\\x%02x", (unsigned char)*text);
        else
            fputc(*text, out);
}
