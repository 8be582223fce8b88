/* SPDX-License-Identifier: MIT */
/*
 * The input is a call of `pcounter compile`: a byte for the chip, one for the mode, then a domain,
 * a list of events, and inputs with their expressions, a line each.  What must hold: see verb.c;
 * what was compiled is refused in no other format, and its script is understood by `pcounter decode
 * -i`.
 */
#include "verb.h"

#include <stdlib.h>
#include <string.h>

enum { INPUTS = 7, LINE = 600 };

static int call(const char *chip, const char *mode, const char *format, const char *domain,
                const char *events, char (*input)[LINE], struct verb_said *said)
{
    const char *words[VERB_WORDS + 1] = { "compile", "-a", chip, "--format", format };
    unsigned n = 5;

    if (mode) {
        words[n++] = "-m";
        words[n++] = mode;
    }
    if (domain[0]) {
        words[n++] = "-d";
        words[n++] = domain;
    }
    if (events[0]) {
        words[n++] = "-e";
        words[n++] = events;
    }
    words[n++] = "--";
    for (unsigned i = 0; i < INPUTS && input[i][0]; i++)
        words[n++] = input[i];
    return verb_run(&cli_verb_compile, words, said);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const modes[] = { NULL, "quad", "single", "record" };
    static const char *const others[] = { "text", "c", "json" };
    static char domain[32], events[LINE], input[INPUTS][LINE];
    struct fuzz_bytes in = { data, size };
    struct verb_said said, other;

    if (size < 4 || size > 4096)
        return 0;
    const char *chip = fuzz_chip(fuzz_u8(&in))->name;
    const unsigned how = fuzz_u8(&in);
    fuzz_line(&in, domain, sizeof domain);
    fuzz_line(&in, events, sizeof events);
    memset(input, 0, sizeof input);
    for (unsigned i = 0; i < INPUTS; i++)
        fuzz_line(&in, input[i], LINE);
    int code = call(chip, modes[how & 3], "script", domain, events, input, &said);
    int again = call(chip, modes[how & 3], others[(how >> 2) % 3], domain, events, input, &other);
    FUZZ_CHECK(again == code);
    if (code == CLI_OK) {
        const char *const words[] = { "decode", "-i",
                                      fuzz_file((const uint8_t *)said.out, said.out_size), NULL };
        struct verb_said decoded;
        FUZZ_CHECK(verb_run(&cli_verb_decode, words, &decoded) == CLI_OK);
        verb_free(&decoded);
    }
    verb_free(&said);
    verb_free(&other);
    return 0;
}
