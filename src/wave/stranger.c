/* SPDX-License-Identifier: MIT */
/* Files that are not read: formats that are known by name, and what else they may be. */
#include "wave/reader.h"

#include <string.h>

#include "base/text.h"

/* Told by their first bytes. */
static const struct {
    const char *magic;
    size_t length;
    const char *name;
    const char *verb, *command; /* what makes of it what is read; of NULL the verb says all */
} strangers[] = {
    { "\x01\x38", 2, "LXT", "open it in GTKWave and export it: File, Export, Write VCD File As",
      NULL },
    { "\x13\x80", 2, "LXT2", "convert", "lxt2vcd" },
    { "VZ", 2, "VZT", "convert", "vzt2vcd" },
    { "<SALEAE>", 8, "a binary export of Saleae Logic",
      "export the capture as CSV: File, Export Data", NULL },
    { "(SAIFILE", 8, "SAIF, which has sums of toggles and no values",
      "have the simulator write VCD or FST as well", NULL },
    { "\x04\x22\x4d\x18", 4, "LZ4-compressed data", "decompress", "lz4 -dc" },
    { "LZIP", 4, "lzip-compressed data", "decompress", "lzip -dc" },
    { "\x1f\x9d", 2, "data of compress(1)", "decompress", "gzip -dc" },
    { "7z\xbc\xaf\x27\x1c", 6, "a 7z archive", "unpack", "7z x -so" },
    { "\xff\xfe", 2, "text in UTF-16", "convert", "iconv -f UTF-16 -t UTF-8" },
    { "\xfe\xff", 2, "text in UTF-16", "convert", "iconv -f UTF-16 -t UTF-8" },
};

/* Told by their names, as their content is their makers' secret. */
static const struct {
    const char *suffix, *name, *convert;
} makers[] = {
    { ".fsdb", "FSDB (Verdi)", "convert it first: fsdb2vcd FILE -o OTHER.vcd" },
    { ".wlf", "WLF (ModelSim, Questa)", "convert it first: wlf2vcd -o OTHER.vcd FILE" },
    { ".vpd", "VPD (VCS)", "convert it first: vpd2vcd FILE OTHER.vcd" },
    { ".trn", "SST2 (Xcelium)", "convert it first: simvisdbutil -vcd -output OTHER.vcd FILE" },
    { ".wdb", "WDB (Vivado)",
      "simulate again with open_vcd and log_vcd in the Tcl script, which write a VCD" },
};

static enum pc_status refuse(const char *name, const char *verb, const char *command,
                             struct pc_error *err)
{
    enum pc_status status = pc_fail(err, 503, "this looks like %s", name);

    if (command)
        pc_hint(err, "%s it; what comes out can be piped in: %s FILE | pcounter ... -", verb,
                command);
    else
        pc_hint(err, "%s", verb);
    return status;
}

enum pc_status wv_refuse_stranger(const uint8_t *p, size_t size, struct pc_error *err)
{
    size_t blank = 0;

    while (blank < size && (p[blank] == ' ' || (p[blank] >= '\t' && p[blank] <= '\r')))
        blank++;
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        const size_t at = strangers[i].magic[0] == '(' ? blank : 0;
        if (size - at >= strangers[i].length &&
            memcmp(p + at, strangers[i].magic, strangers[i].length) == 0)
            return refuse(strangers[i].name, strangers[i].verb, strangers[i].command, err);
    }
    return PC_OK;
}

/* Returns true if there are no bytes that a text does not have. */
static bool is_text(const uint8_t *p, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (p[i] < ' ' && !(p[i] >= '\t' && p[i] <= '\r'))
            return false;
    return true;
}

/* Returns true for one line of words with separators between them, and no more. */
static bool is_names_alone(const uint8_t *p, size_t size)
{
    bool separated = false;

    while (size > 0 && (p[size - 1] == '\n' || p[size - 1] == '\r'))
        size--;
    for (size_t i = 0; i < size; i++) {
        if (p[i] < ' ' && p[i] != '\t')
            return false;
        separated |= pc_is_one_of((char)p[i], ",;\t");
    }
    return separated;
}

/* Returns true for "x.fsdb", "x.FSDB.gz". */
static bool has_suffix(const char *path, const char *suffix)
{
    const size_t length = strlen(suffix);
    const char *slash = strrchr(path, '/');

    for (const char *p = strchr(slash ? slash : path, '.'); p; p = strchr(p + 1, '.')) {
        size_t i = 0;
        while (i < length && (p[i] | 0x20) == (suffix[i] | 0x20))
            i++;
        if (i == length && (p[i] == '\0' || p[i] == '.'))
            return true;
    }
    return false;
}

/* Gives a hint for a file that may be a CSV. */
static void hint_csv(const uint8_t *p, size_t size, struct pc_error *err)
{
    const struct wv_csv_dialect *dialect = wv_csv_dialect(p, size);

    if (dialect && dialect->how)
        pc_hint(err, "this looks like %s: %s", dialect->name, dialect->how);
    else if (dialect && dialect->begin)
        pc_hint(err,
                "this looks like %s, with settings before it: sed -n '/^%s/,$p' FILE | "
                "pcounter ... -",
                dialect->name, dialect->begin);
    else if (dialect)
        pc_hint(err,
                "this looks like %s, with settings before or beside the values: keep "
                "the columns of times and values, with a line of names",
                dialect->name);
    else if (wv_csv_separated(p, size))
        pc_hint(err, "this looks like a table, but the rows below its first line hold no values: a "
                     "CSV has a line of names, perhaps one of units, then rows that begin with a "
                     "number, a level or a date");
}

enum pc_status wv_refuse_unknown(const uint8_t *p, size_t size, const char *path,
                                 struct pc_error *err)
{
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++)
        if (has_suffix(path, makers[i].suffix))
            return refuse(makers[i].name, makers[i].convert, NULL, err);
    enum pc_status status = pc_fail_byte(
        err, 502, 0, "neither VCD, FST, GHW, sigrok nor CSV: the first byte is 0x%02x", p[0]);

    hint_csv(p, size, err);
    if (is_names_alone(p, size))
        pc_hint(err, "if this is a CSV, rows of values are missing after its line of names");
    else if (memchr(p, '\r', size) && !memchr(p, '\n', size) && is_text(p, size))
        pc_hint(err, "its lines end with CR alone: tr '\\r' '\\n' <FILE | pcounter ... -");
    if (size > 1 && p[0] == '#' && pc_is_digit((char)p[1]))
        pc_hint(err, "these may be values of a VCD whose header is in another file, as Verilator's "
                     "openNext() writes them: cat FIRST.vcd NEXT.vcd | pcounter ... -");
    return status;
}
