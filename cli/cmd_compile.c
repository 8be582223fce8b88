/* SPDX-License-Identifier: MIT */
/* pcounter compile: what the inputs of a domain are to mean, to register writes. */
#include "compile.h"
#include "regs_text.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MAX_INPUT = 4096 };

struct job {
    const struct pc_chip *chip;
    const char *domain_name, *swap, *output;
    int mode, format;
    struct compile_names names;
    struct pc_compile_request request;
    struct compile_asked asked;
    struct pc_expr *expr[PC_INPUT_COUNT];
    char text[PC_INPUT_COUNT][MAX_INPUT]; /* what is compiled; asked.input is what was written */
};

static int number(const char *option, const char *text, uint64_t limit, uint64_t *out)
{
    char *end;

    errno = 0;
    unsigned long long value = strtoull(text, &end, 0);
    if (!isdigit((unsigned char)text[0]) || *end || errno || value > limit)
        return cli_usage("compile", "%s takes a number up to 0x%llx, not \"%s\"", option,
                         (unsigned long long)limit, text);
    *out = value;
    return CLI_OK;
}

/* --- sum(LIST), with or without `iff CONDITION` --- */

/* The wires of "a, b, v[3:0]", most significant first. */
static int sum_list(struct job *j, char *list, const char *whole, struct pc_error *err)
{
    struct pc_compile_request *r = &j->request;
    uint32_t msb_first[PC_SUM_BITS + PC_MAX_SIGNALS];
    size_t used = 0;

    for (char *save = NULL, *name = strtok_r(list, ", ", &save); name;
         name = strtok_r(NULL, ", ", &save)) {
        uint32_t wire[PC_MAX_SIGNALS];
        size_t count = 0;
        if (compile_lookup(&j->names, name, wire, PC_MAX_SIGNALS, &count, err) != PC_OK)
            return cli_error(err, NULL, whole);
        if (used + count > PC_SUM_BITS)
            return cli_usage("compile", "a sum has up to %d bits: %s", PC_SUM_BITS, whole);
        for (size_t i = count; i-- > 0;)
            msb_first[used++] = wire[i];
    }
    if (used != 4 && used != PC_SUM_BITS)
        return cli_usage("compile", "a sum has 4 bits (EVENT_B4) or 6 (EVENT_B6), not %zu: %s",
                         used, whole);
    r->sum_bits = (unsigned)used;
    for (size_t i = 0; i < used; i++)
        r->sum[i] = msb_first[used - 1 - i];
    return CLI_OK;
}

/* Turns "sum(v) iff c" into the sum and "c"; other texts stay. */
static int take_sum(struct job *j, unsigned input, const char *text)
{
    char list[MAX_INPUT];
    struct pc_error err;
    const char *close = strchr(text, ')');

    snprintf(j->text[input], MAX_INPUT, "%s", text);
    if (strncmp(text, "sum(", 4) != 0)
        return CLI_OK;
    if (input != PC_INPUT_EVENT)
        return cli_usage("compile", "only EVENT can add a sum; not %s", pc_input_name(input));
    if (!close)
        return cli_usage("compile", "the ) of sum( is missing: %s", text);
    snprintf(list, sizeof list, "%.*s", (int)(close - text - 4), text + 4);
    const char *rest = close + 1 + strspn(close + 1, " ");
    if (*rest && strncmp(rest, "iff ", 4) != 0)
        return cli_usage("compile", "behind sum(...) stands nothing, or `iff CONDITION`: %s", text);
    snprintf(j->text[input], MAX_INPUT, "%s", *rest ? rest + 4 : "1");
    return sum_list(j, list, text, &err);
}

/* --- INPUT=EXPRESSION --- */

