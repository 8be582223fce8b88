/* SPDX-License-Identifier: MIT */
/* Which rule is broken, in a build of -DPC_MUTANT=env alone; see rules/mutant.h. */
#include "rules/mutant.h"

#include <stdlib.h>

static int number;

/* Once, before main(): rules ask each cycle. */
__attribute__((constructor)) static void choose(void)
{
    const char *text = getenv("PC_MUTANT");
    number = text ? atoi(text) : 0;
}

int pc_mutant(void)
{
    return number;
}
