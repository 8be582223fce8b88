/* SPDX-License-Identifier: MIT */
/* `pcounter --generate complete-SHELL`: the scripts beside this file, as they are installed. */
#include "complete.h"

#include <string.h>

/* Made by the build: a string a line. */
static const char *const bash[] = {
#include "complete_bash.inc"
};
static const char *const zsh[] = {
#include "complete_zsh.inc"
};
static const char *const fish[] = {
#include "complete_fish.inc"
};

static int print(const char *const *line, size_t count)
{
    for (size_t i = 0; i < count; i++)
        puts(line[i]);
    return CLI_OK;
}

int complete_generate(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "complete-bash") == 0)
        return print(bash, sizeof bash / sizeof bash[0]);
    if (argc == 2 && strcmp(argv[1], "complete-zsh") == 0)
        return print(zsh, sizeof zsh / sizeof zsh[0]);
    if (argc == 2 && strcmp(argv[1], "complete-fish") == 0)
        return print(fish, sizeof fish / sizeof fish[0]);
    return cli_usage(NULL, "--generate takes complete-bash, complete-zsh or complete-fish%s%s%s",
                     argc == 2 ? ", not \"" : "", argc == 2 ? argv[1] : "", argc == 2 ? "\"" : "");
}
