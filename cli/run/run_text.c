/* SPDX-License-Identifier: MIT */
/* See run_text.h. */
#include "run_text.h"

#include <stdlib.h>
#include <string.h>

char *run_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == path ? 1 : slash ? (size_t)(slash - path) : 0;
    char *out = length ? malloc(length + 1) : NULL;

    if (out) {
        memcpy(out, path, length);
        out[length] = '\0';
    }
    return out;
}

bool run_has_wave(const char *text)
{
    for (; *text; text += *text == '\n') {
        text += strspn(text, " \t");
        if (strncmp(text, "wave", 4) == 0 && strchr(" \t\r\n", text[4]))
            return true;
        text += strcspn(text, "\n");
    }
    return false;
}
