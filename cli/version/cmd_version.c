/* SPDX-License-Identifier: MIT */
/* pcounter version: which one this is. */
#include "opt/opt.h"

static const struct opt_line line = { .name = "version", .row = opt_output_alone };

static int run(int argc, char **argv)
{
    struct opt_output_alone o = { .output = NULL };
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
