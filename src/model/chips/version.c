/* SPDX-License-Identifier: MIT */
#include "pcounter/pcounter.h"

#define TEXT_OF(number)  #number
#define TEXT(number)     TEXT_OF(number)
#define NUMBERS(a, b, c) TEXT(a) "." TEXT(b) "." TEXT(c)

const char *pc_version(void)
{
    return NUMBERS(PC_VERSION_MAJOR, PC_VERSION_MINOR, PC_VERSION_PATCH) PC_VERSION_SUFFIX;
}
