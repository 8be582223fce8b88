/* SPDX-License-Identifier: MIT */
/* Rows of a CSV file: fields with commas stand in quotation marks, and none holds a line end. */
#include "csv.h"

#include <string.h>

size_t csv_row(FILE *file, char *line, size_t size, char *field[CSV_FIELDS])
{
    size_t fields = 0;
    char *from = line, *to = line;

    if (!fgets(line, (int)size, file))
        return 0;
    line[strcspn(line, "\r\n")] = '\0';
    while (fields < CSV_FIELDS) {
        bool quoted = *from == '"';
        field[fields++] = to;
        from += quoted;
        while (*from && (quoted ? *from != '"' : *from != ','))
            *to++ = *from++;
        from += quoted && *from == '"';
        bool more = *from == ',';
        from += more;
        *to++ = '\0';
        if (!more)
            break;
    }
    return fields;
}
