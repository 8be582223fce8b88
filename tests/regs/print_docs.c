/* SPDX-License-Identifier: MIT */
/*
 * Prints docs/generated/ from the rows that the library is built of:
 *   print_docs variants    which generation has which feature
 *   print_docs registers   the registers of each layout, field by field
 */
#include "model/regs/rows.h"

#include <stdio.h>
#include <string.h>

enum { MAX_RANGES = 16 };
enum {
#include "chip_order.inc"
};

struct feature {
    uint32_t bit;
    const char *name;
};

static const struct feature features[] = {
    { PC_F_OWN_FLAG_SRC, "SETFLAG_SRC and CLRFLAG_SRC of their own" },
    { PC_F_CTR40, "40-bit CTR_CYCLES, CTR_EVENT, CTR_START; else 32 bits, saturating" },
    { PC_F_PERIOD_ALL, "EVENT_CTR_PERIOD can be ALL" },
    { PC_F_DOM_FLAGS, "FLAG of all domains as signals" },
    { PC_F_QUAD, "quad event mode" },
    { PC_F_SETFLAG_ARG, "SETFLAG as argument 3 of EVENT and STOP" },
    { PC_F_WIDE_MODES, "counter modes EVENT_B6, EXTRA_B4, EXTRA_B6_EVENT_B2" },
    { PC_F_DOM_EVENTS, "EVENT of all domains as signals" },
    { PC_F_PULSE_IMPORT, "PULSE synchronisation of imported signals" },
    { PC_F_RECORD, "record mode" },
    { PC_F_SWAP_SRC, "SWAP input selectable" },
    { PC_F_PREOP_SWAP, "a write of PRE_OP swaps in quad mode" },
    { PC_F_PERIODIC, "PERIODIC signal" },
    { PC_F_ARG23_DELAY, "arguments 2 and 3 replaceable by SRC 0 and 1 one cycle late" },
    { PC_F_RECORD_HIGH, "RECORD_ADDRESS_HIGH" },
    { PC_F_USER, "USER signals" },
    { PC_F_CTRL30, "CTRL bit 30 is stored" },
    { PC_F_GF100, "sets of domains, with registers of their own" },
};

static const char head[] = "<!-- Printed by tests/regs/print_docs.c; "
                           "`tests/regs/docs_fresh.sh --accept PROGRAM` renews it. -->\n";

/* ---- variants ---- */

/* The first chip of each range, in feature order. */
static size_t find_ranges(const struct pc_chip *first[MAX_RANGES])
{
    size_t count = 0;

    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        size_t r = 0;
        while (r < count && strcmp(first[r]->range, chip->range) != 0)
            r++;
        if (r == count && chip->layout != PC_LAYOUT_NONE && count < MAX_RANGES)
            first[count++] = chip;
    }
    return count;
}

static const char *layout_name(enum pc_layout layout)
{
    static const char *const names[] = { "none", "nv10", "nv40", "gf100" };

    return names[layout];
}

/* Domains of a whole chip; 0: not known. */
static unsigned domains_of(const struct pc_chip *chip)
{
    struct pc_chip_domain d;
    unsigned count = 0;

    while (pc_chip_get_domain(chip, count, &d))
        count++;
    return count;
}

static void print_chips_of(const struct pc_chip *first)
{
    unsigned least = PC_GPU_DOMAINS, most = 0;
    const char *joint = "";

    printf("| %s | ", first->range);
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        unsigned domains = domains_of(chip);
        if (strcmp(chip->range, first->range) != 0)
            continue;
        printf("%s%s", joint, chip->name);
        joint = " ";
        least = domains > 0 && domains < least ? domains : least;
        most = domains > most ? domains : most;
    }
    printf(" | %s | %u", layout_name(first->layout), least);
    if (least != most)
        printf(" to %u", most);
    printf(" | %d |\n", first->features & PC_F_CTR40 ? 40 : 32);
}

