/* SPDX-License-Identifier: MIT */
/* The word of one *_OP register: the library's expression, with s0 to s3 for its sources. */
#include "text/op_text.h"

#include <string.h>

/* "EVENT_OP" to its input; PC_INPUT_COUNT: not an operation register. */
static enum pc_input_id input_of(const char *name)
{
    size_t length = strlen(name);

    for (unsigned i = 0; i < PC_INPUT_COUNT; i++) {
        size_t n = strlen(pc_input_name(i));
        if (length == n + 3 && strncmp(name, pc_input_name(i), n) == 0 &&
            strcmp(name + n, "_OP") == 0)
            return i;
    }
    return PC_INPUT_COUNT;
}

bool cli_op_text(const struct pc_chip *chip, const struct pc_reg_info *reg, uint32_t word,
                 struct cli_op_text *out)
{
    static const struct pc_decompile_names names = { { "s0", "s1", "s2", "s3" }, "setflag" };
    enum pc_input_id input = input_of(reg->name);
    bool own = chip->features & PC_F_OWN_FLAG_SRC;

    if (input == PC_INPUT_COUNT)
        return false;
    if (pc_decompile_op(chip, input, word & reg->rw_mask, &names, out->function,
                        sizeof out->function, NULL) != PC_OK)
        return false;
    if (!own && input == PC_INPUT_SETFLAG)
        snprintf(out->sources, sizeof out->sources,
                 "s0..s3 = START_SRC[2], START_SRC[3], PRE_SRC[0], PRE_SRC[1]");
    else if (!own && input == PC_INPUT_CLRFLAG)
        snprintf(out->sources, sizeof out->sources,
                 "s0..s3 = PRE_SRC[2], PRE_SRC[3], START_SRC[0], START_SRC[1]");
    else
        snprintf(out->sources, sizeof out->sources, "s0..s3 = %s_SRC[0..3]", pc_input_name(input));
    return true;
}
