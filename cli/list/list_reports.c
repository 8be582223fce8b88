/* SPDX-License-Identifier: MIT */
/* The lists of `pcounter list`, as programs get them: a table of rows each. */
#include "list.h"

static const char *const confidences[] = { "user",    "doc",     "trace",   "nouveau",
                                           "assumed", "unknown", "suspect", NULL };
static const char *const yes_no[] = { "yes", "no", NULL };
static const char *const on_off[] = { "on", "off", NULL };

/* The rows of a list, and the report that has nothing else. */
#define LIST(topic, about_)                                                                        \
    static const struct rep_field topic##_fields[] = {                                             \
        { "data", REP_LIST, .about = "the rows; none if nothing matches", .flags = REP_ROW,        \
          .field = topic##_rows, .item = "a row" },                                                \
        { .name = NULL },                                                                          \
    };                                                                                             \
    const struct rep_def list_##topic##_def = {                                                    \
        .schema = "pcounter-list-" #topic "-1",                                                    \
        .call = "pcounter list " #topic,                                                           \
        .about = about_,                                                                           \
        .field = topic##_fields,                                                                   \
        .bare = true,                                                                              \
    };

static const char *const chips_unit[] = { "yes", "no PCOUNTER", "domains not known", NULL };
static const struct rep_field chips_rows[] = {
    { "chip", REP_TEXT, .about = "its name" },
    { "id", REP_TEXT, .about = "its number in PMC.BOOT_ID", .pattern = "^0x[0-9a-f]{2,3}$" },
    { "family", REP_TEXT, .about = "its family" },
    { "range", REP_TEXT, .about = "the range of chips that are alike" },
    { "unit", REP_WORD, .about = "whether PCOUNTER is modelled", .words = chips_unit },
    { "domains", REP_COUNT, .about = "domains of all sets" },
    { "counter_bits", REP_COUNT, .about = "width of its counters; 0 without a unit", .most = 40 },
    { "idle_counters", REP_COUNT, .about = "idle counters of PDAEMON" },
    { "modes", REP_TEXT, .about = "single, quad, record, stream, with blanks between them" },
    { "sets", REP_TEXT, .about = "from GF100 on: sets of domains" },
    { "signals", REP_TEXT, .about = "signals of each domain, with blanks between them" },
    { "assumed", REP_WORD, .about = "whether a number of signals is assumed", .words = yes_no },
    { "aliases", REP_TEXT, .about = "other names" },
    { "evidence", REP_TEXT,
      .about = "who says that the unit is there, with these domains, or is not: the document, "
               "traces, nouveau, none" },
    { "notes", REP_TEXT, .about = "what is assumed or disputed; empty: nothing" },
    { .name = NULL },
};
LIST(chips, "The chips that are modelled.")

static const char *const registers_access[] = { "r", "w", "rw", NULL };
static const struct rep_field registers_rows[] = {
    { "register", REP_TEXT, .about = "its name, like CTRL[1]" },
    { "address", REP_TEXT, .about = "where in MMIO", .pattern = "^0x[0-9a-f]{6,8}$" },
    { "access", REP_WORD, .about = "what it can do", .words = registers_access },
    { "kept_bits", REP_TEXT, .about = "bits that keep what is written",
      .pattern = "^0x[0-9a-f]{8}$" },
    { "range", REP_TEXT, .about = "the chips that have it" },
    { "clause", REP_TEXT, .about = "the clause of the document" },
    { "on_write", REP_TEXT, .about = "what a write does besides storing; empty: nothing" },
    { "io_address", REP_TEXT, .about = "where PDAEMON itself has it; empty: nowhere",
      .pattern = "^(I\\[[0-9a-f]+\\])?$" },
    { .name = NULL },
};
LIST(registers, "Registers of a chip.")

static const struct rep_field options_rows[] = {
    { "option", REP_TEXT, .about = "its name" },
    { "values", REP_TEXT, .about = "its values, with | between them" },
    { "default", REP_TEXT, .about = "its value if it is not given" },
    { "decision", REP_TEXT, .about = "the decision that it follows" },
    { "about", REP_TEXT, .about = "what it is about" },
    { .name = NULL },
};
LIST(options, "Switches for disputed readings of the documents.")

