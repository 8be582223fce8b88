/* SPDX-License-Identifier: MIT */
/*
 * Registers, fields and signals of a chip as macros, for drivers and tools.  An index is an
 * argument of a macro where a chip has more than one; on GF100+ the set is part of the name,
 * and what is in a register is said once for all sets.
 */
#include "emit.h"
#include "emit_registers.h"

#include <ctype.h>
#include <string.h>

enum { WORD_SIZE = 80 };

/* "dom[1].event" is DOM_1_EVENT. */
static const char *macro_word(const char *name, char out[WORD_SIZE])
{
    size_t n = 0;

    for (; *name && n + 1 < WORD_SIZE; name++)
        if (isalnum((unsigned char)*name))
            out[n++] = (char)toupper((unsigned char)*name);
        else if (n > 0 && out[n - 1] != '_')
            out[n++] = '_';
    while (n > 0 && out[n - 1] == '_')
        n--;
    out[n] = '\0';
    return out;
}

/* Comments end where they are meant to, and are UTF-8, whatever a user's table says. */
static void put_comment(FILE *file, const char *text)
{
    while (*text) {
        size_t n = cli_character(text);
        if (n == 0 || (text[0] == '*' && text[1] == '/'))
            fputc(n ? '+' : '?', file);
        else
            fwrite(text, 1, n, file);
        text += n ? n : 1;
    }
}

/* ---- registers ---- */

/* " + 0x20u * (domain)": words in two runs are found by quotient and remainder. */
static void put_offsets(FILE *file, const char *const argument[EMIT_DIMENSIONS],
                        const struct emit_dimension d[EMIT_DIMENSIONS])
{
    bool runs = d[EMIT_HIGH].length > 1;

    for (unsigned i = 0; i < EMIT_DIMENSIONS; i++)
        if (d[i].length > 1 && runs && i >= EMIT_HIGH)
            fprintf(file, " + 0x%xu * ((%s) %c %uu)", (unsigned)d[i].stride, argument[i],
                    i == EMIT_HIGH ? '/' : '%', d[EMIT_WORD].length);
        else if (d[i].length > 1)
            fprintf(file, " + 0x%xu * (%s)", (unsigned)d[i].stride, argument[i]);
}

static void put_register(FILE *file, const char *chip, const struct emit_register *r)
{
    const char *argument[EMIT_DIMENSIONS] = { r->place, "domain", "word", "word" };
    const struct emit_dimension *d = r->dimension;
    const char *joint = "(";
    char word[WORD_SIZE];

    fprintf(file, "#define %s_PCOUNTER_", chip);
    if (r->place[0])
        fprintf(file, "%s_", macro_word(r->place, word));
    fputs(r->name, file);
    for (unsigned i = 0; i < EMIT_DIMENSIONS; i++)
        if (d[i].length > 1 && i != EMIT_HIGH) {
            fprintf(file, "%s%s", joint, argument[i]);
            joint = ", ";
        }
    if (joint[0] == '(') { /* no index */
        fprintf(file, " 0x%06xu", (unsigned)r->address);
    } else {
        fprintf(file, ") (0x%06xu", (unsigned)r->address);
        put_offsets(file, argument, d);
        fputc(')', file);
    }
    fprintf(file, " /* %s%s */\n", r->readable ? "r" : "", r->writable ? "w" : "");
}

static void put_field(FILE *file, const char *chip, const char *reg, const struct emit_field *f)
{
    const struct pc_field_info *info = &f->info;
    const uint32_t mask = UINT32_MAX >> (32 - info->bits);
    char word[WORD_SIZE];

    fprintf(file, "#define   %s_PCOUNTER_%s_%s_SHIFT %u\n", chip, reg, info->name, info->shift);
    fprintf(file, "#define   %s_PCOUNTER_%s_%s_MASK 0x%08xu", chip, reg, info->name,
            (unsigned)(mask << info->shift));
    if (info->note) {
        fputs(" /* ", file);
        put_comment(file, info->note);
        fputs(" */", file);
    }
    fputc('\n', file);
    for (size_t value = 0; info->values && value < info->value_count; value++) {
        if (info->values[value][0] == '\0')
            continue;
        fprintf(file, "#define     %s_PCOUNTER_%s_%s_%s 0x%08xu", chip, reg, info->name,
                macro_word(info->values[value], word), (unsigned)value << info->shift);
        if (info->value_notes && info->value_notes[value][0]) {
            fputs(" /* ", file);
            put_comment(file, info->value_notes[value]);
            fputs(" */", file);
        }
        fputc('\n', file);
    }
}

