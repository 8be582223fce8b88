/* SPDX-License-Identifier: MIT */
/*
 * Answers calls of a program to its host.  HTIF: a word in tohost ends the program, prints a
 * character, or names eight words in memory with a system call, whose answer goes to fromhost.
 * Semihosting: an ebreak between two marks, with the operation in a0 and its argument in a1.
 */
#include "exec.h"

#ifdef PC_HAVE_UNICORN

#include "exec_machine.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

/* A file gets what is printed, a terminal printable ASCII. */
void exec_print(struct machine *m, const unsigned char *bytes, size_t size)
{
    FILE *const file = m->r->console_file;

    if (file) {
        fwrite(bytes, 1, size, file);
        return;
    }
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = bytes[i];
        const bool shown = (c >= ' ' && c < 0x7f) || c == '\n' || c == '\r' || c == '\t';
        fputc(shown ? c : '?', cli_stderr());
        m->in_line = c != '\n';
    }
}

void exec_print_end(struct machine *m)
{
    if (m->in_line)
        fputc('\n', cli_stderr());
    m->in_line = false;
}

static void end(struct machine *m, uint64_t exit_code)
{
    m->counts->exit_code = exit_code;
    m->ended = true;
}

/* Once: what a call that is not there returned is the program's business. */
static void say_unknown(struct machine *m, const char *kind, uint64_t number)
{
    exec_print_end(m);
    if (!m->answered)
        cli_note(1321,
                 "%s %" PRIu64 " at 0x%" PRIx64 " is not supported: it fails, and so do others",
                 kind, number, m->pc);
    m->answered = true;
}

/* ---- HTIF ---- */

enum { SYS_CLOSE = 57, SYS_WRITE = 64, SYS_EXIT = 93 };

static uint64_t host_write(struct machine *m, uint64_t fd, uint64_t address, uint64_t size)
{
    const unsigned char *const place = exec_place(m, address, size);

    if (fd != 1 && fd != 2)
        return (uint64_t)-EBADF;
    if (!place && size > 0)
        return (uint64_t)-EFAULT;
    exec_print(m, place, size);
    return size;
}

static enum pc_status system_call(struct machine *m, uint64_t address)
{
    const uint64_t answer = 1;
    uint64_t word[4], result;
    const unsigned char *const place = exec_place(m, address, sizeof word);

    if (!place)
        return cli_fail(m->err, 1325, "the system call of 0x%" PRIx64 " in tohost is not in memory",
                        address);
    memcpy(word, place, sizeof word);
    switch (word[0]) {
    case SYS_EXIT:
        end(m, word[1]);
        return PC_OK;
    case SYS_WRITE:
        result = host_write(m, word[1], word[2], word[3]);
        break;
    case SYS_CLOSE:
        result = word[1] <= 2 ? 0 : (uint64_t)-EBADF;
        break;
    default:
        say_unknown(m, "system call", word[0]);
        result = (uint64_t)-ENOSYS;
        break;
    }
    exec_write(m, address, &result, sizeof result);
    if (m->image->has_fromhost)
        exec_write(m, m->image->fromhost, &answer, m->image->xlen / 8);
    return PC_OK;
}

/* Device 1, command 1: a character.  A program that looks for the answer finds it in fromhost. */
static void print_character(struct machine *m, uint64_t value)
{
    const unsigned char byte = (unsigned char)value;
    const uint64_t answer = (value & ~UINT64_C(0xffffffffffff)) | 0x100 | byte;
    uint64_t waiting = 0;

    exec_print(m, &byte, 1);
    if (!m->image->has_fromhost)
        return;
    const unsigned char *const place = exec_place(m, m->image->fromhost, sizeof waiting);
    if (place)
        memcpy(&waiting, place, sizeof waiting);
    if (place && waiting == 0)
        exec_write(m, m->image->fromhost, &answer, sizeof answer);
}

enum pc_status exec_htif(struct machine *m)
{
    const unsigned size = m->image->xlen / 8;
    const uint64_t none = 0;
    uint64_t value = 0;
    const unsigned char *const place = exec_place(m, m->image->tohost, size);

