/* SPDX-License-Identifier: MIT */
/* pcounter explain: the error catalogue. */
#include "regs_text.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_WIDTH = 78 };

/* "PC-E0217", "E217" or "217" in any case. */
static bool parse_code(const char *text, unsigned *out)
{
    unsigned value = 0;

    if (toupper((unsigned char)text[0]) == 'P' && toupper((unsigned char)text[1]) == 'C' &&
        text[2] == '-')
        text += 3;
    if (toupper((unsigned char)text[0]) == 'E')
        text++;
    if (*text == '\0' || strlen(text) > 6)
        return false;
    for (; *text; text++) {
        if (!isdigit((unsigned char)*text))
            return false;
        value = value * 10 + (unsigned)(*text - '0');
    }
    *out = value;
    return true;
}

/* Words of the text on lines of at most LINE_WIDTH, indented by two. */
static void print_wrapped(FILE *out, const char *text)
{
    size_t column = 0;

    while (*text) {
        size_t n = strcspn(text, " ");
        if (column > 0 && column + 1 + n > LINE_WIDTH) {
            fputc('\n', out);
            column = 0;
        }
        column += (size_t)fprintf(out, "%s%.*s", column ? " " : "  ", (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
    fputc('\n', out);
}

static void print_entry(FILE *out, const struct pc_error_info *info)
{
    fprintf(out, "PC-E%04u: %s (%s)\n\nWhy:\n", info->code, info->title,
            pc_status_name(info->status));
    print_wrapped(out, info->why);
    fputs("\nWhat to do:\n", out);
    print_wrapped(out, info->what_to_do);
}

static void print_csv(FILE *out, const struct pc_error_info *info)
{
    fprintf(out, "PC-E%04u,%s,", info->code, pc_status_name(info->status));
    cli_csv_field(out, info->title);
    fputc(',', out);
    cli_csv_field(out, info->why);
    fputc(',', out);
    cli_csv_field(out, info->what_to_do);
    fputc('\n', out);
}

static void print_json(FILE *out, const struct pc_error_info *info)
{
    fprintf(out, " {\"code\":\"PC-E%04u\",\"status\":\"%s\",\"title\":", info->code,
            pc_status_name(info->status));
    cli_json_string(out, info->title);
    fputs(",\n  \"why\":", out);
    cli_json_string(out, info->why);
    fputs(",\n  \"what_to_do\":", out);
    cli_json_string(out, info->what_to_do);
    fputc('}', out);
}

/* "PC-N0301" or "W501": a note or a warning; false if it is neither. */
static bool print_remark(const char *text, int *exit_code)
{
    const struct cli_remark *r;
    char *end;

    if (toupper((unsigned char)text[0]) == 'P' && toupper((unsigned char)text[1]) == 'C' &&
        text[2] == '-')
        text += 3;
    int letter = toupper((unsigned char)text[0]);
    unsigned long code = strtoul(text + (*text != '\0'), &end, 10);
    if ((letter != 'N' && letter != 'W') || end == text + 1 || *end)
        return false;
    for (size_t i = 0; (r = cli_remark_at(i)) != NULL; i++) {
        if (r->letter == letter && r->code == code) {
            printf("PC-%c%04u: %s\n\nWhy:\n", r->letter, r->code, r->title);
            print_wrapped(stdout, r->why);
            *exit_code = CLI_OK;
            return true;
        }
    }
    *exit_code = cli_usage("explain", "there is no %s PC-%c%04lu",
                           letter == 'N' ? "note" : "warning", letter, code);
    return true;
}

/* The codes around one that does not exist. */
static int unknown(unsigned code)
{
    size_t count, at = 0;
    const struct pc_error_info *all = pc_explain_all(&count);

    while (at < count && all[at].code < code)
        at++;
    size_t from = at > 2 ? at - 2 : 0, to = at + 2 < count ? at + 2 : count;
    fflush(stdout);
    fprintf(stderr,
            "pcounter: error[PC-E0900]: there is no error PC-E%04u\nhelp: near codes: ", code);
    for (size_t i = from; i < to; i++)
        fprintf(stderr, "%sPC-E%04u", i > from ? ", " : "", all[i].code);
    fputs("; `pcounter explain` lists all\n", stderr);
    return CLI_INPUT;
}

static int print(const struct pc_error_info *first, size_t count, bool whole,
                 enum cli_format format)
{
    struct cli_out out;

    cli_out_open(&out, NULL);
    if (format == CLI_CSV)
        fputs("code,status,title,why,what_to_do\n", out.file);
    if (format == CLI_JSON)
        fputs("{\"$schema\":\"pcounter-explain-1\",\"data\":[\n", out.file);
    for (size_t i = 0; i < count; i++) {
        if (format == CLI_CSV) {
            print_csv(out.file, &first[i]);
        } else if (format == CLI_JSON) {
            print_json(out.file, &first[i]);
            fputs(i + 1 < count ? ",\n" : "\n]}\n", out.file);
        } else if (whole) {
            print_entry(out.file, &first[i]);
        } else {
            fprintf(out.file, "PC-E%04u  %s\n", first[i].code, first[i].title);
        }
    }
    return cli_out_commit(&out);
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        { "format", required_argument, NULL, 'f' },
        CLI_HELP_OPTIONS,
        { NULL, 0, NULL, 0 },
    };
    enum cli_format format = CLI_TEXT;
    unsigned code;
    size_t count;
    int c;

    opterr = 0;
    while ((c = getopt_long(argc, argv, ":h", options, NULL)) != -1) {
        switch (c) {
        case 'f':
            if (!cli_parse_format("explain", optarg, &format))
                return CLI_INPUT;
            break;
        case 'h':
        case 'H':
            cli_print_help(&cli_verb_explain, c == 'H');
            return CLI_OK;
        default:
            return cli_bad_option("explain", c, argv, options);
        }
    }
    const struct pc_error_info *all = pc_explain_all(&count);
    if (optind == argc)
        return print(all, count, false, format);
    if (argc - optind > 1)
        return cli_usage("explain", "one code at a time");
    int exit_code;
    if (print_remark(argv[optind], &exit_code))
        return exit_code;
    if (!parse_code(argv[optind], &code))
        return cli_usage("explain", "\"%s\" is not a code like PC-E0203", argv[optind]);
    const struct pc_error_info *info = pc_explain(code);
    return info ? print(info, 1, true, format) : unknown(code);
}

const struct cli_verb cli_verb_explain = {
    .name = "explain",
    .summary = "what an error code means and what to do",
    .run = run,
    .brief = "usage: pcounter explain [--format text|csv|json] [CODE]\n"
             "\n"
             "  pcounter explain PC-E0203\n"
             "  pcounter explain 203\n"
             "  pcounter explain              one line a code\n"
             "\n"
             "  --format FORMAT   text (default), csv or json\n"
             "  -h, --help        this screen; everything\n",
    .full = "CODE is what stands in brackets after \"error\": PC-E0203, E203 or 203.\n"
            "csv and json without a CODE hold the whole catalogue with all its text.\n"
            "\n"
            "Exit codes: 0 ok, 2 no such code.\n",
};
