/* SPDX-License-Identifier: MIT */
/*
 * pcounter card: runs a program with a card on its PCI bus.
 */
#include "card/card.h"
#include "opt/opt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define O struct card_options

#define HZ_EXPECTED "Hz are expected, like 500000000 or 500M, at most 4294967295"

static int take_hz(const char *verb, const struct opt *row, const char *text, void *field)
{
    (void)row;
    if ((*(uint64_t *)field = opt_parse_hertz(text, UINT32_MAX)))
        return CLI_OK;
    return cli_usage(verb, "--hz %s: " HZ_EXPECTED, text);
}

/* Takes --clock; the domain is checked later, when the chip is known. */
static int take_clock(const char *verb, const struct opt *row, const char *text, void *field)
{
    const char *equals = strchr(text, '=');

    if (!opt_parse_hertz(equals ? equals + 1 : text, UINT32_MAX))
        return cli_usage(verb, "--clock %s: " HZ_EXPECTED, text);
    return opt_take_texts(verb, row, text, field);
}

static int take_time(const char *verb, const struct opt *row, const char *text, void *field)
{
    const size_t length = strlen(text);
    struct pc_decimal d;
    size_t used;
    int unit;

    (void)row;
    if (pc_decimal_parse(text, length, &d, &used) == PC_OK &&
        pc_time_unit_find(text + used, length - used, &unit) &&
        (*(uint64_t *)field = opt_whole(&d, unit + 9, 1000000000)))
        return CLI_OK;
    return cli_usage(
        verb, "--access-time %s: a time is expected, like 1us or 250ns, at most 1000ms", text);
}

static const struct opt_kind hertz = { .value = "HZ", .take = take_hz };
static const struct opt_kind clock_hertz = { .value = "[DOM=]HZ", .take = take_clock };
static const struct opt_kind duration = { .value = "TIME", .take = take_time };

static const struct opt rows[] = {
    { .letter = 'a', .name = "chip", OPT_CHIP(O, chip), .brief = "chip of the card" },
    { .name = "qemu",
      OPT_SWITCH(O, qemu),
      .brief = "COMMAND is a QEMU, and its guest has the card" },
    { .name = "access-time",
      OPT_OF(duration, O, uint64_t, access_ns),
      .brief = "time of the card that each access takes (1us)",
      .flags = OPT_ONCE },
    { .name = "hz",
      OPT_OF(hertz, O, uint64_t, hz),
      .brief = "rate of all clocks in real time",
      .flags = OPT_ONCE },
    { .name = "clock",
      OPT_OF(clock_hertz, O, struct opt_texts, clock),
      .brief = "rate of the clock of a domain, or of all (500M)" },
    { .name = "option",
      OPT_OF(opt_setting, O, struct opt_texts, option),
      .brief = "set an option of the model, see `pcounter list options`" },
    { .name = "with",
      OPT_FILE(O, with),
      .value = "STIMULUS",
      .brief = "run the set, play, clock ... lines of STIMULUS",
      .more = "as for `pcounter run --with`",
      .flags = OPT_ONCE },
    { .name = "wave",
      OPT_FILE(O, wave),
      .brief = "let signals follow this waveform, one edge a cycle",
      .flags = OPT_ONCE },
    { .name = "bind",
      OPT_TEXTS(O, bind),
      .value = "BINDING",
      .brief = "connect signals to the waveform: '0 10 top.busy'",
      .more = "or a clock: '0 clock clk'" },
    { .name = "vbios",
      OPT_FILE(O, vbios),
      .brief = "VBIOS image for the ROM and PROM of the card",
      .flags = OPT_ONCE },
    { .name = "log",
      OPT_OF(replay_log_file, O, const char *, log),
      .brief = "write all accesses as a trace for `pcounter replay`" },
    OPT_OUTPUT(O, report, "write the closing report to FILE, not to stderr"),
    OPT_QUIET_OF("print no closing report"),
    OPT_HELP,
    { .name = NULL }
};

static const struct opt_operand command = {
    .least = 1,
    .missing = "the command is missing: pcounter card -a G92 -- COMMAND",
};
static const struct opt_line card_line = { .name = "card", .row = rows, .operand = &command };

/* Refuses options that exclude each other, and a call without a chip; returns an exit code. */
static int check(O *o)
{
    if (!o->chip)
        return cli_usage("card", "the chip is missing: -a G92");
    if (o->hz && o->access_ns)
        return cli_usage("card", "--hz and --access-time exclude each other: the wall clock's time "
                                 "passes, or an access has its own");
    if (o->hz && o->clock.count > 0)
        return cli_usage("card",
                         "--hz and --clock exclude each other: --hz is the frequency of all "
                         "clocks");
    if (!o->wave != (o->bind.count == 0))
        return cli_usage("card",
                         "--wave and --bind belong together: --wave FILE --bind '0 clock clk' "
                         "--bind '0 10 top.busy'");
    if (o->wave && strchr(o->wave, '"'))
        return cli_usage("card", "--wave %s: a name without \" is expected", o->wave);
    if (o->log && strcmp(o->log, "-") == 0)
        return cli_usage("card",
                         "--log: standard output is that of the command; a file is expected");
    if (o->log && o->report && cli_same_output(o->log, o->report))
        return cli_usage("card", "-o and --log would both be written to %s", o->log);
    if (!pc_chip_get_pci(o->chip, &o->pci) || !pc_gpu_possible(o->chip)) {
        cli_usage("card", "the PCI card of %s is not known", o->chip->name);
        return CLI_UNFIT;
    }
    if (!o->hz && !o->access_ns)
        o->access_ns = 1000;
    return CLI_OK;
}

/* Reads an image as expansion ROMs are: 55 aa, and no more than the window of BAR0 has room for. */
static int read_rom(O *o)
{
    enum { MOST = 1 << 20 };
    char *data;
    size_t size;

    if (!o->vbios)
        return CLI_OK;
    const int code = cli_read_file("card", o->vbios, MOST, &data, &size);
    if (code)
        return code;
    o->rom = (struct card_rom){ (uint8_t *)data, size };
    if (size < 3 || o->rom.data[0] != 0x55 || o->rom.data[1] != 0xaa)
        return cli_usage(
            "card",
            "--vbios %s: an image of a ROM is expected, which begins with the bytes 55 "
            "aa, as /sys/bus/pci/devices/.../rom has it",
            cli_input_name(o->vbios));
    return CLI_OK;
}

static int run(int argc, char **argv)
{
    O o = { .chip = NULL };
    struct opt_said said;
    int code = opt_read(&cli_verb_card, &card_line, argc, argv, &o, &said);

    if (code < 0) {
        code = opt_check_operands(&said);
        if (code == CLI_OK)
            code = check(&o);
        if (code == CLI_OK)
            code = read_rom(&o);
        if (code == CLI_OK)
            code = o.qemu ? card_run_qemu(&o, said.operand) : card_run(&o, said.operand);
    }
    opt_texts_free(&o.clock);
    opt_texts_free(&o.option);
    opt_texts_free(&o.bind);
    free(o.rom.data);
    return code;
}

const struct cli_verb cli_verb_card = {
    .name = "card",
    .summary = "run a driver or tool with a modelled card on its PCI bus",
    .run = run,
    .line = &card_line,
    .starts_programs = true,
};