    m->told = false;
    if (place)
        memcpy(&value, place, size);
    if (value == 0)
        return PC_OK;
    exec_write(m, m->image->tohost, &none, size);
    m->told = false;
    const unsigned device = (unsigned)(value >> 56), command = value >> 48 & 0xff;
    if (device == 0 && command == 0) {
        if (!(value & 1))
            return system_call(m, value);
        end(m, value >> 1);
        return PC_OK;
    }
    if (device == 1 && command == 1)
        print_character(m, value);
    else if (device != 1 || command != 0) /* command 0 asks for a key, and none is ever pressed */
        return cli_fail(m->err, 1325,
                        "0x%" PRIx64 " in tohost is for device %u, command %u: there are an exit, "
                        "system calls and a console",
                        value, device, command);
    return PC_OK;
}

/* ---- semihosting ---- */

enum {
    OPEN = 0x01,
    CLOSE = 0x02,
    WRITE_CHARACTER = 0x03,
    WRITE_TEXT = 0x04,
    WRITE = 0x05,
    IS_TERMINAL = 0x09,
    ERROR = 0x13,
    EXIT = 0x18,
    EXIT_EXTENDED = 0x20
};
enum { APPLICATION_EXIT = 0x20026 };

bool exec_is_semihosting(const struct machine *m)
{
    static const uint32_t marks[3] = { 0x01f01013, 0x00100073, 0x40705013 };
    const unsigned char *const place = exec_place(m, m->pc - 4, sizeof marks);

    return place && memcmp(place, marks, sizeof marks) == 0;
}

/* Returns word i of the block that a1 points to. */
static bool argument(struct machine *m, unsigned i, uint64_t *out)
{
    const unsigned size = m->image->xlen / 8;
    const unsigned char *const place =
        exec_place(m, (exec_reg(m, 11) + (uint64_t)i * size) & m->mask, size);

    *out = 0;
    if (place)
        memcpy(out, place, size);
    return place != NULL;
}

/* Prints a text up to its NUL, or the end of memory. */
static uint64_t print_text(struct machine *m, uint64_t address)
{
    const unsigned char *const place = exec_place(m, address, 1);

    if (place)
        exec_print(m, place, strnlen((const char *)place, m->r->memory - (address - m->base)));
    return 0;
}

/* The console, ":tt", is there by three handles, 0 to read, 1 and 2 to write. */
static uint64_t open_console(struct machine *m)
{
    uint64_t name, mode, length;

    if (!argument(m, 0, &name) || !argument(m, 1, &mode) || !argument(m, 2, &length))
        return UINT64_MAX;
    const unsigned char *const place = exec_place(m, name, 3);
    if (!place || length != 3 || memcmp(place, ":tt", 3) != 0)
        return UINT64_MAX;
    return mode < 4 ? 0 : mode < 8 ? 1 : 2;
}

/* Returns how many bytes were not written. */
static uint64_t write_block(struct machine *m)
{
    uint64_t handle, from, size;

    if (!argument(m, 0, &handle) || !argument(m, 1, &from) || !argument(m, 2, &size))
        return UINT64_MAX;
    return host_write(m, handle, from, size) == size ? 0 : size;
}

/* The reason is the argument, or with 64 bits and the extended call the first of two words. */
static void semihosting_exit(struct machine *m, uint64_t operation)
{
    uint64_t reason = exec_reg(m, 11), code = 0;

    if (operation == EXIT_EXTENDED || m->image->xlen == 64)
        code = argument(m, 0, &reason) && argument(m, 1, &code) ? code : 1;
    end(m, reason == APPLICATION_EXIT ? code : code ? code : 1);
}

enum pc_status exec_semihosting(struct machine *m)
{
    const uint64_t operation = exec_reg(m, 10);
    uint64_t result = 0;
    const unsigned char *place;

    exec_exception(m, 0);
    switch (operation) {
    case OPEN:
        result = open_console(m);
        break;
    case CLOSE:
    case ERROR:
        break;
    case WRITE_CHARACTER:
        if ((place = exec_place(m, exec_reg(m, 11), 1)) != NULL)
            exec_print(m, place, 1);
        break;
    case WRITE_TEXT:
        result = print_text(m, exec_reg(m, 11));
        break;
    case WRITE:
        result = write_block(m);
        break;
    case IS_TERMINAL:
        result = 1;
        break;
    case EXIT:
    case EXIT_EXTENDED:
        semihosting_exit(m, operation);
        return PC_OK;
    default:
        say_unknown(m, "semihosting operation", operation);
        result = UINT64_MAX;
        break;
    }
    exec_set_reg(m, 10, result);
    m->pc += 4;
    return PC_OK;
}

#endif
