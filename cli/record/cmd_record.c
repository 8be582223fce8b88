/* SPDX-License-Identifier: MIT */
/*
 * pcounter record: events of a waveform between STOPs, counted by record mode of a chip's model;
 * and packets of such a buffer.
 */
#include "record.h"

#include <string.h>

/* STOP is an event like the others until it has its wires. */
static int compile_stop(struct record_options *o, struct stat_wires *wires)
{
    const char *text = o->stop.place.argument;
    struct stat_event *e = NULL;
    int code = stat_add_event(&o->of, &e);

    if (code)
        return code;
    e->place = o->stop.place;
    e->text = cli_copy(text, strlen(text));
    e->name = cli_copy("STOP", 4);
    code = e->text && e->name ? stat_compile_event(&o->of, e, wires) : cli_no_memory();
    o->stop = *e;
    o->of.events--;
    return code;
}

static int find_window(struct record_options *o, const struct pc_wave *wave,
                       const struct pc_wave_clock *clock)
{
    const struct pc_wave_desc desc = cli_wave_desc(&o->of.read, o->of.path);
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    return cli_window_find(&o->of.window, &info, &desc, clock, false);
}

/* From the command line to where each event is counted: nothing is counted yet. */
static int prepare(struct record_options *o, struct stat_wires *wires, struct record_plan *plan,
                   struct pc_wave_clock *clock)
{
    int code = stat_find_clock(wires->wave, o->of.clock, clock);

    clock->post_edge = o->of.post_edge;
    o->of.edge = clock->edge;
    if (code == CLI_OK && o->of.sample)
        code = cli_check_sample("record", clock);
    if (code == CLI_OK)
        code = stat_bind_open(&o->of, wires->wave);
    for (size_t n = 0; n < o->of.events && code == CLI_OK; n++)
        code = stat_compile_event(&o->of, &o->of.event[n], wires);
    if (code == CLI_OK)
        code = compile_stop(o, wires);
    if (code == CLI_OK)
        code = record_make_plan(o, plan);
    return code == CLI_OK ? find_window(o, wires->wave, clock) : code;
}

/* Rows and the buffer: both are whole, or not there. */
static int record_into(struct record_options *o, struct record_plan *plan, struct stat_wires *wires,
                       const struct pc_wave_clock *clock)
{
    struct cli_out out, dump = { .file = NULL };
    bool partial = false;
    int code = cli_out_open(&out, o->of.output);

    if (code == CLI_OK && o->dump && (code = cli_out_open(&dump, o->dump)) != CLI_OK)
        cli_out_abort(&out);
    if (code)
        return code;
    code = record_run(o, plan, wires, clock, out.file, dump.file, &partial);
    if (code) {
        cli_out_abort(&out);
        if (o->dump)
            cli_out_abort(&dump);
        return code;
    }
    code = cli_out_commit_all((struct cli_out *[]){ &out, &dump }, o->dump ? 2 : 1);
    return code == CLI_OK && partial ? CLI_INTERRUPTED : code;
}

static int record_waveform(struct record_options *o)
{
    struct pc_wave_desc desc = cli_wave_desc(&o->of.read, o->of.path);
    struct stat_wires wires = { .binds = &o->of.binds };
    struct record_plan plan = { .unit = NULL };
    struct pc_wave_clock clock;
    struct pc_error err;
    int code = cli_claim_input("record", o->of.path);

    desc.live = o->of.live;
    if (code == CLI_OK && pc_wave_open(&desc, &wires.wave, &err))
        code = cli_error(&err, o->of.path, NULL);
    if (code == CLI_OK)
        code = prepare(o, &wires, &plan, &clock);
    if (code == CLI_OK) {
        stat_note_events(&o->of, &o->stop, &wires, &clock);
        code = record_into(o, &plan, &wires, &clock);
    }
    pc_unit_destroy(plan.unit);
    stat_free_wires(&wires);
    pc_wave_close(wires.wave);
    return code;
}

static int run(int argc, char **argv)
{
    struct record_options o;
    int code = record_parse_options(&cli_verb_record, argc, argv, &o);

    o.of.live = code < 0 && cli_read_once(o.of.path);
    if (code < 0)
        code = o.decode ? record_decode(&o) : record_waveform(&o);
    record_free_options(&o);
    return code;
}