/* GF100+: how many of each kind of unit, and domains of each. */
static void print_sets(void)
{
    const struct pc_set_info *set;

    printf("\n| chip | hub | GPCs x domains | partitions x domains |\n|---|---|---|---|\n");
    for (size_t i = 0; i < pc_chip_count(); i++) {
        const struct pc_chip *chip = pc_chip_at(i);
        if (chip->layout != PC_LAYOUT_GF100)
            continue;
        printf("| %s |", chip->name);
        for (size_t s = 0; (set = pc_chip_set(chip, s)) != NULL; s++) {
            if (set->set == PC_SET_HUB)
                printf(" %u |", set->domains);
            else
                printf(" %u x %u |", set->units, set->domains);
        }
        printf(pc_chip_set(chip, 0) ? "\n" : " not known | not known | not known |\n");
    }
}

static int print_variants(void)
{
    const struct pc_chip *first[MAX_RANGES];
    size_t ranges = find_ranges(first);
    uint32_t known = 0;

    printf("%s\n# Variants of PCOUNTER\n\n", head);
    printf("A range is half-open in the order of `pcounter list chips`. \"-\": the hardware lacks "
           "the\n"
           "feature, or has it in another form.\n\n"
           "| feature |");
    for (size_t r = 0; r < ranges; r++)
        printf(" %s |", first[r]->range);
    printf("\n|---|");
    for (size_t r = 0; r < ranges; r++)
        printf("---|");
    for (size_t f = 0; f < sizeof features / sizeof features[0]; f++) {
        printf("\n| %s |", features[f].name);
        for (size_t r = 0; r < ranges; r++)
            printf(" %s |", first[r]->features & features[f].bit ? "yes" : "-");
        known |= features[f].bit;
    }
    printf("\n\n| range | chips | layout | domains | counter bits |\n|---|---|---|---|---|\n");
    for (size_t r = 0; r < ranges; r++)
        print_chips_of(first[r]);
    print_sets();
    printf("\nWithout a PCOUNTER:");
    for (size_t i = 0; i < pc_chip_count(); i++) {
        if (pc_chip_at(i)->layout == PC_LAYOUT_NONE)
            printf(" %s", pc_chip_at(i)->name);
        if (pc_chip_at(i)->features & ~known) {
            fprintf(stderr, "print_docs: %s has a feature without a line\n", pc_chip_at(i)->name);
            return 1;
        }
    }
    printf(".\n");
    return 0;
}

/* ---- registers ---- */

static const char *chip_of_order(unsigned order)
{
    for (size_t i = 0; i < pc_chip_count(); i++)
        if (pc_chip_at(i)->order == order)
            return pc_chip_at(i)->name;
    return "?";
}

static const char *effect_name(enum pc_effect effect, enum pc_layout layout)
{
    switch (effect) {
    case PC_FX_NONE:
        return "";
    case PC_FX_ABORTS:
    case PC_FX_CTR_ABORTS:
        return "stops single mode";
    case PC_FX_PRE_OP:
        return layout == PC_LAYOUT_NV10 ? "starts single mode"
                                        : "starts single mode; swaps in quad mode from G84 on";
    case PC_FX_ACK:
        return "takes counters as read";
    case PC_FX_USER:
        return "sets the USER signals";
    case PC_FX_RECORD_START:
        return "opens the record buffer";
    case PC_FX_RECORD_CHAN:
        return "binds the channel";
    case PC_FX_CTRL:
        return "stops single mode; strobes in it";
    case PC_FX_SINGLE_ABORT:
        return "stops single mode";
    case PC_FX_SINGLE_BEGIN:
        return "starts single mode";
    case PC_FX_MAIN:
        return "acts on the ring of stream-out";
    }
    return "";
}

/* Distance of the places of domains 0 and 1. */
static uint32_t stride_of(enum pc_layout layout, const struct pc_at_row *at)
{
    for (uint32_t offset = at->offset + 4u; offset < PC_REGS_SIZE; offset += 4) {
        uint8_t domain;
        if (pc_regs_row(layout, PC_REGS_BASE + offset, &domain) == at && domain == 1)
            return offset - at->offset;
    }
    return 0;
}

