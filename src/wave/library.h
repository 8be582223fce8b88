/* SPDX-License-Identifier: MIT */
/* Shared libraries that are loaded with the first file that needs them (docs/adr/027). */
#ifndef PC_WAVE_LIBRARY_H
#define PC_WAVE_LIBRARY_H

#include "base/error.h"

/* It stays for the next file: to load it takes longer than to read a small one.  `code`: of the
 * error if it does not load. */
enum pc_status wv_library_load(const char *soname, unsigned code, void **out, struct pc_error *err);
/* After the last use of what it made. */
void wv_library_unload(void *library);
/* Puts the function of that name into the pointer to one at *function; *missing: the name, if there
 * is none. */
void wv_library_find(void *library, const char *name, void *function, const char **missing);

#endif
