/* SPDX-License-Identifier: MIT */
/*
 * Executables for `pcounter exec`: ELF, RISC-V, little-endian, 32 or 64 bits.  Segments and
 * the symbols tohost and fromhost are all that is looked at; every offset and count is checked.
 */
#include "exec.h"

#include <elf.h>
#include <string.h>

struct file {
    const unsigned char *data;
    size_t size;
    bool wide; /* 64 bits */
};

/* Reads a little-endian number of n bytes; the caller has checked the place. */
static uint64_t number(const struct file *f, uint64_t at, unsigned n)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < n; i++)
        value |= (uint64_t)f->data[at + i] << (8 * i);
    return value;
}

static bool inside(const struct file *f, uint64_t at, uint64_t size)
{
    return at <= f->size && size <= f->size - at;
}

/* Reads a member that is 4 or 8 bytes, at an offset for each. */
static uint64_t member(const struct file *f, uint64_t at, unsigned offset32, unsigned offset64)
{
    return f->wide ? number(f, at + offset64, 8) : number(f, at + offset32, 4);
}

static enum pc_status read_segments(const struct file *f, struct exec_image *out,
                                    struct pc_error *err)
{
    const uint64_t table = member(f, 0, 28, 32);
    const unsigned entry = (unsigned)number(f, f->wide ? 54 : 42, 2);
    const unsigned count = (unsigned)number(f, f->wide ? 56 : 44, 2);

    if (entry < (f->wide ? 56u : 32u) || !inside(f, table, (uint64_t)entry * count))
        return cli_fail(err, 1321, "the program headers lie outside of the file");
    for (unsigned i = 0; i < count; i++) {
        const uint64_t at = table + (uint64_t)entry * i;
        if (number(f, at, 4) != PT_LOAD)
            continue;
        const struct exec_segment s = { .address = member(f, at, 8, 16),
                                        .file_size = member(f, at, 16, 32),
                                        .memory_size = member(f, at, 20, 40),
                                        .data = f->data };
        const uint64_t offset = member(f, at, 4, 8);
        if (s.memory_size == 0)
            continue;
        if (out->segments == EXEC_MAX_SEGMENTS)
            return cli_fail(err, 1321, "more than %d segments", EXEC_MAX_SEGMENTS);
        if (!inside(f, offset, s.file_size) || s.file_size > s.memory_size)
            return cli_fail(err, 1321, "segment %u lies outside of the file", i);
        out->segment[out->segments] = s;
        out->segment[out->segments++].data = f->data + offset;
    }
    return out->segments ? PC_OK : cli_fail(err, 1321, "nothing is loaded");
}

static bool is_named(const struct file *f, uint64_t name, uint64_t names, uint64_t size,
                     const char *wanted)
{
    const size_t length = strlen(wanted) + 1;

    return name <= size && size - name >= length &&
           memcmp(f->data + names + name, wanted, length) == 0;
}

/* Looks through the symbols in one table; names that run out of the file do not match. */
static void look_through(const struct file *f, uint64_t table, uint64_t size, uint64_t names,
                         uint64_t names_size, struct exec_image *out)
{
    const unsigned entry = f->wide ? 24 : 16;

    for (uint64_t at = table; at + entry <= table + size; at += entry) {
        const uint64_t name = number(f, at, 4);
        if (is_named(f, name, names, names_size, "tohost")) {
            out->tohost = member(f, at, 4, 8);
            out->has_tohost = true;
        } else if (is_named(f, name, names, names_size, "fromhost")) {
            out->fromhost = member(f, at, 4, 8);
            out->has_fromhost = true;
        }
    }
}

/* Without section headers there are no symbols: no error.  A file has one table of them at most. */
static void read_symbols(const struct file *f, struct exec_image *out)
{
    const uint64_t table = member(f, 0, 32, 40);
    const unsigned entry = (unsigned)number(f, f->wide ? 58 : 46, 2);
    const unsigned count = (unsigned)number(f, f->wide ? 60 : 48, 2);

    if (entry < (f->wide ? 64u : 40u) || !inside(f, table, (uint64_t)entry * count))
        return;
    for (unsigned i = 0; i < count; i++) {
        const uint64_t at = table + (uint64_t)entry * i;
        const uint64_t link = number(f, at + (f->wide ? 40 : 24), 4);
        if (number(f, at + 4, 4) != SHT_SYMTAB || link >= count)
            continue;
        const uint64_t strings = table + entry * link;
        const uint64_t from = member(f, at, 16, 24), size = member(f, at, 20, 32);
        const uint64_t names = member(f, strings, 16, 24), length = member(f, strings, 20, 32);
        if (inside(f, from, size) && inside(f, names, length))
            look_through(f, from, size, names, length, out);
        return;
    }
}

enum pc_status exec_read_elf(const void *data, size_t size, struct exec_image *out,
                             struct pc_error *err)
{
    struct file f = { .data = data, .size = size };

    memset(out, 0, sizeof *out);
    if (size < 64 || memcmp(data, ELFMAG, SELFMAG) != 0)
        return cli_fail(err, 1321, "this is not an ELF file");
    f.wide = f.data[EI_CLASS] == ELFCLASS64;
    if (f.data[EI_DATA] != ELFDATA2LSB || (!f.wide && f.data[EI_CLASS] != ELFCLASS32))
        return cli_fail(err, 1321, "neither 32 nor 64 bits, little-endian");
    if (number(&f, 18, 2) != EM_RISCV || number(&f, 16, 2) != ET_EXEC)
        return cli_fail(err, 1321, "no RISC-V executable with fixed addresses (-static, -no-pie)");
    out->xlen = f.wide ? 64 : 32;
    out->entry = member(&f, 0, 24, 24);
    enum pc_status status = read_segments(&f, out, err);
    if (status == PC_OK)
        read_symbols(&f, out);
    return status;
}
