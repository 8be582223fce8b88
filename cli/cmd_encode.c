/* SPDX-License-Identifier: MIT */
#include "cli.h"

static int run(int argc, char **argv)
{
    (void)argc;
    return cli_usage(argv[0], "not built yet");
}

const struct cli_verb cli_verb_encode = { "encode", "", run, "", "" };
