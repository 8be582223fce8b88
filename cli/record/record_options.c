/* SPDX-License-Identifier: MIT */
/* The command line of pcounter record. */
#include "record.h"
#include "complete/complete.h"
#include "stat/stat_kind.h"
#include "text/ten.h"

#include <stdlib.h>
#include <string.h>

/* --- the rows --- */

static int take_hz(const char *verb, const struct opt *row, const char *text, void *field)
{
    double *out = field;
    const char *rest = cli_read_decimal(text, out);

    (void)row;
    return rest && *rest == '\0' && *out > 0 && *out <= 1e15
               ? CLI_OK
               : cli_usage(verb, "--clock-hz takes cycles a second, like 500e6, not \"%s\"", text);
}

static const char *const packet_formats[] = { "long", "short", NULL };
static const struct opt_kind hertz = { .value = "F", .take = take_hz };

/* Marks of options that apply only to a waveform, or only to a buffer. */
enum { OF_WAVEFORM = OPT_MARK, OF_BUFFER = OPT_MARK << 1 };

#define O struct record_options
static const struct opt rows[] = {
    { .letter = 'c',
      .name = "clock",
      OPT_WAVE_TEXT(O, said.clock),
      .value = "CLOCK",
      .brief = "count at the edges of this signal, as in pcounter-stat(1)",
      .flags = OPT_ONCE | OF_WAVEFORM },
    { .name = "stop",
      OPT_WAVE_TEXT(O, stop.place.argument),
      .brief = "end a period with each cycle in which this is 1",
      .flags = OPT_ONCE | OF_WAVEFORM },
    { .letter = 'e',
      .name = "event",
      STAT_EVENT_ROW(O, said),
      .brief = "[NAME=]EXPRESSION, with commas; at most 12 a domain",
      .flags = OPT_LETTER | OF_WAVEFORM },
    { .letter = 'a',
      .name = "chip",
      OPT_CHIP(O, said.chip),
      .brief = "chip whose record mode counts: G84 to MCP89 (GT215)" },
    { .name = "packets", OPT_SWITCH(O, packets), .brief = "print each packet instead of periods" },
    { .name = "spark", OPT_SWITCH(O, spark), .brief = "also draw a line of blocks for each event" },
    { .name = "dump",
      OPT_FILE(O, dump),
      .brief = "write the bytes of the packets to FILE",
      .flags = OPT_ONCE | OF_WAVEFORM },
    OPT_WINDOW_ROWS(O, said.window, OF_WAVEFORM),
    OPT_SAMPLE_ROW(O, said.post_edge, OF_WAVEFORM),
    OPT_X_ROW(O, said.x, OF_WAVEFORM),
    { .name = "decode",
      OPT_SWITCH(O, decode),
      .brief = "decode a record buffer: of --dump, run --dump, or a card" },
    { .name = "cut",
      .kind = &opt_form_alone,
      .brief = "write signals and times of FILE as a VCD: --cut -h" },
    { .name = "bind", STAT_BIND_ROW(O, said), .flags = OPT_RARE | OF_WAVEFORM },
    { .name = "signals",
      OPT_SIGNALS(O, said.binds.files),
      .brief = "names of your own for signals, see pcounter-signals(5)",
      .more = "also for --program",
      .flags = OPT_RARE },
    { .name = "packet-format",
      OPT_WORD(O, is_short, packet_formats),
      .value = "FORMAT",
      .brief = "of a buffer: long (default) or short",
      .more = "long packets have 32 bytes, short ones 16 with four counters",
      .flags = OPT_RARE | OF_BUFFER },
    { .name = "program",
      OPT_FILE(O, program),
      .brief = "registers by which a buffer was recorded",
      .more = "a script, a register dump or an mmiotrace: it says what was counted, and the format "
              "of the packets; -a CHIP if it does not name the chip",
      .flags = OPT_RARE | OPT_ONCE | OF_BUFFER },
    { .letter = 'd',
      .name = "domain",
      OPT_DOMAIN(O, domain),
      .value = "N",
      .brief = "domain of a buffer, if the program records several",
      .flags = OPT_RARE | OF_BUFFER },
    { .name = "clock-hz",
      OPT_OF(hertz, O, double, clock_hz),
      .brief = "of a buffer: cycles per second, for times and rates",
      .flags = OPT_RARE | OF_BUFFER },
    OPT_READ_ROWS(O, said.read),
    REP_OPTIONS(O, report, &record_report),
    OPT_QUIET_OF("no notes, no progress"),
    OPT_HELP,
    { .name = NULL },
};
static const struct opt_operand file = { .first = complete_files };
const struct opt_line record_line = { .name = "record", .row = rows, .operand = &file };

