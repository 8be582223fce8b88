/* SPDX-License-Identifier: MIT */
/* Candidates that kinds of options and arguments name: lists of the library, files, fields. */
#include "text/card_regs.h"
#include "pcounter/unstable/metric.h"
#include "complete.h"
#include "text/regs_text.h"

#include <stdlib.h>
#include <string.h>

/* --- lists of the library --- */

static const struct pc_chip *chip_of(const struct complete *c)
{
    const char *name = complete_given(c, "chip");

    return name ? pc_chip_find(name) : NULL;
}

void complete_chips(struct complete *c)
{
    c->fold = true;
    for (size_t i = 0; i < pc_chip_count(); i++)
        complete_offer(c, pc_chip_at(i)->name, pc_chip_at(i)->family);
}

void complete_cores(struct complete *c)
{
    c->fold = true;
    for (size_t i = 0; pc_hpm_config_at(i); i++)
        complete_offer(c, pc_hpm_config_at(i)->name, NULL);
}

void complete_profiles(struct complete *c)
{
    for (size_t i = 0; pc_hpm_profile_at(i); i++)
        complete_offer(c, pc_hpm_profile_at(i)->name, pc_hpm_profile_at(i)->about);
}

/* NAME=WORD of each word; the words stand like "on|off" and may be a range, which is no words. */
static void settings(struct complete *c, const char *name, const char *words, const char *about)
{
    char text[200];

    if (strstr(words, "..")) {
        snprintf(text, sizeof text, "%s=", name);
        complete_offer(c, text, about);
        return;
    }
    for (const char *word = words; *word; word += strspn(word, "|")) {
        const size_t n = strcspn(word, "|");
        snprintf(text, sizeof text, "%s=%.*s", name, (int)n, word);
        complete_offer(c, text, about);
        word += n;
    }
}

void complete_quirks(struct complete *c)
{
    for (size_t i = 0; pc_hpm_quirk_at(i); i++)
        settings(c, pc_hpm_quirk_at(i)->name, "on|off", pc_hpm_quirk_at(i)->about);
}

void complete_model_options(struct complete *c)
{
    for (size_t i = 0; pc_option_at(i); i++)
        settings(c, pc_option_at(i)->name, pc_option_at(i)->values, pc_option_at(i)->about);
}

void complete_domains(struct complete *c)
{
    const struct pc_chip *chip = chip_of(c);
    struct pc_chip_domain place;

    for (unsigned i = 0; chip && pc_chip_get_domain(chip, i, &place); i++)
        complete_offer(c, place.name, NULL);
}

void complete_swaps(struct complete *c)
{
    complete_offer(c, "keep", "what it is");
    complete_chip_names(c);
}

void complete_sources(struct complete *c)
{
    const struct pc_chip *chip = chip_of(c);
    struct pc_source source;
    char text[200];

    for (size_t i = 0; pc_source_at(i, &source); i++) {
        if (!chip || !pc_names_chip_listed(source.chips, chip->name))
            continue;
        snprintf(text, sizeof text, "%s=", source.group);
        complete_offer(c, text, source.name);
    }
}

void complete_registers(struct complete *c)
{
    const struct pc_chip *chip = chip_of(c);
    struct cli_reg_walk walk = { 0 };
    struct pc_reg_info reg;

    c->fold = true;
    while (chip && cli_reg_next(chip, &walk, &reg))
        complete_offer(c, cli_reg_name(&reg).text, reg.clause);
}

/* After the last comma. */
void complete_last_of_list(struct complete *c)
{
    const char *comma = strrchr(c->word + c->from, ',');

    if (comma)
        c->from = (size_t)(comma + 1 - c->word);
}

void complete_metrics(struct complete *c)
{
    const struct pc_chip *chip = chip_of(c);
    struct pc_metrics *set;
    struct pc_metric m;

    complete_last_of_list(c);
    if (!chip || pc_metrics_load_known(NULL, chip->name, &set, NULL) != PC_OK)
        return;
    for (size_t i = 0; pc_metrics_at(set, i, &m); i++)
        complete_offer(c, m.name, m.formula);
    pc_metrics_close(set);
}

/* --- expressions --- */

/* ENGINE=EXPRESSION, DOMAIN=VECTOR: names after the equals sign. */
void complete_after_equals(struct complete *c)
{
    const char *equals = strchr(c->word + c->from, '=');

    if (!equals)
        return;
    c->from = (size_t)(equals + 1 - c->word);
    complete_wave_names(c);
}

void complete_files(struct complete *c)
{
    c->files = true;
}

/* Fields of the register that was named before. */
void complete_fields(struct complete *c)
{
    const struct pc_chip *chip = chip_of(c);
    struct pc_reg_info reg;
    char text[80];

    if (!chip || (pc_reg_find(chip, c->operand[0], &reg, NULL) != PC_OK &&
                  !cli_card_find(chip, c->operand[0], &reg)))
        return;
    c->fold = true;
    for (size_t i = 0; i < reg.field_count; i++) {
        const struct pc_field_info *f = &reg.fields[i];
        bool named = strchr(c->word, '=') && f->values;
        snprintf(text, sizeof text, "%s=", f->name);
        if (!named)
            complete_offer(c, text, f->note);
        for (size_t v = 0; named && v < f->value_count; v++) {
            if (!*f->values[v])
                continue; /* a number only */
            snprintf(text, sizeof text, "%s=%s", f->name, f->values[v]);
            complete_offer(c, text, f->value_notes ? f->value_notes[v] : NULL);
        }
    }
}

/* INPUT=EXPRESSION */
void complete_inputs(struct complete *c)
{
    char text[24];

    if (strchr(c->word, '=')) {
        complete_chip_names(c);
        return;
    }
    for (int i = 0; i < PC_INPUT_COUNT; i++) {
        size_t n = 0;
        for (const char *p = pc_input_name((enum pc_input_id)i); *p && n + 2 < sizeof text; p++)
            text[n++] = (char)(*p >= 'A' && *p <= 'Z' ? *p - 'A' + 'a' : *p);
        text[n++] = '=';
        text[n] = '\0';
        complete_offer(c, text, NULL);
    }
}
