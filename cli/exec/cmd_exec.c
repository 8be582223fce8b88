/* SPDX-License-Identifier: MIT */
/* pcounter exec: a bare-metal program with CVA6's counters, instruction by instruction. */
#include "exec.h"
#include "process/interrupt.h"
#include "wave/read_options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int report(const struct exec_request *r, const struct exec_counts *counts)
{
    struct cli_out out;

    int code = cli_out_open(&out, r->output);

    if (code)
        return code;
    exec_report(r, counts, out.file);
    return cli_out_commit(&out);
}

static int execute(const struct exec_request *r)
{
    struct exec_image image;
    struct exec_counts counts = { .partial = false };
    struct pc_error err;
    char *data;
    size_t size;
    int code = cli_read_file("exec", r->path, EXEC_MAX_BYTES, &data, &size);

    if (code != CLI_OK)
        return code;
    enum pc_status status = exec_read_elf(data, size, &image, &err);
    if (status == PC_OK)
        cli_catch_interrupt(r->path);
    if (status == PC_OK)
        status = exec_run(r, &image, &counts, &err);
    free(data);
    if (status != PC_OK && !counts.partial)
        return cli_error(&err, r->path, NULL);
    if (r->config->commit_ports > 1 && (r->profile->quirks & PC_HPM_Q_OR_PORTS))
        cli_note(1320, "one instruction a clock: the core counts two of a kind that retire in "
                       "one clock once");
    code = report(r, &counts);
    if (status != PC_OK)
        code = cli_error(&err, r->path, NULL);
    else if (code == CLI_OK && counts.partial)
        code = CLI_INTERRUPTED;
    return code != CLI_OK ? code : counts.exit_code ? CLI_NO : CLI_OK;
}

static int set_names(int option, const char *name, struct exec_request *r)
{
    return option == 'C' ? cli_find_core(name, &r->config) : cli_find_profile(name, &r->profile);
}

static int set_number(int option, const char *text, struct exec_request *r)
{
    const uint64_t value = cli_parse_size(text);

    if (value == 0)
        return cli_usage("exec", "%s takes a number above 0 (K, M or G may follow), not \"%s\"",
                         option == 'L' ? "--limit" : "--memory", text);
    if (option == 'M' && (value % 4096 != 0 || value > UINT64_C(1) << 30))
        return cli_usage("exec", "--memory takes whole pages of 4096 bytes, up to 1G");
    *(option == 'M' ? &r->memory : &r->limit) = value;
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "core", required_argument, NULL, 'C' },
        { "profile", required_argument, NULL, 'P' },
        { "limit", required_argument, NULL, 'L' },
        { "memory", required_argument, NULL, 'M' },
        { "format", required_argument, NULL, 'F' },
        { "output", required_argument, NULL, 'o' },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    struct exec_request r = { .limit = 1000000000, .memory = 16 << 20 };
    bool has_format = false;
    int c, code = set_names('P', "rtl", &r);

    opterr = 0;
    while (code == CLI_OK && (c = cli_getopt(argc, argv, ":ho:q", options)) != -1) {
        switch (c) {
        case 'C':
        case 'P':
            code = set_names(c, optarg, &r);
            break;
        case 'L':
        case 'M':
            code = set_number(c, optarg, &r);
            break;
        case 'F':
            has_format = true;
            code = cli_parse_format("exec", optarg, &r.format) ? CLI_OK : CLI_INPUT;
            break;
        default:
            code = cli_common_option(&cli_verb_exec, c, argv, options, &r.output);
            if (code >= 0)
                return code;
            code = CLI_OK;
        }
    }
    if (code != CLI_OK)
        return code;
    if (!r.config)
        return cli_usage("exec", "on which core? Say it with --core, like "
                                 "--core cv64a6_imafdc_sv39");
    if (optind + 1 != argc)
        return cli_usage("exec", "one program is needed");
    r.path = argv[optind];
    if (!has_format && cli_output_format("exec", r.output, &r.format))
        return CLI_INPUT;
    return execute(&r);
}

const struct cli_verb cli_verb_exec = {
    .name = "exec",
    .summary = "run a bare-metal program with CVA6's counters",
    .run = run,
    .brief = "usage: pcounter exec --core NAME [OPTION]... ELF\n"
             "\n"
             "  pcounter exec --core cv64a6_imafdc_sv39 program.elf\n"
             "\n"
             "  --core NAME       configuration of CVA6\n"
             "  --profile NAME    rtl (default) or spec\n"
             "  --limit N         stop after N instructions (1000000000)\n"
             "  --memory SIZE     bytes from the lowest segment on (16M), up to 1G\n"
             "  -o, --output FILE - or none: standard output; .csv and .json choose the format\n"
             "  --format FORMAT   text, csv or json\n"
             "  -q, --quiet       no notes\n"
             "  -h, --help        this screen; everything\n",
    .full =
        "Instructions are executed one a clock; the counters' CSRs are the model's.  Exact are\n"
        "minstret and the events that executing instructions decides: loads, stores,\n"
        "exceptions, returns from them, branches, calls, returns, TLB flushes, integer and\n"
        "floating-point arithmetic.  Clocks, caches, TLBs, prediction and stalls are not\n"
        "there: they are reported as unmeasured.  A program that reads such a counter gets\n"
        "what it last wrote into it, since the event never happens; mcycle, read, is the\n"
        "number of instructions.\n"
        "\n"
        "The machine: M-mode, one hart, flat memory, no interrupts, no delegation, floating\n"
        "point on, until mstatus turns it off, if the core has it, sp at the end of memory.\n"
        "CSRs are mstatus, mie, mip, mtvec, mscratch, mepc, mcause, mtval, fcsr, the ids and the\n"
        "counters, and misa, medeleg and mideleg, which read 0; others trap, as do compressed,\n"
        "atomic and floating-point instructions that the core has not.  wfi goes on.\n"
        "A misaligned access or jump, on which CVA6 traps, ends the run with an error, and so\n"
        "does an instruction of an extension that CVA6 may have and this machine has not (Zb,\n"
        "Zk, Zicond, Zcb, Zcmp, Zicbom, V, H, coprocessors), which is named.\n"
        "\n"
        "The end: a store of 2 * code + 1 to the symbol tohost; or, in a program without that\n"
        "symbol and with mtvec still 0, ecall with 93 in a7 and the code in a0.\n"
        "\n"
        "A run that is cut off, by --limit, an error or Ctrl-C, reports what it counted up to "
        "there as\n"
        "partial: in CSV and JSON the state of each count says so.\n"
        "\n"
        "K, M and G behind a number are powers of 1024.\n"
        "\n"
        "Needs a build with Unicorn (libunicorn-dev).\n"
        "\n"
        "Exit codes: 0 the program's code is 0, 1 it is not, 2 no such program, a trap\n"
        "without handler, something that the machine has not; 4 the limit was reached;\n"
        "130 Ctrl-C.\n",
};
