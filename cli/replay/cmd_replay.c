/* SPDX-License-Identifier: MIT */
/*
 * pcounter replay FILE: plays the register accesses of a trace (Linux's mmiotrace) to the
 * modelled chip; with --expect-reads holds what the card answered against the model.
 */
#include "wave/read_options.h"
#include "replay.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    BASE = 256,
    FROM,
    TO,
    FROM_LINE,
    TO_LINE,
    EXPECT,
    STRICT,
    ANNOTATE,
    KEEP,
    CLOCK,
    IGNORE,
    WITH,
    FORMAT,
    MEMORY
};

static const struct option long_options[] = {
    { "chip", required_argument, NULL, 'a' },
    { "base", required_argument, NULL, BASE },
    { "from", required_argument, NULL, FROM },
    { "to", required_argument, NULL, TO },
    { "from-line", required_argument, NULL, FROM_LINE },
    { "to-line", required_argument, NULL, TO_LINE },
    { "expect-reads", no_argument, NULL, EXPECT },
    { "strict", no_argument, NULL, STRICT },
    { "ignore", required_argument, NULL, IGNORE },
    { "keep-going", no_argument, NULL, KEEP },
    { "annotate", no_argument, NULL, ANNOTATE },
    { "clock", required_argument, NULL, CLOCK },
    { "with", required_argument, NULL, WITH },
    { "format", required_argument, NULL, FORMAT },
    { "output", required_argument, NULL, 'o' },
    { "quiet", no_argument, NULL, 'q' },
    { "memory", required_argument, NULL, MEMORY },
    CLI_RATIO_OPTION,
    CLI_HELP_OPTIONS,
    { NULL, 0, NULL, 0 },
};

static bool parse_decimal(const char *text, uint64_t most, uint64_t *out, char **rest)
{
    if (text[0] < '0' || text[0] > '9')
        return false;
    errno = 0;
    *out = strtoull(text, rest, 10);
    return !errno && *out > 0 && *out <= most;
}

/* 27000000, 27M, 500k, 1G; at most 10 GHz. */
static bool parse_hz(const char *text, uint64_t *out)
{
    static const char suffixes[] = "kMG";
    const uint64_t most = UINT64_C(10000000000);
    uint64_t factor = 1;
    char *rest;

    if (!parse_decimal(text, most, out, &rest))
        return false;
    const char *suffix = *rest ? strchr(suffixes, *rest) : NULL;
    for (const char *s = suffixes; suffix && s <= suffix; s++)
        factor *= 1000;
    if ((*rest && !suffix) || (suffix && rest[1]) || *out > most / factor)
        return false;
    *out *= factor;
    return true;
}

static int take_address(int option, struct replay_options *o)
{
    const char *name = option == BASE ? "base" : option == FROM ? "from" : "to";
    uint64_t *out = option == BASE ? &o->base : option == FROM ? &o->from : &o->to;
    const char *rest;

    if (!cli_read_hex(optarg, &rest, out) || *rest != '\0')
        return cli_usage("replay", "--%s %s: a hexadecimal address is expected", name, optarg);
    if (option == BASE)
        o->has_base = true;
    else
        o->has_window = true;
    return -1;
}

static int take_line(int option, struct replay_options *o)
{
    char *rest = NULL;

    if (parse_decimal(optarg, UINT32_MAX, option == FROM_LINE ? &o->from_line : &o->to_line,
                      &rest) &&
        *rest == '\0')
        return -1;
    return cli_usage("replay", "--%s-line %s: the number of a line is expected",
                     option == FROM_LINE ? "from" : "to", optarg);
}

static int take_value(int option, struct replay_options *o, char **argv)
{
    switch (option) {
    case 'a':
        o->chip = cli_find_chip(optarg);
        return o->chip ? -1 : CLI_INPUT;
    case BASE:
    case FROM:
    case TO:
        return take_address(option, o);
    case FROM_LINE:
    case TO_LINE:
        return take_line(option, o);
    case IGNORE:
        o->ignore[o->ignores++] = optarg;
        return -1;
    case CLOCK:
        if (parse_hz(optarg, &o->clock))
            return -1;
        return cli_usage("replay", "--clock %s: Hz are expected: 27000000, 27M, at most 10G",
                         optarg);
    case WITH:
        return cli_take_once("replay", "--with", optarg, &o->with) ? CLI_INPUT : -1;
    case CLI_READ_LIMIT:
        return cli_ratio_limit("replay", optarg, &o->max_ratio) ? CLI_INPUT : -1;
    case MEMORY:
        return cli_memory_limit("replay", optarg, &o->memory) ? CLI_INPUT : -1;
    case FORMAT:
        return cli_parse_format("replay", optarg, &o->format) ? -1 : CLI_INPUT;
    default:
        return cli_common_option(&cli_verb_replay, option, argv, long_options, &o->output);
    }
}

