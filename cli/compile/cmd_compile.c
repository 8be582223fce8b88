/* SPDX-License-Identifier: MIT */
/* pcounter compile: what the inputs of a domain are to mean, to register writes. */
#include "compile.h"
#include "text/regs_text.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* The place of an error: lines are the inputs, then the events. */
static int refused(const struct compile_job *j, const struct pc_error *err)
{
    if (err->line >= 1 && err->line <= PC_INPUT_COUNT)
        return compile_error(&j->input[err->line - 1], err);
    if (err->line > PC_INPUT_COUNT && err->line <= PC_INPUT_COUNT + j->event_count)
        return compile_error(&j->event[err->line - PC_INPUT_COUNT - 1], err);
    return cli_error(err, NULL, NULL);
}

static int compile(struct compile_job *j)
{
    static const char *const modes[] = { "SINGLE", "QUAD", "RECORD" };
    struct compile_asked asked = { .names = &j->names, .mode = modes[j->mode] };
    enum pc_input_id input[COMPILE_EVENTS];
    struct pc_program program;
    struct pc_error err;
    struct cli_out out;
    enum pc_status status =
        j->event_count
            ? pc_compile_events(&j->request, j->pinned, j->event_count, input, &program, &err)
            : pc_compile(&j->request, &program, &err);

    if (status != PC_OK)
        return refused(j, &err);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        asked.input[i] = j->input[i].expr ? j->input[i].text : NULL;
    for (unsigned i = 0; i < j->event_count; i++) {
        asked.input[input[i]] = j->event[i].text;
        asked.name[input[i]] = j->event[i].name[0] ? j->event[i].name : NULL;
    }
    int code = cli_out_open(&out, j->output);
    if (code != CLI_OK)
        return code;
    compile_print(out.file, &asked, &program, (enum compile_format)j->format);
    return cli_out_commit(&out);
}

enum {
    OPT_PRE = 256,
    OPT_STOP,
    OPT_THRESHOLD,
    OPT_PERIOD,
    OPT_SWAP,
    OPT_MUX,
    OPT_RECORD,
    OPT_BUFFER,
    OPT_SIGNALS,
    OPT_FORMAT
};

/* Numbers of single mode. */
static int take_number(struct compile_job *j, int c)
{
    const char *option = c == OPT_PRE    ? "--pre-count"
                         : c == OPT_STOP ? "--stop-count"
                                         : "--threshold";
    uint64_t value = 0;
    int code = compile_number(option, optarg,
                              c == OPT_THRESHOLD ? (UINT64_C(1) << 40) - 1 : UINT32_MAX, &value);

    if (c == OPT_PRE)
        j->request.pre_count = (uint32_t)value;
    else if (c == OPT_STOP)
        j->request.stop_count = (uint32_t)value;
    else
        j->request.threshold = value;
    j->single_option = option;
    return code;
}

/* Options whose values are words; an exit code. */
static int take_word(struct compile_job *j, int c)
{
    static const char *const modes[] = { "single", "quad", "record", NULL };
    static const char *const formats[] = { "text", "script", "c", "json", NULL };
    static const char *const periods[] = { "one", "all", NULL };
    int word = 0, code;

    switch (c) {
    case 'm':
        return cli_parse_word("compile", "--mode", optarg, modes, &j->mode);
    case OPT_FORMAT:
        j->has_format = true;
        return cli_parse_word("compile", "--format", optarg, formats, &j->format);
    default: /* OPT_PERIOD */
        code = cli_parse_word("compile", "--period", optarg, periods, &word);
        j->request.period_all = word == 1;
        j->single_option = "--period";
        return code;
    }
}

static int take_option(struct compile_job *j, int c)
{
    switch (c) {
    case 'a':
        return (j->chip = cli_find_chip(optarg)) ? CLI_OK : CLI_INPUT;
    case 'd':
        j->domain_name = optarg;
        return CLI_OK;
    case 'e':
        if (j->events)
            return cli_usage("compile", "one -e: put commas between the events");
        j->events = optarg;
        return CLI_OK;
    case 'o':
        return cli_take_once("compile", "-o", optarg, &j->output);
    case 'm':
    case OPT_FORMAT:
    case OPT_PERIOD:
        return take_word(j, c);
    case OPT_SWAP:
        j->swap = optarg;
        return CLI_OK;
    case OPT_MUX:
        j->mux[j->muxes++] = optarg;
        return CLI_OK;
    case OPT_RECORD:
        j->record = optarg;
        return CLI_OK;
    case OPT_SIGNALS:
        return cli_names_add("compile", &j->name_files, optarg);
    case OPT_BUFFER:
        j->record_buffer = true;
        return compile_record_buffer(j, optarg);
    default:
        return take_number(j, c);
    }
}

