/* SPDX-License-Identifier: MIT */
#include "run_rows.h"
#include "text/card_regs.h"
#include "text/warnings.h"

#include <inttypes.h>

static const struct rep_field read_fields[] = {
    { "line", REP_COUNT, .about = "the line of the script", .least = 1 },
    { "register", REP_TEXT,
      .about = "the register, like CTRL[1]; null: none is known at the address",
      .flags = REP_NULL },
    { "address", REP_TEXT, .about = "where in MMIO, or in PDAEMON's own I[]",
      .pattern = "^(0x[0-9a-f]{6,8}|I\\[[0-9a-f]+\\])$" },
    { "value", REP_COUNT, .about = "the word that was read; of several reads the last",
      .flags = REP_NO_CSV, .most = UINT32_MAX },
    { "value_in_hex", REP_HEX, .flags = REP_NO_JSON, .csv = "value" },
    { "count", REP_COUNT, .about = "reads of this line", .least = 1 },
    { "expected", REP_COUNT, .about = "what the script expects; null: nothing",
      .flags = REP_NULL | REP_NO_CSV, .most = UINT32_MAX },
    { "expected_in_hex", REP_HEX, .flags = REP_NO_JSON, .csv = "expected" },
    { "mask", REP_COUNT, .about = "bits of it that matter; null: nothing is expected",
      .flags = REP_NULL | REP_NO_CSV, .most = UINT32_MAX },
    { "mask_in_hex", REP_HEX, .flags = REP_NO_JSON, .csv = "mask" },
    { "failed", REP_COUNT, .about = "reads that were not as expected; null: nothing is expected",
      .flags = REP_NULL },
    { .name = NULL },
};

static const struct rep_field access_fields[] = {
    { "reads", REP_COUNT, .about = "reads made" },
    { "writes", REP_COUNT, .about = "writes made" },
    { "expectations", REP_COUNT, .about = "reads with an expectation" },
    { "failed", REP_COUNT, .about = "of them, those that were not as expected" },
    { .name = NULL },
};

static const struct rep_field card_fields[] = {
    { "address", REP_TEXT, .about = "of the PCI function" },
    { "boot0", REP_TEXT, .about = "its boot id, of which its chip is known",
      .pattern = "^0x[0-9a-f]{8}$" },
    { "driver", REP_TEXT, .about = "the driver that has it; null: none", .flags = REP_NULL },
    { "cycles_at_least", REP_COUNT, .about = "cycles that `run` let pass, at least" },
    { "clock_hz", REP_COUNT, .about = "the rate that their time was taken by" },
    { "put_back", REP_COUNT, .about = "registers that have again what they had before" },
    { "not_restored", REP_COUNT, .about = "of them, those that read otherwise afterwards" },
    { "differ", REP_COUNT, .flags = REP_NULL,
      .about = "reads that card and model answer otherwise; null: without --beside" },
    { .name = NULL },
};

static const struct rep_field warning = {
    .name = "warning", .kind = REP_TEXT, .csv = "value", .pattern = "^(PC-W[0-9]{4}: |[0-9]+ more )"
};

enum { READS = 2, COMPLETE, ACCESSES, CARD, WARNINGS };
static const struct rep_field fields[] = {
    { "script", REP_TEXT, .about = "the script, as it was given; - is standard input" },
    { "chip", REP_TEXT, .about = "the chip whose counters are modelled" },
    { "reads", REP_LIST, .about = "a row for each r, in the order of the script",
      .flags = REP_ROW | REP_STREAM, .field = read_fields, .item = "a read of the script",
      .one = "read" },
    { "complete", REP_BOOL, .about = "false: it stopped before its end", .flags = REP_NO_LINES },
    { "accesses", REP_OBJECT,
      .about = "sums over the whole script; absent if it did not reach its end", .flags = REP_MAYBE,
      .field = access_fields },
    { "card", REP_OBJECT, .about = "the real card of --card; absent without", .flags = REP_MAYBE,
      .field = card_fields },
    { "warnings", REP_LIST,
      .about = "what was odd, dropped or assumed, with its code and place, as on standard error",
      .flags = REP_ROW, .value = &warning, .fixed = "register=WARNING" },
    { .name = NULL },
};

