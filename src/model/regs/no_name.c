/* SPDX-License-Identifier: MIT */
/* Makes the error for a name that no register of the chip has: who has it, or what is near. */
#include "base/error.h"
#include "base/near.h"
#include "base/text.h"
#include "model/regs/rows.h"

static bool layout_has(enum pc_layout layout, const char *word)
{
    size_t count;
    const struct pc_at_row *at = pc_regs_rows(layout, &count);

    for (size_t i = 0; i < count; i++)
        if (pc_same_text(pc_reg_rows[at[i].reg].name, word))
            return true;
    for (unsigned b = 0; layout == PC_LAYOUT_GF100 && b < PC_BLOCKS; b++)
        for (unsigned w = 0; w < PC_BLOCK_BYTES / 4; w++) {
            const struct pc_place *place = &pc_regs_places((enum pc_block)b)[w];
            if (place->from && pc_same_text(pc_reg_rows[place->reg].name, word))
                return true;
        }
    return false;
}

bool pc_regs_of_another_layout(const struct pc_chip *chip, const char *word, struct pc_error *err)
{
    static const char *const names[] = { [PC_LAYOUT_NONE] = "",
                                         [PC_LAYOUT_NV10] = "nv10",
                                         [PC_LAYOUT_NV40] = "nv40",
                                         [PC_LAYOUT_GF100] = "gf100" };

    for (unsigned layout = PC_LAYOUT_NV10; layout <= PC_LAYOUT_GF100; layout++) {
        if (layout == chip->layout || !layout_has((enum pc_layout)layout, word))
            continue;
        pc_fail(err, 203, "%s has no register %s", chip->name, word);
        pc_hint(err, "it belongs to the %s layout, %s has the %s one", names[layout], chip->name,
                names[chip->layout]);
        return true;
    }
    return false;
}

void pc_regs_no_name(const struct pc_chip *chip, const char *word, const struct pc_near *near,
                     struct pc_error *err)
{
    char names[200];

    pc_fail(err, 203, "unknown register \"%s\"", word);
    pc_near_text(near, names, sizeof names);
    if (names[0])
        pc_hint(err, "did you mean %s?", names);
    else
        pc_hint(err, "`pcounter list registers -a %s` shows all", chip->name);
}