/* GF100+: has an earlier set the same register? */
static bool is_said(const struct emit_map *map, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(map->reg[k].name, map->reg[i].name) == 0)
            return true;
    return false;
}

static void put_registers(FILE *file, const char *chip, const struct emit_map *map)
{
    fputs("\n/* Registers: addresses; fields shifted into place, r what reads, w what writes. */\n",
          file);
    for (size_t i = 0; i < map->regs; i++) {
        const struct emit_register *r = &map->reg[i];
        put_register(file, chip, r);
        if (is_said(map, i) || (r->fields == 1 && r->field[0].info.bits == 32))
            continue;
        if (r->writable)
            fprintf(file, "#define   %s_PCOUNTER_%s_KEPT 0x%08xu /* bits that stay as written */\n",
                    chip, r->name, (unsigned)r->kept);
        for (unsigned k = 0; k < r->fields; k++)
            put_field(file, chip, r->name, &r->field[k]);
    }
}

/* ---- domains and signals ---- */

static void put_sizes(FILE *file, const char *chip, const struct pc_chip *c)
{
    static const char *const name[] = {
        [PC_SET_ALL] = "", [PC_SET_HUB] = "HUB", [PC_SET_GPC] = "GPC", [PC_SET_PART] = "PART"
    };
    const struct pc_set_info *set;

    fputc('\n', file);
    if (!pc_chip_set(c, 0))
        fprintf(file, "#define %s_PCOUNTER_DOMAINS %u\n", chip, c->domains);
    for (size_t i = 0; (set = pc_chip_set(c, i)) != NULL; i++) {
        if (set->set != PC_SET_HUB)
            fprintf(file, "#define %s_PCOUNTER_%sS %u\n", chip, name[set->set], set->units);
        fprintf(file, "#define %s_PCOUNTER_%s_DOMAINS %u\n", chip, name[set->set], set->domains);
    }
}

static void put_signal(FILE *file, const char *chip, const char *domain, const struct pc_signal *s)
{
    char word[WORD_SIZE];

    fprintf(file, "#define %s_PCOUNTER_SIGNAL_%s_%s 0x%02x", chip, domain,
            macro_word(s->name, word), s->position);
    if (s->confidence == PC_CONF_SUSPECT || s->about[0]) {
        fprintf(file, " /* %s%s", s->confidence == PC_CONF_SUSPECT ? "SUSPECT" : "",
                s->confidence == PC_CONF_SUSPECT && s->about[0] ? ": " : "");
        put_comment(file, s->about);
        fputs(" */", file);
    }
    fputc('\n', file);
}

/* Writes the signals; of GPCs and partitions, which are alike, those of the first. */
static void put_signals(FILE *file, const char *chip, const struct emit_request *r)
{
    struct pc_chip_domain place;
    struct pc_signal signal;
    char word[WORD_SIZE];

    fputs("\n/* Signals of each domain: values of the four bytes of *_SRC. */\n", file);
    for (unsigned d = 0; pc_chip_get_domain(r->chip, d, &place); d++) {
        if (place.unit > 0)
            continue;
        if (place.set == PC_SET_GPC || place.set == PC_SET_PART)
            snprintf(place.name, sizeof place.name, "%s%u",
                     place.set == PC_SET_GPC ? "gpc" : "part", place.domain);
        macro_word(place.name, word);
        for (size_t i = 0; pc_names_at(r->names, d, i, &signal); i++)
            put_signal(file, chip, word, &signal);
    }
}

int emit_chip_header(const struct emit_request *r, FILE *file)
{
    struct emit_map map;
    char chip[WORD_SIZE];
    int code = emit_map_chip(&map, r->chip);

    macro_word(r->chip->name, chip);
    if (code == CLI_OK) {
        fprintf(file,
                "/* PCOUNTER of %s, written by pcounter %s. */\n"
                "#ifndef %s_PCOUNTER_H\n#define %s_PCOUNTER_H\n",
                r->chip->name, pc_version(), chip, chip);
        put_sizes(file, chip, r->chip);
        put_registers(file, chip, &map);
        put_signals(file, chip, r);
        fputs("\n#endif\n", file);
    }
    emit_map_free(&map);
    return code;
}
