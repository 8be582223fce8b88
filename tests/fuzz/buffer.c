/* SPDX-License-Identifier: MIT */
/*
 * The input is a buffer of record mode for `pcounter record --decode`, after a byte for the
 * packets' format and the rows.  What must hold: see verb.c; all formats agree whether the buffer
 * is one, and CSV has as many rows of packets as there are packets before the unwritten rest.
 */
#include "verb.h"

#include <string.h>

/* Rows of CSV with the slot CYCLES: one a row. */
static size_t rows_of(const char *csv)
{
    size_t n = 0;

    for (; (csv = strstr(csv, ",CYCLES,cycles,")) != NULL; csv++)
        n++;
    return n;
}

/* Packets before the zeros. */
static size_t packets_of(const uint8_t *data, size_t size, size_t packet)
{
    size_t used = size;

    while (used > 0 && data[used - 1] == 0)
        used--;
    return (used + packet - 1) / packet;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = { "text", "csv", "json" };
    int code[3];

    if (size < 1 || size > 1 << 15)
        return 0;
    const bool is_short = data[0] & 1, packets = data[0] & 2;
    const char *path = fuzz_file(data + 1, size - 1);
    for (unsigned i = 0; i < 3; i++) {
        const char *words[] = { "record",
                                "--decode",
                                "--packet-format",
                                is_short ? "short" : "long",
                                "--format",
                                formats[i],
                                path,
                                packets ? "--packets" : NULL,
                                NULL };
        struct verb_said said;
        code[i] = verb_run(&cli_verb_record, words, &said);
        if (i == 1 && code[i] == 0 && packets)
            FUZZ_CHECK(rows_of(said.out) == packets_of(data + 1, size - 1, is_short ? 16 : 32));
        verb_free(&said);
    }
    FUZZ_CHECK(code[0] == code[1] && code[0] == code[2]);
    return 0;
}