static int take_input(struct job *j, const char *argument)
{
    size_t n = strcspn(argument, "=");
    const char *text = argument + n + 1;
    struct pc_error err;
    unsigned input = 0;

    if (argument[n] != '=' || strlen(argument) >= MAX_INPUT)
        return cli_usage("compile", "\"%.60s\" is not INPUT=EXPRESSION", argument);
    while (input < PC_INPUT_COUNT && (strlen(pc_input_name(input)) != n ||
                                      strncasecmp(pc_input_name(input), argument, n) != 0))
        input++;
    if (input == PC_INPUT_COUNT)
        return cli_usage("compile",
                         "the inputs are pre, start, event, stop, setflag, clrflag; "
                         "not \"%.*s\"",
                         (int)n, argument);
    if (j->expr[input])
        return cli_usage("compile", "%s is given twice", pc_input_name(input));
    j->asked.input[input] = text;
    int code = take_sum(j, input, text);
    if (code != CLI_OK)
        return code;
    if (pc_expr_parse(NULL, j->text[input], &j->expr[input], &err) != PC_OK ||
        pc_expr_resolve(j->expr[input], compile_lookup, &j->names, &err) != PC_OK)
        return cli_error(&err, NULL, j->text[input]);
    j->request.input[input] = j->expr[input];
    return CLI_OK;
}

static int prepare(struct job *j)
{
    struct pc_error err;

    if (j->domain_name && pc_chip_find_domain(j->chip, j->domain_name, &j->request.domain, &err))
        return cli_error(&err, NULL, NULL);
    if (compile_names_of(j->chip, j->request.domain, &j->names, &err) != PC_OK)
        return cli_error(&err, NULL, NULL);
    if (j->swap) {
        j->request.has_swap = true;
        if (compile_signal(&j->names, j->swap, &j->request.swap, &err) != PC_OK)
            return cli_error(&err, NULL, NULL);
    }
    return CLI_OK;
}

static int compile(struct job *j)
{
    static const char *const modes[] = { "SINGLE", "QUAD", "RECORD" };
    struct pc_program program;
    struct pc_error err;
    struct cli_out out;

    j->request.chip = j->chip;
    j->request.mode = (enum pc_count_mode)j->mode;
    j->asked.names = &j->names;
    j->asked.mode = modes[j->mode];
    if (pc_compile(&j->request, &program, &err) != PC_OK) {
        unsigned input = err.line - 1;
        bool placed = err.line != 0 && input < PC_INPUT_COUNT;
        err.line = placed;
        return cli_error(&err, NULL, placed && err.column ? j->text[input] : NULL);
    }
    int code = cli_out_open(&out, j->output);
    if (code != CLI_OK)
        return code;
    compile_print(out.file, &j->asked, &program, (enum compile_format)j->format);
    return cli_out_commit(&out);
}

enum { OPT_PRE = 256, OPT_STOP, OPT_THRESHOLD, OPT_PERIOD, OPT_SWAP, OPT_FORMAT };

static int take_option(struct job *j, int c)
{
    static const char *const modes[] = { "single", "quad", "record", NULL };
    static const char *const formats[] = { "text", "script", "c", "json", NULL };
    static const char *const periods[] = { "one", "all", NULL };
    uint64_t value = 0;
    int word = 0, code = CLI_OK;

    switch (c) {
    case 'a':
        return (j->chip = cli_find_chip(optarg)) ? CLI_OK : CLI_INPUT;
    case 'd':
        j->domain_name = optarg;
        break;
    case 'm':
        return cli_parse_word("compile", "--mode", optarg, modes, &j->mode);
    case 'o':
        j->output = optarg;
        break;
    case OPT_FORMAT:
        return cli_parse_word("compile", "--format", optarg, formats, &j->format);
    case OPT_PERIOD:
        code = cli_parse_word("compile", "--period", optarg, periods, &word);
        j->request.period_all = word == 1;
        break;
    case OPT_SWAP:
        j->swap = optarg;
        break;
    case OPT_PRE:
        code = number("--pre-count", optarg, UINT32_MAX, &value);
        j->request.pre_count = (uint32_t)value;
        break;
    case OPT_STOP:
        code = number("--stop-count", optarg, UINT32_MAX, &value);
        j->request.stop_count = (uint32_t)value;
        break;
    default: /* OPT_THRESHOLD */
        code = number("--threshold", optarg, (UINT64_C(1) << 40) - 1, &value);
        j->request.threshold = value;
        break;
    }
    return code;
}

