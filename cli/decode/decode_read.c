/* SPDX-License-Identifier: MIT */
/*
 * Where `pcounter decode -i` takes its writes from: scripts for `pcounter run`, and dumps: an
 * address and a word a line, or an address, a colon and the words from there on, as nvapeek
 * prints them.  A file that begins as an mmiotrace does is one (decode_trace.c).
 */
#include "decode_inputs.h"
#include "replay/card.h"
#include "text/card_regs.h"
#include "text/regs_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define BLANKS " \t\r"

static int bad_line(const char *path, unsigned line, const char *text)
{
    struct pc_error err = { .status = PC_EINPUT, .code = 902, .line = line };

    snprintf(err.text, sizeof err.text,
             "\"%.60s\" is neither an address and a value nor a command of a script", text);
    return cli_error(&err, path, NULL);
}

/* A line that begins as it should. */
static int PC_PRINTF(3, 4) bad_rest(const char *path, unsigned line, const char *fmt, ...)
{
    struct pc_error err;
    va_list args;

    va_start(args, fmt);
    cli_set_error(&err, 902, fmt, args);
    va_end(args);
    err.line = line;
    return cli_error(&err, path, NULL);
}

/* Nothing may be left of a line. */
static int end_line(const char *path, unsigned line, char **save)
{
    const char *word = strtok_r(NULL, BLANKS, save);

    return word ? bad_rest(path, line, "\"%.60s\" is not expected here", word) : CLI_OK;
}

int decode_nothing(const char *path)
{
    struct pc_error err = { .status = PC_EINPUT, .code = 907 };

    snprintf(err.text, sizeof err.text, "no register is written, and no chip is named");
    return cli_error(&err, path, NULL);
}

static bool hexadecimal(const char *text, uint32_t *out)
{
    return text && cli_parse_hex32(text, out);
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return true;
    return false;
}

/* Commands of scripts that write nothing; true: it was one. */
static bool take_command(struct decode_inputs *in, const char *word, char **save)
{
    static const char *const silent[] = { "option", "latency", "clock", "set",  "play",
                                          "wave",   "bind",    "echo",  "keep", NULL };
    static const char *const counting[] = { "run", "pulse", "idle", NULL };
    struct pc_reg_info reg;
    uint32_t address;

    if (is_one_of(word, silent))
        return true;
    if (is_one_of(word, counting)) {
        decode_inputs_used(in);
        return true;
    }
    if (strcmp(word, "r") != 0)
        return false;
    if (in->chip && hexadecimal(strtok_r(NULL, BLANKS, save), &address) &&
        pc_reg_at(in->chip, address, &reg, NULL) == PC_OK && strncmp(reg.name, "CTR_", 4) == 0)
        decode_inputs_used(in);
    return true;
}

static void add_at(struct decode_inputs *in, uint32_t address, uint32_t value, uint32_t mask,
                   uint32_t line)
{
    struct pc_reg_info reg;

    if (pc_reg_at(in->chip, address, &reg, NULL) == PC_OK)
        decode_inputs_add(in, &reg, value, mask, line);
}

/* ADDRESS: WORD WORD ...; "..." stands for what was left out. */
static int take_row(struct decode_inputs *in, const char *path, unsigned number, uint32_t address,
                    char **save)
{
    uint32_t value;

    for (char *word = strtok_r(NULL, BLANKS, save); word; word = strtok_r(NULL, BLANKS, save)) {
        if (strcmp(word, "...") == 0)
            return CLI_OK;
        if (!hexadecimal(word, &value))
            return bad_line(path, number, word);
        add_at(in, address, value, UINT32_MAX, number);
        address += 4;
    }
    return CLI_OK;
}

/* ADDRESS VALUE, in a dump also with = between them; a command also has a MASK. */
static int take_write(struct decode_inputs *in, const char *path, unsigned number, char *word,
                      char **save, bool command)
{
    uint32_t address, value, mask = UINT32_MAX;
    size_t n = word ? strlen(word) : 0;
    bool row = n > 1 && word[n - 1] == ':';

    if (row)
        word[n - 1] = '\0';
    if (!hexadecimal(word, &address))
        return bad_line(path, number, word ? word : "w");
    if (!in->chip)
        return cli_usage("decode", "which chip? Name it with -a, like -a G92");
    if (row)
        return take_row(in, path, number, address, save);
    char *text = strtok_r(NULL, BLANKS, save);
    if (text && strcmp(text, "=") == 0)
        text = strtok_r(NULL, BLANKS, save);
    if (!text)
        return bad_rest(path, number, "no value follows the address %.20s", word);
    if (!hexadecimal(text, &value))
        return bad_rest(path, number, "\"%.60s\" is not a value of 32 bits, in hexadecimal", text);
    text = strtok_r(NULL, BLANKS, save);
    if (text && !command)
        return bad_rest(path, number,
                        "\"%.60s\" is a second value; a row of several has a colon after its "
                        "address, %.20s:",
                        text, word);
    if (text && !hexadecimal(text, &mask))
        return bad_rest(path, number, "\"%.60s\" is not a mask of 32 bits, in hexadecimal", text);
    add_at(in, address, value, mask, number);
    return end_line(path, number, save);
}

/* `w8` and `w16`: the bits of the register that the access reaches. */
static int take_part(struct decode_inputs *in, const char *path, unsigned number, unsigned bits,
                     char **save)
{
    uint32_t address, value;
    const char *at = strtok_r(NULL, BLANKS, save), *text = at ? strtok_r(NULL, BLANKS, save) : NULL;

    if (!text || !hexadecimal(at, &address) || !hexadecimal(text, &value) ||
        address % (bits / 8) != 0 || value >> bits != 0)
        return bad_rest(path, number, "an address and a value of %u bits are expected", bits);
    const unsigned shift = address % 4 * 8;
    add_at(in, address & ~3u, value << shift, (UINT32_MAX >> (32 - bits)) << shift, number);
    return end_line(path, number, save);
}