static const struct rep_field domains_rows[] = {
    { "domain", REP_TEXT, .about = "its name" },
    { "signals", REP_COUNT, .about = "signals of it" },
    { "trailer_base", REP_TEXT, .about = "the first signal that every domain has",
      .pattern = "^0x[0-9a-f]{2}$" },
    { "named", REP_COUNT, .about = "signals with a name" },
    { "assumed", REP_WORD, .about = "whether the number of signals is assumed", .words = yes_no },
    { "clock", REP_TEXT, .about = "its clock; empty: not known" },
    { .name = NULL },
};
LIST(domains, "Domains of a chip.")

static const struct rep_field signals_rows[] = {
    { "chip", REP_TEXT, .about = "the chip" },
    { "domain", REP_TEXT, .about = "the domain" },
    { "position", REP_TEXT, .about = "its number in the domain", .pattern = "^0x[0-9a-f]{2,3}$" },
    { "name", REP_TEXT, .about = "its name" },
    { "aliases", REP_TEXT, .about = "other names, with blanks between them" },
    { "mux", REP_TEXT, .about = "the group of sources that selects it; empty: none" },
    { "filter", REP_TEXT, .about = "the bit of FILTER that lets it through; empty: none",
      .pattern = "^[0-9]*$" },
    { "confidence", REP_WORD, .about = "how far it can be trusted", .words = confidences },
    { "origin", REP_TEXT, .about = "where it is known from" },
    { "about", REP_TEXT, .about = "what it says" },
    { .name = NULL },
};
LIST(signals, "Signals of a chip by name.")

static const struct rep_field sources_rows[] = {
    { "group", REP_TEXT, .about = "the group of signals" },
    { "source", REP_TEXT, .about = "the field" },
    { "address", REP_TEXT, .about = "where in MMIO", .pattern = "^0x[0-9a-f]{6,8}$" },
    { "bits", REP_TEXT, .about = "bits of the register", .pattern = "^\\[[0-9]+(:[0-9]+)?\\]$" },
    { "enable_bit31", REP_WORD, .about = "whether bit 31 enables it", .words = yes_no },
    { "signals", REP_TEXT, .about = "domain:name of each signal, with blanks between them" },
    { "chips", REP_TEXT, .about = "the chips that have it, with blanks between them" },
    { "confidence", REP_WORD, .about = "how far it can be trusted", .words = confidences },
    { "origin", REP_TEXT, .about = "where it is known from" },
    { .name = NULL },
};
LIST(sources, "Registers that select what signals are.")

static const struct rep_field filters_rows[] = {
    { "chip", REP_TEXT, .about = "the chip" },
    { "domain", REP_TEXT, .about = "the domain" },
    { "bit", REP_COUNT, .about = "the bit of FILTER", .most = 31 },
    { "unit", REP_TEXT, .about = "the unit; empty: not known" },
    { "confidence", REP_WORD, .about = "how far it can be trusted", .words = confidences },
    { "origin", REP_TEXT, .about = "where it is known from" },
    { .name = NULL },
};
LIST(filters, "Units that FILTER of GF100 and later chooses from.")

static const char *const metrics_confidence[] = { "user",    "doc",     "trace",
                                                  "nouveau", "assumed", "unknown",
                                                  "suspect", "",        NULL };
static const struct rep_field metrics_rows[] = {
    { "chips", REP_TEXT, .about = "the chips that have it, with blanks between them" },
    { "metric", REP_TEXT, .about = "its name" },
    { "domain", REP_TEXT, .about = "the domain; empty: none" },
    { "mode", REP_TEXT, .about = "the counting mode; empty: not given" },
    { "pre_src", REP_TEXT, .about = "PRE_SRC; empty: not given", .pattern = "^(0x[0-9a-f]{8})?$" },
    { "pre_op", REP_TEXT, .about = "PRE_OP; empty: not given", .pattern = "^(0x[0-9a-f]{4})?$" },
    { "start_src", REP_TEXT, .about = "START_SRC; empty: not given",
      .pattern = "^(0x[0-9a-f]{8})?$" },
    { "start_op", REP_TEXT, .about = "START_OP; empty: not given",
      .pattern = "^(0x[0-9a-f]{4})?$" },
    { "event_src", REP_TEXT, .about = "EVENT_SRC; empty: not given",
      .pattern = "^(0x[0-9a-f]{8})?$" },
    { "event_op", REP_TEXT, .about = "EVENT_OP; empty: not given",
      .pattern = "^(0x[0-9a-f]{4})?$" },
    { "stop_src", REP_TEXT, .about = "STOP_SRC; empty: not given",
      .pattern = "^(0x[0-9a-f]{8})?$" },
    { "stop_op", REP_TEXT, .about = "STOP_OP; empty: not given", .pattern = "^(0x[0-9a-f]{4})?$" },
    { "mux", REP_TEXT, .about = "what is set first; empty: nothing" },
    { "result", REP_TEXT, .about = "the register that is read" },
    { "confidence", REP_WORD, .about = "how far it can be trusted; empty: of a formula",
      .words = metrics_confidence },
    { "origin", REP_TEXT, .about = "where it is known from" },
    { "note", REP_TEXT, .about = "what else is known" },
    { "unit", REP_TEXT, .about = "the unit of its formula; empty: none" },
    { "formula", REP_TEXT, .about = "the formula over events; empty: none" },
    { .name = NULL },
};
LIST(metrics, "Known configurations, and formulas.")

