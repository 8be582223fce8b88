/* SPDX-License-Identifier: MIT */
/* A whole text file in memory: scripts and what goes with them. */
#include "cli.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 30)
#define CHUNK    65536u

int cli_read_text(const char *verb, const char *path, char **text, size_t *size)
{
    bool standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "rb");
    size_t capacity = 0, used = 0, got = 1;
    char *buffer = NULL;

    while (file && got > 0 && used < TEXT_MAX) {
        if (capacity - used < CHUNK + 1) {
            capacity = capacity ? 2 * capacity : 2 * CHUNK;
            char *grown = realloc(buffer, capacity);
            if (!grown)
                break;
            buffer = grown;
        }
        got = fread(buffer + used, 1, CHUNK, file);
        used += got;
    }
    bool bad = !file || ferror(file);
    int reason = errno;
    if (file && !standard)
        fclose(file);
    if (bad || got > 0) {
        free(buffer);
        return bad ? cli_usage(verb, "cannot read %s: %s", path, strerror(reason))
                   : cli_usage(verb, "%s is larger than a script can be", path);
    }
    buffer[used] = '\0';
    *text = buffer;
    *size = used;
    return CLI_OK;
}
