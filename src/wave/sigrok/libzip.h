/* SPDX-License-Identifier: MIT */
/*
 * libzip, loaded when the first session is opened: with what it brings along it would be more
 * than half of every start of every program that links this library (docs/adr/027).
 */
#ifndef PC_WAVE_SIGROK_LIBZIP_H
#define PC_WAVE_SIGROK_LIBZIP_H

#include <zip.h>

#include "pcounter/pcounter.h"

/* The functions that are used of it: names without "zip_", as <zip.h> declares them. */
/* clang-format off: one a line */
#define SR_LIBZIP_FUNCTIONS(F)                                                                     \
    F(discard)                                                                                     \
    F(error_code_system)                                                                           \
    F(error_code_zip)                                                                              \
    F(error_fini)                                                                                  \
    F(error_init)                                                                                  \
    F(error_set)                                                                                   \
    F(error_strerror)                                                                              \
    F(error_to_data)                                                                               \
    F(fclose)                                                                                      \
    F(file_get_error)                                                                              \
    F(fopen_index)                                                                                 \
    F(fread)                                                                                       \
    F(get_error)                                                                                   \
    F(get_name)                                                                                    \
    F(get_num_entries)                                                                             \
    F(name_locate)                                                                                 \
    F(open_from_source)                                                                            \
    F(source_buffer_create)                                                                        \
    F(source_free)                                                                                 \
    F(source_function_create)                                                                      \
    F(source_make_command_bitmap)                                                                  \
    F(source_seek_compute_offset)                                                                  \
    F(stat_index)                                                                                  \
    F(stat_init)
/* clang-format on */

struct sr_libzip {
    void *library; /* NULL: not loaded */
#define SR_FUNCTION(name) __typeof__(zip_##name) *name;
    SR_LIBZIP_FUNCTIONS(SR_FUNCTION)
#undef SR_FUNCTION
};

/* Loads the library of the ABI that this was built against, no other. */
enum pc_status sr_libzip_load(struct sr_libzip *z, struct pc_error *err);
/* Not before the last use of what it made. */
void sr_libzip_unload(struct sr_libzip *z);

#endif
