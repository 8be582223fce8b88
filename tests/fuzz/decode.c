/* SPDX-License-Identifier: MIT */
/*
 * The input is a dump of registers, a script or an mmiotrace for `pcounter decode -i`, after two
 * bytes for chip and format.  What must hold: see verb.c; the text and the JSON are made of the
 * same configurations, so all formats agree whether there are some.
 */
#include "verb.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = { "text", "command", "json" };
    int code[3];

    if (size < 3 || size > 1 << 15)
        return 0;
    const char *path = fuzz_file(data + 2, size - 2);
    for (unsigned i = 0; i < 3; i++) {
        const char *const words[] = { "decode",   "-a",       fuzz_chip(data[0])->name,
                                      "--format", formats[i], "-i",
                                      path,       NULL };
        struct verb_said said;
        code[i] = verb_run(&cli_verb_decode, words, &said);
        verb_free(&said);
    }
    FUZZ_CHECK(code[0] == code[1] && code[0] == code[2]);
    return 0;
}