static int compile_arguments(struct job *j, char **argument, int count)
{
    if (!j->chip)
        return cli_usage("compile", "which chip? Say it with -a, like -a G92");
    if (count == 0)
        return cli_usage("compile", "which input? Say it like event='rise(s10) & !s11'");
    if (j->mode < 0)
        j->mode = j->chip->features & PC_F_QUAD ? PC_COUNT_QUAD : PC_COUNT_SINGLE;
    int code = prepare(j);
    for (int i = 0; i < count && code == CLI_OK; i++)
        code = take_input(j, argument[i]);
    return code == CLI_OK ? compile(j) : code;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "chip", required_argument, NULL, 'a' },
        { "domain", required_argument, NULL, 'd' },
        { "mode", required_argument, NULL, 'm' },
        { "pre-count", required_argument, NULL, OPT_PRE },
        { "stop-count", required_argument, NULL, OPT_STOP },
        { "threshold", required_argument, NULL, OPT_THRESHOLD },
        { "period", required_argument, NULL, OPT_PERIOD },
        { "swap", required_argument, NULL, OPT_SWAP },
        { "output", required_argument, NULL, 'o' },
        { "format", required_argument, NULL, OPT_FORMAT },
        { "quiet", no_argument, NULL, 'q' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    static const struct job start = { .mode = -1 };
    struct job j = start;
    int c, code = CLI_OK;

    opterr = 0;
    while ((c = getopt_long(argc, argv, "a:d:m:o:qh", options, NULL)) != -1) {
        switch (c) {
        case 'q':
            cli_quiet = true;
            break;
        case 'h':
        case 'H':
            cli_print_help(&cli_verb_compile, c == 'H');
            return CLI_OK;
        case '?':
            return cli_usage("compile", "unknown option, or no value: %s", argv[optind - 1]);
        default:
            code = take_option(&j, c);
            if (code != CLI_OK)
                return code;
        }
    }
    code = compile_arguments(&j, argv + optind, argc - optind);
    for (unsigned i = 0; i < PC_INPUT_COUNT; i++)
        pc_expr_free(j.expr[i]);
    return code;
}

const struct cli_verb cli_verb_compile = {
    .name = "compile",
    .summary = "logic expressions to the registers of a domain",
    .run = run,
    .brief = "usage: pcounter compile -a CHIP [-d DOMAIN] [OPTION]... INPUT=EXPRESSION...\n"
             "\n"
             "  pcounter compile -a G92 -d 1 event='rise(s10) & !s11'\n"
             "  pcounter compile -a NV40 event='s10 & (s11 ^ s12 ^ s13 ^ s14)' --format script\n"
             "\n"
             "INPUT is pre, start, event, stop, setflag or clrflag.  What is not given is 0, but\n"
             "pre and start of single mode are 1: counting starts at once.\n"
             "\n"
             "  -a, --chip CHIP       the chip; `pcounter list chips` shows all\n"
             "  -d, --domain DOMAIN   0 by default; gpc1.0 and the like on GF100+\n"
             "  -m, --mode MODE       quad (default where the chip has it), single or record\n"
             "      --format FORMAT   text (default), script for `pcounter run`, c, json\n"
             "  -o, --output FILE     instead of standard output\n"
             "  -h, --help            this screen; everything\n",
    .full =
        "More options:\n"
        "      --pre-count N     single mode: PRE is taken N+1 times (CTR_PRE)\n"
        "      --stop-count N    single mode: N+1 periods (CTR_STOP)\n"
        "      --threshold N     single mode: CTR_START counts periods with N events and more\n"
        "      --period one|all  CTR_EVENT restarts with each period, or goes on\n"
        "      --swap SIGNAL     the signal that swaps the counters in quad mode\n"
        "  -q, --quiet           no notes\n"
        "\n"
        "Signals are s00 to sff by position in the domain (hexadecimal), s[42] and s[45:42] in\n"
        "decimal, and what the unit drives itself: flag, dom[N].event, dom[N].flag, user_N,\n"
        "periodic, pm_trigger.  Expressions are described in pcounter-expr(7).\n"
        "event='sum(s[45:42])' adds a number of 4 bits (EVENT_B4) or 6 (EVENT_B6) in every\n"
        "cycle, with `iff CONDITION` behind it where the condition holds.\n"
        "\n"
        "EVENT and STOP take up to seven signals from NV30 on, with SETFLAG as an argument.  All\n"
        "encodings are searched; what is refused cannot be done, and why is said.  What is\n"
        "printed was evaluated by the rules of the hardware for all states of its signals.\n"
        "\n"
        "Exit codes: 0 ok; 2 a wrong call, name or expression; 3 the chip cannot compute it.\n",
};
