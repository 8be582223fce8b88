/* SPDX-License-Identifier: MIT */
/* pcounter version: which one this is, and which optional parts it was built with. */
#include "opt/opt.h"

#ifndef PC_HAVE_CARD
#define PC_HAVE_CARD 0
#endif
#ifndef PC_HAVE_UNICORN
#define PC_HAVE_UNICORN 0
#endif
#ifndef PC_HAVE_LIBFDT
#define PC_HAVE_LIBFDT 0
#endif
#ifndef PC_HAVE_MPI
#define PC_HAVE_MPI 0
#endif

/* The optional parts of a build; needs is what configuring it looks for. */
static const struct part {
    const char *name, *needs;
    int built;
} parts[] = {
    { "card", "libzydis-dev, Linux on x86-64, no sanitizers; card --qemu works", PC_HAVE_CARD },
    { "exec", "libunicorn-dev", PC_HAVE_UNICORN },
    { "device tree blobs", "libfdt-dev", PC_HAVE_LIBFDT },
    { "pcounter-mpi", "libopenmpi-dev", PC_HAVE_MPI },
};

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
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].built)
            fprintf(out.file, "  %-17s  yes\n", parts[i].name);
        else
            fprintf(out.file, "  %-17s  no (needs %s)\n", parts[i].name, parts[i].needs);
    return cli_out_commit(&out);
}

const struct cli_verb cli_verb_version = {
    .name = "version",
    .summary = "the version, and the optional parts of this build",
    .run = run,
    .line = &line,
};