static void print_place(enum pc_layout layout, const struct pc_at_row *at)
{
    static const char *const access[] = { "", "r", "w", "rw" };
    const struct pc_reg_row *reg = &pc_reg_rows[at->reg];

    printf("| 0x%04x", PC_REGS_BASE + (unsigned)at->offset);
    if (at->domains > 1)
        printf(" + 0x%x*d", (unsigned)stride_of(layout, at));
    printf(" | %s%s", reg->name, reg->indices == PC_INDEX_GLOBAL ? "" : "[d]");
    if (reg->indices == PC_INDEX_WORDS)
        printf("[%u]", at->word);
    if (reg->indices != PC_INDEX_GLOBAL)
        printf(at->domains > 1 ? ", d < %u" : ", d = 0", at->domains);
    printf(" | %s | %s | %s | %s |\n", access[reg->access], at->range,
           effect_name(reg->effect, layout), reg->clause);
}

static void print_field(const struct pc_field_row *f)
{
    static const char *const access[] = { "r", "rw", "strobe", "initial value" };

    printf("| %u", f->shift + f->bits - 1u);
    if (f->bits > 1)
        printf(":%u", f->shift);
    bool open = f->to == PC_ORDER_END;
    printf(" | %s | %s | %s%s%s | ", f->name, access[f->access], chip_of_order(f->from),
           open ? "-" : ":", open ? "" : chip_of_order(f->to));
    const char *joint = "";
    for (unsigned v = 0; v < f->values->count; v++) {
        if (!f->values->names[v][0])
            continue;
        printf("%s%u %s", joint, v, f->values->names[v]);
        joint = ", ";
    }
    if (f->values->before)
        printf(" (fewer before %s)", chip_of_order(f->values->since));
    printf("%s%s | %s |\n", f->values->count && f->note ? "; " : "", f->note ? f->note : "",
           f->clause);
}

static void print_layout(enum pc_layout layout, const char *name)
{
    size_t count;
    const struct pc_at_row *rows = pc_regs_rows(layout, &count);

    printf("\n## Layout %s\n\n| address | register | access | chips | on write | clause |\n"
           "|---|---|---|---|---|---|\n",
           name);
    for (size_t i = 0; i < count; i++)
        print_place(layout, &rows[i]);
}

/* GF100+: a block, by offset. */
static void print_block(enum pc_block block, const char *title)
{
    static const char *const access[] = { "", "r", "w", "rw" };
    const struct pc_place *place = pc_regs_places(block);

    printf("\n### %s\n\n| offset | register | access | chips | on write | clause |\n"
           "|---|---|---|---|---|---|\n",
           title);
    for (unsigned w = 0; w < PC_BLOCK_BYTES / 4; w++) {
        const struct pc_reg_row *reg = &pc_reg_rows[place[w].reg];
        bool indexed = reg->indices == PC_INDEX_WORDS || reg->indices == PC_INDEX_LIST;
        bool config = reg->effect == PC_FX_ABORTS || reg->effect == PC_FX_CTRL; /* D-62 */
        if (place[w].from == 0)
            continue;
        printf("| 0x%03x | %s", w * 4, reg->name);
        if (indexed)
            printf("[%u]", place[w].word);
        printf(" | %s | %s | %s | %s |\n", access[reg->access], pc_regs_place_range(&place[w]),
               effect_name(config ? PC_FX_NONE : reg->effect, PC_LAYOUT_GF100), reg->clause);
    }
}