/* --- what does not go together --- */

static bool has_text(const struct rep_request *q)
{
    for (size_t i = 0; i < q->outputs; i++)
        if (rep_is(q, i, "text") || rep_is(q, i, "md"))
            return true;
    return false;
}

/* Options of a buffer with a waveform, or the other way round, would have no effect. */
static int check_kind(const struct record_options *o, const struct opt_said *said)
{
    const char *of_waveform = opt_marked(said, OF_WAVEFORM | OPT_READ),
               *of_buffer = opt_marked(said, OF_BUFFER);

    if (!o->decode && of_buffer)
        return cli_usage("record", "%s is about a buffer: with --decode", of_buffer);
    if (o->decode && of_waveform)
        return cli_usage("record", "%s is about a waveform: not with --decode", of_waveform);
    if (o->decode && !o->program && (o->has_chip || o->domain))
        return cli_usage("record", "%s says of which domain the registers of --program are",
                         o->domain ? "--domain" : "--chip");
    if (o->decode && !o->program && o->said.binds.files.count)
        return cli_usage("record", "--signals names the inputs that --program selects");
    if (o->spark && !has_text(&o->report))
        return cli_usage("record", "--spark is for --format text or md");
    if (o->spark && !o->decode && o->said.events == 0)
        return cli_usage("record", "--spark is about events, and none is counted: -e names some");
    return CLI_OK;
}

static int check_waveform(const struct record_options *o)
{
    const int code = stat_check_clock("record", &o->said);

    if (code)
        return code;
    if (!o->stop.place.argument)
        return cli_usage("record", "when does a period end? Give --stop, like "
                                   "--stop 'rise(top.frame_end)'");
    for (size_t i = 0; o->dump && i < o->report.outputs; i++)
        if (cli_same_output(o->dump, o->report.output[i].path))
            return cli_usage("record", "--dump and -o would write to one file");
    for (size_t n = 0; n < o->said.events; n++)
        if (o->said.event[n].slots)
            return cli_error_at(1603, &o->said.event[n].place, 1, NULL,
                                "record mode has no PRE, START, EVENT and STOP counters: an event "
                                "is at the next free selector");
    return cli_window_check("record", &o->said.window);
}

static int check(struct record_options *o, const struct opt_said *said)
{
    if (said->operands == 0)
        return cli_usage("record", "which %s? The last argument is a file, or - for standard input",
                         o->decode ? "buffer" : "waveform");
    if (said->operands > 1)
        return cli_usage(
            "record", "only one %s at a time; also given: \"%s\" (quote an expression with blanks)",
            o->decode ? "buffer" : "waveform", said->operand[1]);
    o->said.paths = said->operand;
    int code = check_kind(o, said);
    if (code == CLI_OK && !o->decode)
        code = check_waveform(o);
    if (code == CLI_OK) {
        const char *const inputs[] = { o->said.paths[0], o->program };
        code = cli_check_dashes("record",
                                cli_dashes(inputs, 2) + cli_dashes(o->said.binds.files.path,
                                                                   o->said.binds.files.count));
    }
    return code;
}

int record_parse_options(const struct cli_verb *verb, int argc, char **argv,
                         struct record_options *o)
{
    struct opt_said said;

    *o = (struct record_options){ .said = { .verb = verb,
                                            .chip = pc_chip_find("GT215"),
                                            .clock_label = "--clock",
                                            .files = 1,
                                            .threads = 1 },
                                  .stop.place.label = "--stop" };
    int code = opt_read(verb, &record_line, argc, argv, o, &said);
    if (code >= 0)
        return code;
    o->has_chip = opt_given(&said, "chip");
    o->has_packet_format = opt_given(&said, "packet-format");
    o->said.sample = opt_given(&said, "sample");
    o->slots = o->decode || o->has_chip || o->packets || o->dump;
    code = check(o, &said);
    o->said.read.texts |= o->stop.place.argument && strchr(o->stop.place.argument, '"');
    return code == CLI_OK ? -1 : code;
}

void record_free_options(struct record_options *o)
{
    free(o->stop.name);
    free(o->stop.text);
    pc_expr_free(o->stop.expr);
    stat_job_end(&o->of);
    stat_free_options(&o->said);
}