/* An exit code, or -1 to go on. */
static int take_option(int option, struct replay_options *o, char **argv)
{
    switch (option) {
    case EXPECT:
        o->expect = true;
        return -1;
    case STRICT:
        o->strict = true;
        return -1;
    case ANNOTATE:
        o->annotate = true;
        return -1;
    case KEEP:
        o->keep_going = true;
        return -1;
    default:
        return take_value(option, o, argv);
    }
}

static int check_options(struct replay_options *o, int words, char **word)
{
    if (words == 0)
        return cli_usage("replay", "a trace is expected: FILE, or - for standard input");
    if (words > 1)
        return cli_usage("replay", "one trace at a time: %s is left over", word[1]);
    if (o->from >= o->to)
        return cli_usage("replay", "--from and --to leave no address between them");
    if (o->from_line > o->to_line)
        return cli_usage("replay", "--from-line and --to-line leave no line between them");
    if ((o->strict || o->keep_going || o->ignores) && !o->expect)
        return cli_usage("replay", "--strict, --ignore and --keep-going are about --expect-reads");
    o->path = word[0];
    return cli_check_dashes("replay", cli_dashes(&o->path, 1) + cli_dashes(&o->with, 1)) ? CLI_INPUT
                                                                                         : -1;
}

static int parse_arguments(struct replay_options *o, int argc, char **argv)
{
    bool has_format = false;
    int option, code = -1;

    opterr = 0;
    while (code < 0 && (option = cli_getopt(argc, argv, ":a:o:qh", long_options)) != -1) {
        has_format |= option == FORMAT;
        code = take_option(option, o, argv);
    }
    if (code < 0 && !has_format && cli_output_format("replay", o->output, &o->format))
        return CLI_INPUT;
    return code < 0 ? check_options(o, argc - optind, argv + optind) : code;
}

static void summarise(const struct replay *r)
{
    const struct replay_counts *n = &r->counts;

    cli_note(1201, "%s: %s write%s and %s read%s made, %s read%s compared, %s differ%s",
             r->chip ? r->chip->name : "no chip", cli_grouped(n->writes), n->writes == 1 ? "" : "s",
             cli_grouped(n->reads), n->reads == 1 ? "" : "s", cli_grouped(n->compared),
             n->compared == 1 ? "" : "s", cli_grouped(n->differ),
             n->differ && !r->options->keep_going ? " (stopped there; --keep-going)" : "");
    for (size_t i = 0; i < r->options->ignores; i++)
        if (!r->options->ignored[i])
            cli_note(1205, "--ignore %s: no register of that name was read%s",
                     r->options->ignore[i],
                     n->differ && !r->options->keep_going ? " before the difference" : "");
    if (n->outside)
        cli_note(1202, "%s access%s of the card %s outside of the window (--from, --to)",
                 cli_grouped(n->outside), n->outside == 1 ? "" : "es",
                 n->outside == 1 ? "was" : "were");
    if (n->other_lines && !(n->writes | n->reads | n->odd))
        cli_warning(1206, "none of %s is in the lines that --from-line and --to-line leave",
                    cli_count(n->other_lines, "access"));
    else if (!(n->writes | n->reads | n->outside | n->odd | n->elsewhere))
        cli_warning(1206, "there is no access in the trace");
    if (n->elsewhere && !(n->writes | n->reads | n->outside | n->odd | n->other_lines))
        cli_warning(1204,
                    "none of %s is in the registers of the card, which begin at 0x%" PRIx64
                    " (PCIDEV, or --base)",
                    cli_count(n->elsewhere, "access"), r->card.base);
    if (n->odd)
        cli_warning(1203, "%s access%s left out: not of 4 bytes at a multiple of 4",
                    cli_grouped(n->odd), n->odd == 1 ? " was" : "es were");
}

static int replay(const struct replay_options *o)
{
    struct replay r = { .options = o };
    int code = cli_out_open(&r.out, o->output);

    if (code)
        return code;
    code = replay_drive(&r);
    if (code == CLI_OK)
        summarise(&r);
    replay_report_end(&r, code == CLI_OK && !r.incomplete && (!r.counts.differ || o->keep_going));
    if (code) {
        cli_flush(r.out.file);
        cli_out_abort(&r.out);
        return code;
    }
    code = cli_out_commit(&r.out);
    return code == CLI_OK && r.counts.differ ? CLI_NO : code;
}