static int read_line(struct decode_inputs *in, const char *path, unsigned number, char *line)
{
    char *save = NULL;
    uint32_t io;

    line[strcspn(line, "#\r")] = '\0';
    char *word = strtok_r(line, BLANKS, &save);
    if (!word || strcmp(word, "...") == 0)
        return CLI_OK;
    if (strcmp(word, "chip") == 0) {
        const char *name = strtok_r(NULL, BLANKS, &save);
        const struct pc_chip *chip = cli_find_chip_at(name ? name : "", path, number);
        int code = chip ? end_line(path, number, &save) : CLI_INPUT;
        return code ? code : card_take_chip(&in->chip, chip, "the script", path, number);
    }
    if (strcmp(word, "repeat") == 0) {
        word = strtok_r(NULL, BLANKS, &save); /* how often does not matter */
        if (!word || strspn(word, "0123456789") != strlen(word))
            return bad_rest(path, number, "a number is expected after repeat");
        word = strtok_r(NULL, BLANKS, &save);
        if (!word)
            return bad_rest(path, number,
                            "an access, w or r, is expected after repeat and its "
                            "number");
    }
    if (take_command(in, word, &save))
        return CLI_OK;
    if (strcmp(word, "w8") == 0 || strcmp(word, "w16") == 0)
        return take_part(in, path, number, word[1] == '8' ? 8 : 16, &save);
    const bool command = strcmp(word, "w") == 0;
    if (command)
        word = strtok_r(NULL, BLANKS, &save);
    if (command && word && cli_parse_io(word, &io))
        return CLI_OK; /* PDAEMON's own address, after which no input is */
    return take_write(in, path, number, word, &save, command);
}

/* --- what is it? --- */

/* The first word of a trace, or the first bytes of a compressed one. */
static bool begins_trace(const char *text)
{
    static const char *const words[] = { "VERSION ", "LSPCI ", "PCIDEV ", "MAP ",    "UNMAP ",
                                         "MARK ",    "R ",     "W ",      "UNKNOWN " };

    static const struct {
        const char *bytes;
        size_t at, size;
    } packed[] = {
        { "\x1f\x8b", 0, 2 },
        { "\x28\xb5\x2f\xfd", 0, 4 },
        { "\x2a\x4d\x18", 1, 3 },
        { "\xfd"
          "7zXZ",
          0, 5 },
        { "BZh", 0, 3 },
    };

    for (size_t i = 0; i < sizeof packed / sizeof packed[0]; i++)
        if (memcmp(text + packed[i].at, packed[i].bytes, packed[i].size) == 0)
            return true;
    for (;;) {
        text += strspn(text, " \t\r\n");
        if (*text != '#')
            break;
        text += strcspn(text, "\n");
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strncmp(text, words[i], strlen(words[i])) == 0)
            return true;
    return false;
}

/* For files only: what is read of a pipe is gone. */
static bool is_trace(const char *path)
{
    char text[4096 + 1] = "";
    struct stat info;
    bool regular = strcmp(path, "-") != 0 && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    FILE *file = regular ? fopen(path, "rb") : NULL;

    if (!file)
        return false; /* who reads it says why */
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return begins_trace(text);
}

static int no_nul(const char *path, const char *text, size_t size)
{
    const char *nul = memchr(text, '\0', size);
    struct pc_error err = { .status = PC_EINPUT, .code = 902, .line = 1 };

    if (!nul)
        return CLI_OK;
    for (const char *p = text; p < nul; p++)
        err.line += *p == '\n';
    snprintf(err.text, sizeof err.text, "byte 0x00 is not text");
    return cli_error(&err, path, NULL);
}

/* A trace that came through a pipe: its reader wants a file. */
static int read_piped_trace(struct decode_inputs *in, const char *path, const char *text,
                            size_t size)
{
    FILE *copy = tmpfile();
    char name[32];
    int code;

    if (!copy || fwrite(text, 1, size, copy) != size || fflush(copy) != 0) {
        code = cli_usage("decode", "no temporary file for the trace: %s", strerror(errno));
    } else {
        snprintf(name, sizeof name, "/dev/fd/%d", fileno(copy));
        code = decode_trace_read(in, name, path);
    }
    if (copy)
        fclose(copy);
    return code;
}

static int read_lines(struct decode_inputs *in, const char *path, char *text)
{
    unsigned number = 0;

    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        int code = read_line(in, path, ++number, line);
        if (code != CLI_OK)
            return code;
        line = end ? end + 1 : NULL;
    }
    return CLI_OK;
}

int decode_inputs_read(struct decode_inputs *in, const char *path)
{
    char *text = NULL;
    size_t size = 0;

    if (is_trace(path))
        return cli_reads(path) ? decode_trace_read(in, path, path) : cli_would_replace(path);
    int code = cli_read_text("decode", path, &text, &size);
    if (code == CLI_OK && size >= 4 && begins_trace(text)) {
        code = read_piped_trace(in, path, text, size);
        free(text);
        return code;
    }
    if (code == CLI_OK)
        code = no_nul(path, text, size);
    if (code == CLI_OK)
        code = read_lines(in, path, text);
    free(text);
    if (code == CLI_OK && !in->chip)
        code = decode_nothing(path);
    return code == CLI_OK ? decode_inputs_end(in) : code;
}
