/* SPDX-License-Identifier: MIT */
/* -f: what `pcounter stat -f FILE` says of a waveform, instead of a report that it wrote before. */
#include "diff/diff.h"

#include <stdio.h>
#include <stdlib.h>

int diff_measure(const char *measurements, const char *path, char **text, size_t *size)
{
    char verb[] = "stat", file[] = "-f", format[] = "--format", json[] = "json", end[] = "--";
    char *argv[] = { verb, file, (char *)(uintptr_t)measurements, format,
                     json, end,  (char *)(uintptr_t)path,         NULL };
    const struct cli_streams before = cli_streams();
    FILE *out = open_memstream(text, size);

    if (!out)
        return cli_no_memory();
    cli_redirect(out, before.err);
    const int code = cli_verb_stat.run(7, argv);
    cli_redirect(before.out, before.err);
    if (!cli_collected(out, text))
        return cli_no_memory();
    return code == CLI_NO ? CLI_OK : code; /* what is expected is told of each, not here */
}
