/* SPDX-License-Identifier: MIT */
/* pcounter version: which one this is, and which optional parts it was built with. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "opt/opt.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

struct options {
    const char *output;
    bool vpi, dpi_flags;
};
#define O struct options
static const struct opt rows[] = {
    { .name = "vpi",
      OPT_SWITCH(O, vpi),
      .brief = "print the folder of pcounter.vpi, for vvp -M and ghdl --vpi" },
    { .name = "dpi-flags",
      OPT_SWITCH(O, dpi_flags),
      .brief = "print what Verilator links for `pcounter emit tap`" },
    OPT_OUTPUT(O, output, "write to FILE"),
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_line line = { .name = "version", .row = rows };

/* Beside the program: as installed, or as built. */
static bool find_beside(const char *file, char *out, size_t size)
{
    static const char *const places[] = { "../" PC_TAP_LIBDIR "/pcounter", "../src/tap" };
    char self[CLI_PATH];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length <= 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char path[2 * CLI_PATH];
        snprintf(path, sizeof path, "%s/%s/%s", self, places[i], file);
        char *real = realpath(path, NULL);
        const bool found = real && strlen(real) < size;
        if (found)
            snprintf(out, size, "%s", real);
        free(real);
        if (found)
            return true;
    }
    return false;
}

/* A path for the command line of a simulator. */
static int print_tap(const struct options *o, FILE *file)
{
    const char *name = o->vpi ? "pcounter.vpi" : "libpcounter_tap.a";
    char path[CLI_PATH];

    if (!find_beside(name, path, sizeof path))
        return cli_usage("version", "%s is not beside this program: install it, or build it whole",
                         name);
    if (o->vpi)
        *strrchr(path, '/') = '\0';
    fprintf(file, "%s\n", path);
    return CLI_OK;
}

static void print_version(FILE *file)
{
    fprintf(file, "pcounter %s\n", pc_version());
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].built)
            fprintf(file, "  %-17s  yes\n", parts[i].name);
        else
            fprintf(file, "  %-17s  no (needs %s)\n", parts[i].name, parts[i].needs);
}

static int run(int argc, char **argv)
{
    struct options o = { .output = NULL };
    struct opt_said said;
    struct cli_out out;
    int code = opt_read(&cli_verb_version, &line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    if (said.operands > 0)
        return cli_usage("version", "\"%s\" is not expected here", said.operand[0]);
    if (o.vpi && o.dpi_flags)
        return cli_usage("version", "--vpi or --dpi-flags, not both");
    code = cli_out_open(&out, o.output);
    if (code)
        return code;
    if (o.vpi || o.dpi_flags)
        code = print_tap(&o, out.file);
    else
        print_version(out.file);
    if (code) {
        cli_out_abort(&out);
        return code;
    }
    return cli_out_commit(&out);
}

const struct cli_verb cli_verb_version = {
    .name = "version",
    .summary = "print the version, and the optional parts of this build",
    .run = run,
    .line = &line,
};
