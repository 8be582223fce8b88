/* SPDX-License-Identifier: MIT */
#include "pcounter/pcounter.h"

const char *pc_version(void)
{
    return PC_VERSION;
}