/* What the name of the file wants, unless --format says it. */
static void format_of_output(struct compile_job *j)
{
    static const struct {
        const char *suffix;
        enum compile_format format;
    } known[] = { { ".pcs", COMPILE_SCRIPT },
                  { ".c", COMPILE_C },
                  { ".h", COMPILE_C },
                  { ".json", COMPILE_JSON } };

    for (size_t i = 0; !j->has_format && i < sizeof known / sizeof known[0]; i++)
        if (cli_has_suffix(j->output, known[i].suffix))
            j->format = (int)known[i].format;
}

static int compile_arguments(struct compile_job *j, char **argument, int count)
{
    format_of_output(j);
    if (!j->chip)
        return cli_usage("compile", "which chip? Say it with -a, like -a G92");
    if (count == 0 && !j->events && !j->record)
        return cli_usage("compile", "which input? Say it like event='rise(s10) & !s11'");
    if (j->mode < 0)
        j->mode = j->record || j->record_buffer   ? PC_COUNT_RECORD
                  : j->chip->features & PC_F_QUAD ? PC_COUNT_QUAD
                                                  : PC_COUNT_SINGLE;
    if (j->single_option && j->mode != PC_COUNT_SINGLE)
        return cli_usage("compile", "%s is about single mode: -m single", j->single_option);
    if (j->swap && j->mode != PC_COUNT_QUAD)
        return cli_usage("compile", "--swap is about quad mode: -m quad");
    if ((j->record || j->record_buffer) && j->mode != PC_COUNT_RECORD)
        return cli_usage("compile",
                         "--record and --record-buffer are about record mode: -m record");
    int code = cli_check_dashes("compile", cli_dashes(j->name_files.path, j->name_files.count));
    if (code == CLI_OK)
        code = cli_check_registers(j->chip);
    if (code == CLI_OK)
        code = cli_names_open("compile", j->chip, &j->name_files, &j->names.table);
    if (code == CLI_OK)
        code = compile_request(j, argument, count);
    return code == CLI_OK ? compile(j) : code;
}

