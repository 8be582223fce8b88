/* SPDX-License-Identifier: MIT */
/* Opening the names of a chip's signals, with tables of the user's over them. */
#include "text/signal_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

int cli_names_add(const char *verb, struct cli_name_files *files, const char *path)
{
    if (files->count == CLI_NAME_FILES)
        return cli_usage(verb, "--signals: %d tables at most", CLI_NAME_FILES);
    files->path[files->count++] = path;
    return CLI_OK;
}

static int load(const char *verb, struct pc_names *names, const char *path)
{
    struct pc_error err;
    char *text;
    size_t size, added;
    int code = cli_read_text(verb, path, &text, &size);

    if (code != CLI_OK)
        return code;
    if (pc_names_load(names, text, size, &added, &err) != PC_OK)
        code = cli_error(&err, path, text);
    else if (added == 0)
        cli_note(204, "%s has no row for %s", path, pc_names_chip(names)->name);
    free(text);
    return code;
}

int cli_names_open(const char *verb, const struct pc_chip *chip, const struct cli_name_files *files,
                   struct pc_names **out)
{
    struct pc_names *names;
    struct pc_error err;
    int code = CLI_OK;

    if (pc_names_open(NULL, chip, &names, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    for (size_t i = 0; files && i < files->count && code == CLI_OK; i++)
        code = load(verb, names, files->path[i]);
    if (code == CLI_OK)
        *out = names;
    else
        pc_names_close(names);
    return code;
}

bool cli_position_range(const char *name, unsigned long *high, unsigned long *low)
{
    char *end;

    if ((name[0] != 's' && name[0] != 'S') || name[1] != '[' || !isdigit((unsigned char)name[2]))
        return false;
    const unsigned long h = strtoul(name + 2, &end, 10);
    if (*end != ':' || !isdigit((unsigned char)end[1]))
        return false;
    *high = h;
    *low = strtoul(end + 1, &end, 10);
    return strcmp(end, "]") == 0;
}

enum pc_status cli_range_backwards(const char *name, struct pc_error *err)
{
    *err = (struct pc_error){ .status = PC_ENOENT, .code = 342 };
    snprintf(err->text, sizeof err->text, "\"%.100s\" is the wrong way round", name);
    snprintf(err->hint, sizeof err->hint, "the higher position comes first, as in s[45:42]");
    return err->status;
}
