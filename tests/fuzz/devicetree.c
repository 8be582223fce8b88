/* SPDX-License-Identifier: MIT */
/*
 * The input is a device tree, source or blob, after a byte that chooses core and format.  What
 * must hold: see verb.c; and a tree with nothing to tell of is told so.
 */
#include "verb.h"

#include "check/devicetree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const cores[] = { "cv64a6_imafdc_sv39", "cv32a6_imac_sv32" };
    static const char *const formats[] = { "text", "csv", "json", "text" };
    struct verb_said said;

    if (size < 2 || size > 1 << 16)
        return 0;
    const char *const words[] = { "check",
                                  "--devicetree",
                                  fuzz_file(data + 1, size - 1),
                                  "--core",
                                  cores[data[0] & 1],
                                  "--format",
                                  formats[data[0] >> 1 & 3],
                                  "--profile",
                                  data[0] & 8 ? "spec" : "rtl",
                                  NULL };
    (void)verb_run(&cli_verb_check, words, &said);
    verb_free(&said);
    return 0;
}