/* An exit code, or -1 to go on with the arguments. */
static int read_options(struct compile_job *j, int argc, char **argv)
{
    static const struct option options[] = {
        { "chip", required_argument, NULL, 'a' },
        { "domain", required_argument, NULL, 'd' },
        { "events", required_argument, NULL, 'e' },
        { "mode", required_argument, NULL, 'm' },
        { "pre-count", required_argument, NULL, OPT_PRE },
        { "stop-count", required_argument, NULL, OPT_STOP },
        { "threshold", required_argument, NULL, OPT_THRESHOLD },
        { "period", required_argument, NULL, OPT_PERIOD },
        { "swap", required_argument, NULL, OPT_SWAP },
        { "mux", required_argument, NULL, OPT_MUX },
        { "record", required_argument, NULL, OPT_RECORD },
        { "record-buffer", required_argument, NULL, OPT_BUFFER },
        { "signals", required_argument, NULL, OPT_SIGNALS },
        { "output", required_argument, NULL, 'o' },
        { "format", required_argument, NULL, OPT_FORMAT },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    int c;

    opterr = 0;
    while ((c = cli_getopt(argc, argv, ":a:d:e:m:o:qh", options)) != -1) {
        int code = CLI_OK;
        switch (c) {
        case 'q':
            cli_quiet = true;
            break;
        case 'h':
        case 'H':
            cli_print_help(&cli_verb_compile, c == 'H');
            return CLI_OK;
        case ':':
        case '?':
            return cli_bad_option("compile", c, argv, options);
        default:
            code = take_option(j, c);
            break;
        }
        if (code != CLI_OK)
            return code;
    }
    return -1;
}

static int run(int argc, char **argv)
{
    struct compile_job *j = calloc(1, sizeof *j);
    const char **mux = calloc((size_t)argc, sizeof *mux); /* no more than arguments */
    int code = CLI_LIMIT;

    if (j && mux) {
        j->mode = -1;
        j->mux = mux;
        code = read_options(j, argc, argv);
        if (code < 0)
            code = compile_arguments(j, argv + optind, argc - optind);
        for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
            pc_expr_free(j->input[i].expr);
        for (unsigned i = 0; i < COMPILE_EVENTS; i++)
            pc_expr_free(j->event[i].expr);
        pc_names_close(j->names.table);
    } else {
        code = cli_no_memory();
    }
    free(mux);
    free(j);
    return code;
}

const struct cli_verb cli_verb_compile = {
    .name = "compile",
    .summary = "logic expressions to the registers of a domain",
    .run = run,
    .brief =
        "usage: pcounter compile -a CHIP [-d DOMAIN] [OPTION]... INPUT=EXPRESSION...\n"
        "       pcounter compile -a CHIP [-d DOMAIN] [OPTION]... -e EVENTS\n"
        "\n"
        "  pcounter compile -a G92 -d 1 event='rise(s10) & !s11'\n"
        "  pcounter compile -a NV40 event='s10 & (s11 ^ s12 ^ s13 ^ s14)' --format script\n"
        "  pcounter compile -a G92 -e '{hits=s10 & s11, misses:stop=s10 & !s11}'\n"
        "\n"
        "INPUT is pre, start, event, stop, setflag or clrflag.  What is not given is 0, but\n"
        "pre and start of single mode are 1: counting starts at once.\n"
        "\n"
        "  -a, --chip CHIP       the chip; `pcounter list chips` shows all\n"
        "  -d, --domain DOMAIN   0 by default; gpc1.0 and the like on GF100+\n"
        "  -m, --mode MODE       quad (default where the chip has it), single or record\n"
        "  -e, --events LIST     events with commas between them, each on a counter of its own\n"
        "      --format FORMAT   text (default), script for `pcounter run`, c, json\n"
        "  -o, --output FILE     instead of standard output; .pcs, .c, .h and .json choose\n"
        "                        the format\n"
        "  -h, --help            this screen; everything\n",
    .full =
        "More options:\n"
        "      --pre-count N     single mode: PRE is taken N+1 times (CTR_PRE)\n"
        "      --stop-count N    single mode: N+1 periods (CTR_STOP)\n"
        "      --threshold N     single mode: CTR_START counts periods with N events and more\n"
        "      --period one|all  CTR_EVENT restarts with each period, or goes on\n"
        "      --swap SIGNAL     the signal that swaps the counters in quad mode, from G84 on;\n"
        "                        user_0 by default on GF100+; keep: no write chooses it\n"
        "      --mux SOURCE=VALUE    is set before all else, a source of `pcounter list sources`;\n"
        "      --mux REGISTER=VALUE[/MASK]  or any register; again for more.  With MASK\n"
        "                        the register is read first, and its other bits stay\n"
        "      --record LIST     record mode: up to 12 signals, counted at PRE_SRC0 and on\n"
        "      --record-buffer START:LIMIT[:short]  where its packets go; short packets\n"
        "      --signals FILE    names of one's own, see pcounter-signals(5)\n"
        "  -q, --quiet           no notes\n"
        "\n"
        "An event is EXPRESSION or NAME=EXPRESSION.  NAME:SLOT=EXPRESSION or EXPRESSION:SLOT\n"
        "pins it to the counter pre, start, event or stop; else the best is found.  Braces\n"
        "around events say that they are counted together, as all of one program are.\n"
        "\n"
        "Signals have the names of `pcounter list signals`, or are s00 to sff by position in the\n"
        "domain (hexadecimal), s[42] and s[45:42] in decimal.  What the unit drives itself is\n"
        "flag, dom[N].event, dom[N].flag, user_N, periodic, pm_trigger.  Expressions are\n"
        "described in pcounter-expr(7).\n"
        "event='sum(s[45:42])' adds a number of 4 bits (EVENT_B4) or 6 (EVENT_B6) in every\n"
        "cycle, with `iff CONDITION` behind it where the condition holds; start='sum(...)' and\n"
        "others as the special counter modes have them, see pcounter-compile(1).\n"
        "\n"
        "EVENT and STOP take up to seven signals from NV30 on, with SETFLAG as an argument.  All\n"
        "encodings are searched; what is refused cannot be done: why is said, and what fits\n"
        "instead.  What is printed was evaluated by the rules of the hardware for all states of\n"
        "its signals.\n"
        "\n"
        "Exit codes: 0 ok; 2 a wrong call, name or expression; 3 the chip has no PCOUNTER or "
        "cannot compute it;\n"
        "4 a limit was reached: an expression has 4095 characters at most.\n",
};
