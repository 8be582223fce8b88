/* SPDX-License-Identifier: MIT */
/*
 * The input is a description of a core (pcounter-core(5)), after a byte that chooses what is done
 * with it: checked against a small waveform, counted in it, or made into files.  What must hold:
 * see verb.c; and the same is said of it twice, whatever the format.
 */
#include "verb.h"

#include <stdlib.h>

#define WAVE PC_SOURCE_DIR "/examples/core/hits.vcd"

static int run(const struct cli_verb *verb, const char *const *words)
{
    struct verb_said said;
    const int code = verb_run(verb, words, &said);

    verb_free(&said);
    fuzz_taken += code <= CLI_NO;
    return code;
}

static int check(const char *file, const char *format)
{
    const char *const words[] = { "check",    "--keep-going", "--core", file,
                                  "--format", format,         WAVE,     NULL };

    return run(&cli_verb_check, words);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const files[] = { "c-header", "perf-json" };

    if (size < 2 || size > 1 << 14)
        return 0;
    const char *file = fuzz_file(data + 1, size - 1);
    if (data[0] & 1) {
        const char *const words[] = { "stat", "--core", file, "-e", "all", WAVE, NULL };
        (void)run(&cli_verb_stat, words);
    } else if (data[0] & 2) {
        const char *const words[] = { "emit", files[data[0] >> 2 & 1], "--core", file, NULL };
        (void)run(&cli_verb_emit, words);
    } else if (check(file, "text") != check(file, "json")) {
        abort();
    }
    return 0;
}