static void print_gf100(void)
{
    static const struct {
        enum pc_block block;
        enum pc_set set;
        const char *stride, *what, *name;
    } rows[] = {
        { PC_BLOCK_DOMAIN, PC_SET_GPC, " + 0x1000*g + 0x200*d", "domain of a GPC", "gpcG.D.CTRL" },
        { PC_BLOCK_DOMAIN, PC_SET_PART, " + 0x1000*p + 0x200*d", "domain of a partition",
          "partP.D.CTRL" },
        { PC_BLOCK_DOMAIN, PC_SET_HUB, " + 0x200*d", "domain of the hub", "hubD.CTRL" },
        { PC_BLOCK_MAIN, PC_SET_ALL, "", "MAIN", "MAIN_CONTROL" },
        { PC_BLOCK_SET, PC_SET_GPC, " + 0x200*g", "set of a GPC", "gpcG.DSET_CTRL" },
        { PC_BLOCK_SET, PC_SET_PART, " + 0x200*p", "set of a partition", "partP.DSET_CTRL" },
        { PC_BLOCK_SET, PC_SET_HUB, "", "set of the hub", "hub.DSET_CTRL" },
    };

    printf("\n## Layout gf100, GF100-\n\n"
           "`g` is a GPC, `p` a memory partition, `d` a domain of the unit; `pcounter list chips` "
           "says how\nmany a chip has. Blocks of others do not exist (D-51).\n\n"
           "| address | block | a register of it |\n|---|---|---|\n");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        printf("| 0x%06x%s | %s | %s |\n",
               (unsigned)pc_regs_block_address(rows[i].block, rows[i].set, 0, 0), rows[i].stride,
               rows[i].what, rows[i].name);
    print_block(PC_BLOCK_DOMAIN, "A domain");
    print_block(PC_BLOCK_SET, "A domain set");
    print_block(PC_BLOCK_MAIN, "MAIN");
}

static bool layout_has(enum pc_layout layout, unsigned reg)
{
    size_t count;
    const struct pc_at_row *rows = pc_regs_rows(layout, &count);

    for (size_t i = 0; i < count; i++)
        if (rows[i].reg == reg)
            return true;
    for (unsigned b = 0; layout == PC_LAYOUT_GF100 && b < PC_BLOCKS; b++) {
        const struct pc_place *place = pc_regs_places((enum pc_block)b);
        for (unsigned w = 0; w < PC_BLOCK_BYTES / 4; w++)
            if (place[w].from != 0 && place[w].reg == reg)
                return true;
    }
    return false;
}

/* A register's heading; where layouts have different ones of the same name, with the layouts. */
static void print_heading(unsigned id)
{
    const char *joint = " (";
    bool several = false;

    for (unsigned other = 0; other < PC_R_COUNT; other++)
        several |= other != id && strcmp(pc_reg_rows[other].name, pc_reg_rows[id].name) == 0;
    printf("\n### %s", pc_reg_rows[id].name);
    for (unsigned l = PC_LAYOUT_NV10; several && l <= PC_LAYOUT_GF100; l++) {
        if (!layout_has((enum pc_layout)l, id))
            continue;
        printf("%s%s", joint, layout_name((enum pc_layout)l));
        joint = ", ";
    }
    printf("%s\n\n", several ? ")" : "");
}

static int print_registers(void)
{
    printf("%s\n# Registers of PCOUNTER\n\n", head);
    printf("`d` is the domain. Places of domains that a chip of NV10:GF100 lacks read 0 and drop\n"
           "writes (D-60).\n"
           "Bits that no field names read 0. A clause names the place of the document;\n"
           "src/model/regs/pcounter.def says how.\n");
    print_layout(PC_LAYOUT_NV10, "nv10, NV10:NV40");
    print_layout(PC_LAYOUT_NV40, "nv40, NV40:GF100");
    print_gf100();
    printf("\n## Fields\n");
    for (unsigned id = 0; id < PC_R_COUNT; id++) {
        const struct pc_reg_row *reg = &pc_reg_rows[id];
        print_heading(id);
        printf("| bits | field | access | chips | values | clause |\n|---|---|---|---|---|---|\n");
        for (unsigned f = reg->first; f < reg[1].first; f++)
            print_field(&pc_field_rows[f]);
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "variants") == 0)
        return print_variants();
    if (argc == 2 && strcmp(argv[1], "registers") == 0)
        return print_registers();
    fputs("usage: print_docs variants|registers\n", stderr);
    return 2;
}