const struct rep_def run_report = {
    .schema = "pcounter-run-2",
    .lines = "pcounter-run-lines-2",
    .call = "pcounter run",
    .about = "The reads of a register script.",
    .field = fields,
    .columns = "script,chip,line,register,address,value,expected,mask,count,failed",
};

/* "CTRL[1]"; "" where there is no register. */
static void name_of(const struct pc_chip *chip, const struct pc_script_access *a, char out[64])
{
    struct pc_reg_info reg;

    out[0] = '\0';
    if (a->io ? cli_card_at_io(chip, a->address, &reg)
              : pc_reg_at(chip, a->address, &reg, NULL) == PC_OK ||
                    cli_card_at(chip, a->address, &reg))
        snprintf(out, 64, "%s", cli_reg_name(&reg).text);
}

static void begin(struct run_rows *r, const struct pc_chip *chip)
{
    if (r->begun)
        return;
    r->begun = true;
    rep_root(r->rep, REP_CELLS(rep_text(r->path), rep_text(chip->name)));
}

static struct rep_cell expected(const struct pc_script_access *a, struct rep_cell cell)
{
    return a->expects ? cell : rep_null();
}

void run_rows_add(struct run_rows *r, const struct pc_chip *chip, const struct pc_script_access *a)
{
    char name[64], address[24];

    if (!rep_has_rows(r->rep) || a->write)
        return;
    name_of(chip, a, name);
    snprintf(address, sizeof address, a->io ? "I[%" PRIx32 "]" : "0x%06" PRIx32, a->address);
    begin(r, chip);
    rep_row(r->rep, READS,
            REP_CELLS(rep_count(a->line), name[0] ? rep_text(name) : rep_null(), rep_text(address),
                      rep_count(a->value), rep_hex(a->value, 8), rep_count(a->count),
                      expected(a, rep_count(a->expected)), expected(a, rep_hex(a->expected, 8)),
                      expected(a, rep_count(a->mask)), expected(a, rep_hex(a->mask, 8)),
                      expected(a, rep_count(a->failed))));
}

static void add_card(const struct run_rows *r)
{
    const struct pci_card *card = r->card;
    char boot0[12];

    snprintf(boot0, sizeof boot0, "0x%08" PRIx32, card->boot0);
    rep_row(r->rep, CARD,
            REP_CELLS(rep_text(card->address), rep_text(boot0),
                      card->driver[0] ? rep_text(card->driver) : rep_null(),
                      rep_count(card->cycles), rep_count(pci_hz(card)), rep_count(card->put_back),
                      rep_count(card->differ), r->differ ? rep_count(*r->differ) : rep_null()));
}

void run_rows_cut(const struct run_rows *r, char *out, size_t size)
{
    rep_totals(r->rep, true);
    rep_set(r->rep, COMPLETE, rep_bool(false));
    rep_tail(r->rep, out, size);
}

void run_rows_end(struct run_rows *r, const struct pc_chip *chip,
                  const struct pc_script_result *result)
{
    if (rep_page(r->rep))
        cli_text_warnings(rep_page(r->rep));
    if (!rep_has_rows(r->rep) || (!r->begun && !result))
        return;
    begin(r, chip);
    rep_totals(r->rep, !result);
    rep_set(r->rep, COMPLETE, rep_bool(result != NULL));
    if (result)
        rep_row(r->rep, ACCESSES,
                REP_CELLS(rep_count(result->reads), rep_count(result->writes),
                          rep_count(result->expectations), rep_count(result->failed)));
    if (r->card && r->card->chip)
        add_card(r);
    rep_warnings(r->rep, WARNINGS);
}
