/* SPDX-License-Identifier: MIT */
/*
 * The registers of NV10:GF100 in the rules-ng XML that envytools reads: two arrays PCOUNTER of
 * the domain NV_MMIO, one a layout.  Ranges of variants are over envytools' list of chips, which
 * is the feature order of ours (D-10).  What envytools has of these registers is called as it
 * calls it; documentation, effects and access are what this adds.
 *
 * Status words of the nv10 layout overlap CTRL and QUAD_ACK_TRIGGER (D-04); the format has
 * no array with a hole, and its readers take what comes first, so they come last.
 */
#include "emit.h"
#include "emit_registers.h"
#include "emit_rnndb_names.h"

#include <string.h>

static void put_text(FILE *file, const char *text)
{
    for (; *text; text++)
        if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else if (*text == '&')
            fputs("&amp;", file);
        else
            fputc(*text, file);
}

static void put_doc(FILE *file, const char *text)
{
    fputs("<doc>", file);
    put_text(file, text);
    fputs("</doc>", file);
}

/* "NV1F"; "NV30:NV40" up to the next chip that is out of it; "G84-" if there is none. */
static void put_range(FILE *file, const char *blank, const struct pc_chip *from, bool one,
                      const struct pc_chip *next)
{
    if (one)
        fprintf(file, "%s%s", blank, from->name);
    else if (next)
        fprintf(file, "%s%s:%s", blank, from->name, next->name);
    else
        fprintf(file, "%s%s-", blank, from->name);
}

/* The chips of the map that have something; those of other layouts are said around it. */
static void put_ranges(FILE *file, const struct emit_map *map, emit_chips chips)
{
    const char *blank = "";

    for (size_t i = 0; i < map->chips; i++) {
        size_t end = i;
        while (end < map->chips && (chips >> end & 1))
            end++;
        if (end == i)
            continue;
        put_range(file, blank, map->chip[i], end == i + 1,
                  end < map->chips ? map->chip[end] : NULL);
        blank = " ";
        i = end;
    }
}

static emit_chips all_of(const struct emit_map *map)
{
    return UINT64_MAX >> (EMIT_CHIPS - map->chips);
}

/* Nothing if whatever is around is on the same chips. */
static void put_variants(FILE *file, const struct emit_map *map, emit_chips chips,
                         emit_chips around)
{
    if (chips == around)
        return;
    fputs(" variants=\"", file);
    put_ranges(file, map, chips);
    fputc('"', file);
}

/* All chips of the layout: "NV40:C51 MCP61:GF100", for C51 between them has no unit. */
static void put_layout(FILE *file, enum pc_layout layout)
{
    const char *blank = "";

    for (size_t i = 0; i < pc_chip_count(); i++) {
        size_t end = i;
        while (end < pc_chip_count() && pc_chip_at(end)->layout == layout)
            end++;
        if (end == i)
            continue;
        put_range(file, blank, pc_chip_at(i), end == i + 1, pc_chip_at(end));
        blank = " ";
        i = end;
    }
}

/* ---- fields ---- */

static void put_value(FILE *file, const struct emit_map *map, const struct emit_field *f,
                      const struct emit_rnndb_field *theirs, unsigned list, size_t value)
{
    const struct emit_values *v = &f->values[list];
    const char *name = v->names[value];
    emit_chips chips = v->chips;

    for (unsigned i = 0; i < f->lists; i++) {
        const struct emit_values *other = &f->values[i];
        if (i == list || value >= other->count || strcmp(other->names[value], name) != 0)
            continue;
        if (i < list)
            return; /* said with that list */
        chips |= other->chips;
    }
    if (name[0] == '\0')
        return;
    if (theirs && value < theirs->values)
        name = theirs->value[value];
    fprintf(file, "\t\t\t<value value=\"%zu\" name=\"%s\"", value, name);
    put_variants(file, map, chips, f->chips);
    const char *note = v->notes ? v->notes[value] : "";
    if (note[0] == '\0') {
        fputs("/>\n", file);
        return;
    }
    fputc('>', file);
    put_doc(file, note);
    fputs("</value>\n", file);
}

static void put_field(FILE *file, const struct emit_map *map, const struct emit_register *r,
                      const struct emit_field *f)
{
    const struct emit_rnndb_field *theirs = emit_rnndb_field(r->name, f->info.name);
    const unsigned values = theirs && f->lists == 0 ? theirs->values : 0; /* theirs alone */
    const char *note = f->info.note;

    fprintf(file, "\t\t<bitfield low=\"%u\" high=\"%u\" name=\"%s\"", f->info.shift,
            f->info.shift + f->info.bits - 1, theirs ? theirs->name : f->info.name);
    if (theirs && theirs->shift_right)
        fprintf(file, " shr=\"%u\"", theirs->shift_right);
    put_variants(file, map, f->chips, r->chips);
    if (f->lists == 0 && values == 0 && !note) {
        fputs("/>\n", file);
        return;
    }
    fputs(">\n", file);
    if (note) {
        fputs("\t\t\t", file);
        put_doc(file, note);
        fputc('\n', file);
    }
    for (unsigned list = 0; list < f->lists; list++)
        for (size_t value = 0; value < f->values[list].count; value++)
            put_value(file, map, f, theirs, list, value);
    for (unsigned value = 0; value < values; value++)
        fprintf(file, "\t\t\t<value value=\"%u\" name=\"%s\"/>\n", value, theirs->value[value]);
    fputs("\t\t</bitfield>\n", file);
}

