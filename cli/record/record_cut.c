/* SPDX-License-Identifier: MIT */
#include "record/record_cut.h"

#include "complete/complete.h"
#include "process/converter.h"
#include "text/warnings.h"
#include "wave/time_window.h"

#include <stdlib.h>
#include <string.h>

/* --- the call --- */

#define O struct cut_options
static const struct opt rows[] = {
    { .name = "cut",
      OPT_SWITCH(O, cut),
      .brief = "write signals and times of FILE as a VCD or FST" },
    OPT_OUTPUT(O, output, "write to FILE.vcd, or to FILE.fst by vcd2fst"),
    { .name = "from",
      OPT_OF(opt_time, O, struct cli_span, from),
      .brief = "begin at this time: 15.2us, or 1520 time units" },
    { .name = "to", OPT_OF(opt_time, O, struct cli_span, to), .brief = "end before this time" },
    OPT_QUIET,
    OPT_READ_ROWS(O, read),
    OPT_STOP_ROW,
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand operands = {
    .first = complete_files,
    .rest = complete_wave_names,
    .least = 1,
    .most = 0,
    .missing = "which waveform? A file, or - for standard input",
};
const struct opt_line record_cut_line = {
    .name = "record --cut", .help = "record-cut", .form = "--cut", .row = rows, .operand = &operands
};

static bool is_standard(const char *path)
{
    return !path || strcmp(path, "-") == 0;
}

static bool is_fst(const struct cut_options *o)
{
    return cli_has_suffix(o->output, ".fst");
}

static int check_output(const struct cut_options *o)
{
    if (is_standard(o->output) || is_fst(o) || cli_has_suffix(o->output, ".vcd"))
        return CLI_OK;
    return cli_usage("record --cut", "-o %s: unknown suffix; known are .vcd and .fst", o->output);
}

/* --- what a VCD does not have --- */

/* Says it as a note and in the head of the file. */
static void PC_PRINTF(2, 3) say(struct cut *c, const char *fmt, ...)
{
    char text[300];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    cli_note(1603, "%s: %s", cli_input_name(c->o->file), text);
    fputs("$comment ", c->out);
    vcd_put_comment(c->out, text);
    fputs(" $end\n", c->out);
}

void cut_say_losses(struct cut *c)
{
    if (c->no_bits > 0)
        say(c, "%s without values left out", cli_count(c->no_bits, "variable"));
    if (c->retyped > 0)
        say(c, "%s of a type that VCD does not have: written as the nearest one",
            cli_count(c->retyped, "variable"));
    if (c->enumerated > 0)
        say(c, "names of values are comments: a VCD has the bits of %s",
            cli_count(c->enumerated, "enumeration"));
    if (c->scale.unknown)
        say(c, "the time unit is not known: the VCD has none, and readers take one");
    if (c->info.sampled)
        say(c, "samples are changes at their times%s: a cycle is no longer a sample",
            c->scale.rounded ? ", rounded to the time unit" : "");
}

/* --- all of it --- */

static int write_cut(struct cut *c)
{
    const struct cut_options *o = c->o;
    struct cli_out out;
    int code = cli_out_open(&out, o->output);

    if (code)
        return code;
    c->fst = is_fst(o);
    c->out = c->fst ? cli_converter_input() : out.file;
    if (!c->out) {
        cli_out_abort(&out);
        return CLI_INPUT;
    }
    code = cut_values(c);
    if (code == CLI_OK && c->fst)
        code = cli_converter_finish(out.file);
    if (code) {
        cli_out_abort(&out);
        return code;
    }
    if (c->long_texts > 0)
        cli_warning(1604, "%s: %s longer than %d bytes: the cut has \"(more-than-32-bytes)\"",
                    cli_input_name(o->file), cli_count(c->long_texts, "text"), PC_WAVE_TEXT);
    return cli_out_commit(&out);
}

static int cut(struct cut *c)
{
    const struct cut_options *o = c->o;
    const struct cli_time_of of = { "record --cut", o->file, &c->info };

    pc_wave_get_info(c->wave, &c->info);
    int code = cut_find(c);
    if (code == CLI_OK)
        code = cut_find_scale(c);
    if (code == CLI_OK)
        code = cli_time_window(&of, &o->from, &o->to, &c->from, &c->to);
    if (code == CLI_OK && c->chosen == 0) {
        cli_note(502, "no net matches \"%s\"", o->globs ? o->glob[0] : "*");
        code = CLI_NO;
    }
    if (code == CLI_OK)
        code = write_cut(c);
    if (code == CLI_OK)
        cli_wave_warnings(c->wave, cli_input_name(o->file));
    free(c->net);
    free(c->word);
    free(c->buffer);
    return code;
}

int record_cut(const struct cli_verb *verb, int argc, char **argv)
{
    struct cut_options o = { .cut = false };
    struct cut work = { .o = &o };
    struct opt_said said;
    struct pc_error err;
    int code = opt_read(verb, &record_cut_line, argc, argv, &o, &said);

    if (code >= 0)
        return code;
    o.file = said.operand[0];
    o.glob = (const char *const *)said.operand + 1;
    o.globs = said.operands - 1;
    o.read.texts = true;
    code = check_output(&o);
    if (code == CLI_OK)
        code = cli_claim_input("record", o.file);
    if (code)
        return code;
    const struct pc_wave_desc desc = cli_wave_desc(&o.read, o.file);
    if (cli_wave_open(&desc, &work.wave, &err))
        return cli_error(&err, o.file, NULL);
    code = cut(&work);
    pc_wave_close(work.wave);
    return code;
}