const struct cli_verb cli_verb_record = {
    .name = "record",
    .summary = "counts from one event to the next; packets of a record buffer",
    .run = run,
    .brief =
        "usage: pcounter record --clock CLOCK --stop EXPRESSION [-e EVENT]... FILE\n"
        "       pcounter record --decode [--program SCRIPT] BUFFER\n"
        "\n"
        "  pcounter record -c top.clk --stop 'rise(top.frame_end)' -e 'hit, miss' dump.vcd\n"
        "  pcounter record -c top.clk --stop 'valid & last' -e beats=valid -o beats.csv dump.fst\n"
        "  pcounter record --decode --program setup.pcs --clock-hz 500e6 buffer.bin\n"
        "\n"
        "  -c, --clock CLOCK    cycles are edges of this signal, as of pcounter stat\n"
        "  --stop EXPRESSION    a period ends with each cycle in which this is 1\n"
        "  -e, --event EVENT    [NAME=]EXPRESSION, several with commas; up to twelve a domain\n"
        "  -a, --chip CHIP      whose record mode counts (GT215); G84 to MCP89 have one\n"
        "  --packets            each packet as it went to memory, instead of periods\n"
        "  --spark              a line of blocks for each event, too\n"
        "  --dump FILE          the packets as bytes, as they went to memory\n"
        "  --from, --to WHERE   a part: from cycle 1520 or 15.2us on, to before another\n"
        "  --sample WHEN        pre-edge (default: what a flip-flop sees) or post-edge\n"
        "  --x HOW              unknown values: taint (default), zero, one, error\n"
        "  --decode             FILE is such a buffer: of --dump, of run --dump, of a card\n"
        "  -o, --output FILE    - or none: standard output; .csv, .json, .jsonl, .html, .vcd,\n"
        "                       .perfetto.json, .trace.json choose the format\n"
        "  --format FORMAT      text, csv, json, jsonl, a line a row; html, a page of plots; vcd,\n"
        "                       perfetto: rows by their times, for viewers\n"
        "  -q, --quiet          no notes, no progress\n"
        "  -h, --help           this screen; everything\n",
    .full =
        "Counts between two events, where stat -I counts between two times: frames, transactions,\n"
        "interrupts. Events and expressions are those of pcounter stat and pcounter-expr(7);\n"
        "FILE is any waveform that stat reads.\n"
        "\n"
        "How it counts: record mode counts up to twelve signals of a domain in 16 bits each, "
        "writes\n"
        "them to memory as a packet in each cycle in which STOP is 1, that cycle included, and\n"
        "begins again at 0. A counter that comes to 0xf000 sends a packet before that, with a "
        "STOP\n"
        "count of 0; rows are periods, to which such packets are added, or with --packets each\n"
        "packet. What comes behind the last STOP is in no packet: the last row, of the kind rest,\n"
        "shows it. More than twelve events take more domains, all on the one clock, while the "
        "chip\n"
        "has any (else exit code 3). Events that are more than a signal are computed in front of\n"
        "the counter (note PC-N0301). Each sum is checked against the expression itself.\n"
        "\n"
        "first cycle and cycles of a row are a window for stat: --from FIRST --to FIRST+CYCLES "
        "has\n"
        "the same counts. Times are those at which rows begin; they take a second read.\n"
        "\n"
        "Signals of a chip, as of stat:\n"
        "  --bind DOM=VECTOR    bit 0 of VECTOR is signal 0 of domain DOM of --chip: 1=tb.signals\n"
        "  --signals FILE       names of one's own, see pcounter-signals(5); of --program, too\n"
        "\n"
        "States: exact; tainted (an unknown input matters, or STOP depends on one); saturated (a\n"
        "16-bit counter of a buffer was at its end).\n"
        "\n"
        "A buffer (--decode):\n"
        "  --packet-format FORMAT\n"
        "                       long (32 bytes, the default) or short (16 bytes, four counters)\n"
        "  --program FILE       what was counted, and the packets' format: a script, a register\n"
        "                       dump or an mmiotrace with the registers; -a CHIP if it names none\n"
        "  -d, --domain N       of which domain, if it has several in record mode\n"
        "  --clock-hz F         cycles a second, for times and rates\n"
        "Every packet is checked: what record mode cannot have written is an error with its byte.\n"
        "Zeros behind the last packet are memory that was not written.\n"
        "\n" CLI_READ_HELP,
    .rest =
        "\n"
        "CSV columns: trace,chip,row,kind,first_cycle,cycles,time,seconds,stops,domain,slot,name,\n"
        "value,state,expression; a row of cycles with the slot CYCLES stands before those of the\n"
        "events. time (of the begin) and seconds (the length) are empty where they are not known.\n"
        "A warning is a row of the kind warning at the end; its text is the name.\n"
        "JSON: \"$schema\" is pcounter-record-1; counts are strings, and numbers below 2^53; an\n"
        "array \"rows\" has an array \"events\" each. jsonl is pcounter-record-lines-1: a line\n"
        "\"begin\", one a row, one a sum, and \"end\".\n"
        "Ctrl-C prints what was counted so far, marked partial.\n"
        "\n"
        "Exit codes: 0 ok, 2 wrong input, 3 cannot be counted on this chip, 4 a limit was\n"
        "reached, 130 interrupted.\n",
};