/* A register of one field that fills it needs no fields. */
static bool is_plain(const struct emit_register *r)
{
    return r->fields == 1 && r->field[0].info.bits == 32;
}

/* ---- registers ---- */

static void put_effects(FILE *file, const struct emit_map *map, const struct emit_register *r)
{
    for (unsigned i = 0; i < r->effects; i++) {
        fputs("\t\t<doc>on a write", file);
        if (r->effect[i].chips != r->chips) {
            fputs(" (", file);
            put_ranges(file, map, r->effect[i].chips);
            fputc(')', file);
        }
        fputs(": ", file);
        put_text(file, r->effect[i].text);
        fputs("</doc>\n", file);
    }
}

/* Unnamed stripes around a register, for all its indices but the last; returns how many. */
static unsigned open_stripes(FILE *file, const struct emit_map *map, const struct emit_register *r,
                             unsigned last, uint32_t offset)
{
    unsigned stripes = 0;

    for (unsigned i = 0; i < last; i++) {
        const struct emit_dimension *d = &r->dimension[i];
        if (d->length == 1 || i == EMIT_HIGH)
            continue;
        fprintf(file, "\t<stripe offset=\"0x%x\" stride=\"0x%x\" length=\"%u\"",
                (unsigned)(stripes ? 0 : offset), (unsigned)d->stride, d->length);
        if (stripes++ == 0)
            put_variants(file, map, r->chips, all_of(map));
        fputs(">\n", file);
    }
    return stripes;
}

/* Writes one of the registers in two runs of words. */
static void put_register(FILE *file, const struct emit_map *map, const struct emit_register *r,
                         unsigned run)
{
    const bool in_runs = r->dimension[EMIT_HIGH].length > 1;
    uint32_t offset = r->address % 0x1000 + run * r->dimension[EMIT_HIGH].stride;
    unsigned last = 0;

    for (unsigned i = 0; i < EMIT_DIMENSIONS; i++)
        if (r->dimension[i].length > 1)
            last = i;
    unsigned stripes = open_stripes(file, map, r, last, offset);
    fprintf(file, "\t<reg32 offset=\"0x%x\" name=\"%s\"", (unsigned)(stripes ? 0 : offset),
            emit_rnndb_register(r->name, in_runs, run));
    if (r->dimension[last].length > 1)
        fprintf(file, " length=\"%u\" stride=\"0x%x\"", r->dimension[last].length,
                (unsigned)r->dimension[last].stride);
    if (!r->readable || !r->writable)
        fprintf(file, " access=\"%s\"", r->readable ? "r" : "w");
    if (stripes == 0)
        put_variants(file, map, r->chips, all_of(map));
    const char *note = is_plain(r) ? r->field[0].info.note : NULL;
    if (r->effects == 0 && is_plain(r) && !note) {
        fputs("/>\n", file);
    } else {
        fputs(">\n", file);
        put_effects(file, map, r);
        if (note) {
            fputs("\t\t", file);
            put_doc(file, note);
            fputc('\n', file);
        }
        for (unsigned i = 0; i < r->fields && !is_plain(r); i++)
            put_field(file, map, r, &r->field[i]);
        fputs("\t</reg32>\n", file);
    }
    while (stripes-- > 0)
        fputs("\t</stripe>\n", file);
}

static int put_array(FILE *file, enum pc_layout layout)
{
    struct emit_map map;
    int code = emit_map_layout(&map, layout);

    if (code == CLI_OK) {
        fputs(
            "<array name=\"PCOUNTER\" offset=\"0xa000\" stride=\"0x1000\" length=\"1\" variants=\"",
            file);
        put_layout(file, layout);
        fputs("\">\n", file);
        for (size_t i = 0; i < map.regs; i++)
            if (map.reg[i].dimension[EMIT_HIGH].length == 1)
                put_register(file, &map, &map.reg[i], 0);
        for (size_t i = 0; i < map.regs; i++) /* these overlap others */
            for (unsigned run = 0; run < map.reg[i].dimension[EMIT_HIGH].length; run++)
                if (map.reg[i].dimension[EMIT_HIGH].length > 1)
                    put_register(file, &map, &map.reg[i], run);
        fputs("</array>\n", file);
    }
    emit_map_free(&map);
    return code;
}

int emit_rnndb(const struct emit_request *r, FILE *file)
{
    enum pc_layout layout = r->chip ? r->chip->layout : PC_LAYOUT_NONE;
    int code = CLI_OK;

    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<!-- registers of PCOUNTER, written by pcounter %s -->\n"
            "<database xmlns=\"http://nouveau.freedesktop.org/\"\n"
            "          xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
            "          xsi:schemaLocation=\"http://nouveau.freedesktop.org/ rules-ng.xsd\">\n"
            "<import file=\"nvchipsets.xml\"/>\n"
            "<domain name=\"NV_MMIO\" bare=\"yes\" prefix=\"chipset\">\n",
            pc_version());
    if (!r->chip || layout == PC_LAYOUT_NV10)
        code = put_array(file, PC_LAYOUT_NV10);
    if (code == CLI_OK && (!r->chip || layout == PC_LAYOUT_NV40))
        code = put_array(file, PC_LAYOUT_NV40);
    fputs("</domain>\n</database>\n", file);
    return code;
}
