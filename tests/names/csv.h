/* SPDX-License-Identifier: MIT */
/* Rows of a CSV file of the measured data, with quoted fields. */
#ifndef PC_TEST_NAMES_CSV_H
#define PC_TEST_NAMES_CSV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CSV_FIELDS = 20 };

/* Reads one line and cuts it up in place; the number of its fields, 0 at the end. */
size_t csv_row(FILE *file, char *line, size_t size, char *field[CSV_FIELDS]);

#endif