static const struct rep_field profiler_rows[] = {
    { "chips", REP_TEXT, .about = "the chips that have it, with blanks between them" },
    { "metric", REP_TEXT, .about = "its name" },
    { "passes", REP_COUNT, .about = "passes that it takes" },
    { "unit", REP_TEXT, .about = "its unit; empty: none" },
    { "events", REP_TEXT, .about = "its events, with blanks between them" },
    { "confidence", REP_WORD, .about = "how far it can be trusted", .words = confidences },
    { "origin", REP_TEXT, .about = "where it is known from" },
    { .name = NULL },
};
LIST(profiler, "Metrics of the vendor's profiler.")

static const struct rep_field cores_rows[] = {
    { "core", REP_TEXT, .about = "its name" },
    { "xlen", REP_COUNT, .about = "width of its registers in bits", .most = 64 },
    { "ports", REP_COUNT, .about = "instructions that commit in a clock", .least = 1 },
    { "event_counters", REP_COUNT, .about = "counters of events" },
    { "modes", REP_TEXT, .about = "privilege modes, with blanks between them" },
    { "dcache", REP_TEXT, .about = "its data cache" },
    { "ways", REP_COUNT, .about = "ways of the data cache" },
    { "shared_tlb", REP_WORD, .about = "has it one", .words = yes_no },
    { "zicntr", REP_WORD, .about = "can user mode read cycle and instret", .words = yes_no },
    { "zihpm", REP_WORD, .about = "can it read event counters", .words = yes_no },
    { "debug", REP_WORD, .about = "has it debug mode", .words = yes_no },
    { "compressed", REP_WORD, .about = "has it compressed instructions", .words = yes_no },
    { "fpu", REP_WORD, .about = "has it an FPU", .words = yes_no },
    { "mmu", REP_WORD, .about = "has it an MMU", .words = yes_no },
    { "aliases", REP_TEXT, .about = "other names" },
    { "notes", REP_TEXT, .about = "what else is to know" },
    { .name = NULL },
};
LIST(cores, "Configurations of CVA6.")

static const char *const events_topic[] = { "memory", "instructions", "microarch", NULL };
static const char *const events_unit[] = { "clock", "retirement", "occurrence", NULL };
static const struct rep_field events_rows[] = {
    { "id", REP_COUNT, .about = "its selector", .least = 1, .most = 31 },
    { "name", REP_TEXT, .about = "its name" },
    { "manual", REP_TEXT, .about = "what the manual of the core calls it" },
    { "topic", REP_WORD, .about = "what it is about", .words = events_topic },
    { "unit", REP_WORD, .about = "what is counted", .words = events_unit },
    { "about", REP_TEXT, .about = "when it counts" },
    { "never", REP_TEXT, .about = "why it never counts on this core; empty: it does" },
    { "line", REP_TEXT, .about = "the wire of the RTL" },
    { .name = NULL },
};
LIST(events, "Events of CVA6.")

static const struct rep_field quirks_rows[] = {
    { "quirk", REP_TEXT, .about = "its name" },
    { "spec", REP_WORD, .about = "in profile spec", .words = on_off },
    { "rtl", REP_WORD, .about = "in profile rtl", .words = on_off },
    { "clause", REP_TEXT, .about = "its clause" },
    { "about", REP_TEXT, .about = "the behaviour if it is on" },
    { .name = NULL },
};
LIST(quirks, "Where the RTL of CVA6 and the documents differ.")
