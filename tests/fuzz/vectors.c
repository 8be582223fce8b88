/* SPDX-License-Identifier: MIT */
/*
 * The input is a file of vectors for `pcounter check`, plain or gzip, after a byte that chooses
 * profile and format.  What must hold: see verb.c; and that a file goes on to be compared after a
 * difference changes whether all is told, but not whether there is one.
 */
#include "verb.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = { "text", "csv", "json", "text" };
    struct verb_said first, all;

    if (size < 2 || size > 1 << 16)
        return 0;
    const char *const words[] = { "check",
                                  "--profile",
                                  data[0] & 1 ? "spec" : "rtl",
                                  "--format",
                                  formats[data[0] >> 1 & 3],
                                  fuzz_file(data + 1, size - 1),
                                  data[0] & 8 ? "-k" : NULL,
                                  NULL };
    int code = verb_run(&cli_verb_check, words, &first);
    const char *const on[] = { words[0], words[1], words[2], words[3],
                               words[4], words[5], "-k",     NULL };
    int on_code = verb_run(&cli_verb_check, on, &all);
    FUZZ_CHECK(code != CLI_OK || on_code == CLI_OK);
    FUZZ_CHECK(on_code != CLI_OK || code == CLI_OK);
    verb_free(&first);
    verb_free(&all);
    return 0;
}
