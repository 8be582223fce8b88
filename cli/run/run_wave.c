/* SPDX-License-Identifier: MIT */
#include "run_wave.h"

#include <string.h>

#include "cli.h"

/* The path behind `wave` in a line, of *length bytes; NULL: it is another command. */
static const char *path_in(const char *line, size_t *length)
{
    static const char blanks[] = " \t\r";

    line += strspn(line, blanks);
    if (strncmp(line, "wave", 4) != 0 || !strchr(blanks, line[4]) || line[4] == '\0')
        return NULL;
    line += 4 + strspn(line + 4, blanks);
    const bool quoted = *line == '"';
    line += quoted;
    *length = strcspn(line, quoted ? "\"\n" : " \t\r\n#");
    return line;
}

int run_note_wave(const char *path, const char *text)
{
    const char *slash = strrchr(path, '/');
    char file[CLI_PATH];

    for (const char *line = text; line; line = strchr(line, '\n')) {
        size_t length;
        line += *line == '\n';
        const char *name = path_in(line, &length);
        if (!name || length == 0)
            continue;
        const int folder = name[0] == '/' || !slash ? 0 : (int)(slash - path) + 1;
        const int n = snprintf(file, sizeof file, "%.*s%.*s", folder, path, (int)length, name);
        if (n > 0 && (size_t)n < sizeof file && !cli_reads(file))
            return cli_would_replace(file);
    }
    return CLI_OK;
}
