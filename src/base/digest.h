/* SPDX-License-Identifier: MIT */
/* FNV-1a: to find what is equal, or has changed; nothing that an enemy could not forge. */
#ifndef PC_BASE_DIGEST_H
#define PC_BASE_DIGEST_H

#include <stddef.h>
#include <stdint.h>

#define PC_DIGEST UINT64_C(0xcbf29ce484222325) /* of nothing */

/* Returns the digest continued with these bytes. */
static inline uint64_t pc_digest(uint64_t sum, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
    return sum;
}

#endif
