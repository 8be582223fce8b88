/* SPDX-License-Identifier: MIT */
/* A verb that completion does not know, to show that complete.sh would see it. */
#include "complete/complete.h"
#include "text/regs_text.h"

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "chip", required_argument, NULL, 'a' },
        { "nobody-knows", required_argument, NULL, 'n' },
        { "words", required_argument, NULL, 'w' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    static const char *const words[] = { "fresh", "stale", NULL };
    int c, word;

    while ((c = cli_getopt(argc, argv, ":a:n:w:", options)) != -1)
        if (c == '?' || (c == 'w' && cli_parse_word("fake", "--words", optarg, words, &word)))
            return CLI_INPUT;
    return CLI_OK;
}

int main(int argc, char **argv)
{
    static const struct cli_verb fake = { .name = "fake", .summary = "", .run = run };
    static const struct cli_verb *const verbs[] = { &fake };

    return complete_main(verbs, 1, argc - 1, argv + 1);
}