static int run(int argc, char **argv)
{
    struct replay_options o = { .to = UINT64_C(1) << 32, .from_line = 1, .to_line = UINT32_MAX };
    int code = CLI_LIMIT;

    o.ignore = calloc((size_t)argc, sizeof *o.ignore); /* no more than arguments */
    o.ignored = calloc((size_t)argc, sizeof *o.ignored);
    if (!o.ignore || !o.ignored)
        code = cli_no_memory();
    else
        code = parse_arguments(&o, argc, argv);
    if (code < 0)
        code = replay(&o);
    free(o.ignore);
    free(o.ignored);
    return code;
}

static const char brief[] =
    "usage: pcounter replay [OPTION]... FILE\n"
    "\n"
    "Plays the register accesses of a driver, traced by Linux's mmiotrace, to the modelled\n"
    "chip. FILE may be compressed (gzip, zstd, xz, bzip2); - is standard input.\n"
    "\n"
    "  pcounter replay boot.mmt.zst --annotate          what each access of the counters means\n"
    "  pcounter replay boot.mmt.zst --expect-reads      does the model answer like the card?\n"
    "  pcounter replay run.log --expect-reads --strict  a log of `pcounter run --log`\n"
    "\n"
    "  -a, --chip CHIP           of a trace that does not read the boot id\n"
    "      --base ADDR           where BAR0 is, instead of what PCIDEV says\n"
    "      --from ADDR --to ADDR only registers from ADDR on and before ADDR\n"
    "      --from-line N --to-line N   only accesses in these lines\n"
    "      --expect-reads        compare reads of configuration and states with the trace\n"
    "      --strict              compare all reads, of counters and signals too\n"
    "      --ignore GLOB         but not of these registers: 'CTRL[3]', 'part1.*'\n"
    "      --keep-going          all differences, not just the first\n"
    "      --annotate            print each access with its register, fields and effect\n"
    "      --clock HZ            let cycles pass between accesses by their time stamps\n"
    "      --with STIMULUS       what happens around the unit, as for `pcounter run`\n"
    "  -o, --output FILE         - or none: standard output; .csv and .json choose the format\n"
    "      --format FORMAT       text, csv or json\n"
    "  -q, --quiet               no notes\n"
    "  -h, --help                this screen, everything\n"
    "\n"
    "Exit codes: 0 all compared reads agree, 1 one differs, 2 the trace or the call is wrong,\n"
    "3 the chip has no such unit, 4 a limit was reached.\n";

static const char full[] =
    "Addresses are hexadecimal. Without --from and --to the window is the counters and what\n"
    "drivers use with them: PMC boot id and enable, PCOUNTER, unit counts, PDAEMON's switch and\n"
    "idle counters, PGRAPH DEBUG_1 (PM_TRIGGER). Accesses outside of it are not made.\n"
    "\n"
    "--expect-reads compares the bits that the model knows of registers that hold\n"
    "configuration, and states such as QUAD_STATE. Counters, SIG_STATUS, SRC_STATUS and other\n"
    "registers that show what the card was doing differ by nature and are left out, unless\n"
    "--strict is given. If nothing was compared the exit code is 2. A trigger that came\n"
    "through the command stream is not in a trace: then QUAD_STATE differs.\n"
    "\n"
    "Time: a write takes a cycle, as in scripts, and a write of DEBUG_1 64, so that a trigger\n"
    "has arrived before the next access. With --clock the first domain\n"
    "has had as many cycles at each access as its time stamp says, counted from the first\n"
    "access. A log of `pcounter run` tells itself what time passes and what signals do.\n"
    "\n"
    "CSV columns: line, time, access (R or W), address, value (in the trace), register, model\n"
    "(what the model read), verdict (same, differs, or empty: not compared), fields, effect.\n"
    "A warning is a row with WARNING as its access and its text as the effect.\n"
    "JSON (pcounter-replay-1) has the same, and a summary; complete is false there where an\n"
    "error or the first difference ended the replay, or something is missing in the trace:\n"
    "events that the kernel lost, accesses UNKNOWN to it, a compressed file that ends early.\n"
    "\n"
    "A compressed trace may become 1000 times as large; --read-limit ratio=N allows more. Of\n"
    "what record mode writes the device keeps 64M; --memory SIZE: more, or less.\n"
    "\n"
    "See also pcounter-replay(1), `pcounter run`, `pcounter decode`.\n";

const struct cli_verb cli_verb_replay = {
    .name = "replay",
    .summary = "play a driver's traced register accesses, and compare what it read",
    .run = run,
    .brief = brief,
    .full = full,
};
