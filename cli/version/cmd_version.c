/* SPDX-License-Identifier: MIT */
/* pcounter version: which one this is. */
#include "opt/opt.h"

struct options {
    const char *output;
};
static const struct opt rows[] = {
    OPT_OUTPUT(struct options, output, "where to write"),
    OPT_QUIET,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_line line = { .name = "version", .row = rows };

static int run(int argc, char **argv)
{
    struct options o = { .output = NULL };
    struct opt_said said;
    struct cli_out out;
    int code = opt_read(&cli_verb_version, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    if (said.operands > 0)
        return cli_usage("version", "\"%s\" is one word too many", said.operand[0]);
    code = cli_out_open(&out, o.output);
    if (code)
        return code;
    fprintf(out.file, "pcounter %s\n", pc_version());
    return cli_out_commit(&out);
}

const struct cli_verb cli_verb_version = {
    .name = "version",
    .summary = "which version of pcounter this is",
    .run = run,
    .line = &line,
};
