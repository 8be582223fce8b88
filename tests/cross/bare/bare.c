/* SPDX-License-Identifier: MIT */
/*
 * Runs one statically linked program on a bare machine: loads it as an operating system would, and
 * answers the few system calls that the C library makes for a program that computes and prints.
 * What it prints goes to the first serial line.  Multiboot, System V ABI.  There are no files,
 * no threads, no signals; a call that is not known is told to not exist.
 *
 * Memory: this at 1 MiB, the program behind it as a module, linked to run at BARE_PROGRAM.
 */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

enum {
    HEAP_END = 192 << 20, /* brk, from the end of the program on */
    MAP_BEGIN = HEAP_END,
    MAP_END = 448 << 20,
    STACK_TOP = 480 << 20,
    ARGUMENTS = 8,
    SERIAL = 0x3f8,
    SERIAL_LINE = SERIAL + 3,
    SERIAL_8_BITS = 3,
    SERIAL_STATUS = SERIAL + 5,
    SERIAL_IDLE = 0x60, /* bits of the status: all is sent */
    POWER = 0x8900,     /* of the emulator: "Shutdown" ends it */
    PAGE = 4096
};

struct multiboot {
    uint32_t flags, memory[2], device, command, module_count, modules;
};

struct module {
    uint32_t begin, end, text, reserved;
};

uint64_t bare_entry;
uint64_t bare_load(const struct multiboot *info);
int64_t bare_call(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                  const uint64_t *number);
static uint64_t heap, map = MAP_BEGIN;

void *memcpy(void *to, const void *from, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
    return to;
}

void *memset(void *to, int byte, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)to)[i] = (uint8_t)byte;
    return to;
}

static void write_port(uint16_t port, uint8_t byte)
{
    __asm__ volatile("outb %0, %1" : : "a"(byte), "Nd"(port));
}

static uint8_t read_port(uint16_t port)
{
    uint8_t byte;

    __asm__ volatile("inb %1, %0" : "=a"(byte) : "Nd"(port));
    return byte;
}

static void print(const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        write_port(SERIAL, (uint8_t)text[i]);
        while ((read_port(SERIAL_STATUS) & SERIAL_IDLE) != SERIAL_IDLE)
            continue;
    }
}

_Noreturn static void end(uint64_t status)
{
    static const char off[] = "Shutdown", failed[] = "failed\n";
    static const char line[] = "end\n";

    if (status != 0)
        print(failed, sizeof failed - 1);
    print(line, sizeof line - 1);
    for (;;)
        for (size_t i = 0; i < sizeof off - 1; i++)
            write_port(POWER, (uint8_t)off[i]);
}

/* ---- loading ---- */

static void *at(uint64_t address)
{
    return (void *)(uintptr_t)address;
}

static void load(const uint8_t *file)
{
    const Elf64_Ehdr *head = (const void *)file;
    const Elf64_Phdr *part = (const void *)(file + head->e_phoff);

    for (unsigned i = 0; i < head->e_phnum; i++) {
        if (part[i].p_type != PT_LOAD)
            continue;
        memcpy(at(part[i].p_vaddr), file + part[i].p_offset, part[i].p_filesz);
        memset(at(part[i].p_vaddr + part[i].p_filesz), 0, part[i].p_memsz - part[i].p_filesz);
        heap = (part[i].p_vaddr + part[i].p_memsz + PAGE - 1) / PAGE * PAGE;
    }
    bare_entry = head->e_entry;
}

/* The words of a text, which are ended by zeros; returns how many. */
static uint64_t split(char *text, uint64_t word[ARGUMENTS])
{
    uint64_t n = 0;

    while (n < ARGUMENTS) {
        while (*text == ' ')
            *text++ = 0;
        if (*text == 0)
            break;
        word[n++] = (uintptr_t)text;
        while (*text != 0 && *text != ' ')
            text++;
    }
    return n;
}

/* Where the program's header is in memory: in the part that begins with the file. */
static uint64_t parts_at(const Elf64_Ehdr *head)
{
    const Elf64_Phdr *part = (const void *)((const uint8_t *)head + head->e_phoff);

    for (unsigned i = 0; i < head->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && part[i].p_offset == 0)
            return part[i].p_vaddr + head->e_phoff;
    return 0;
}

/* argc, argv, envp and the auxiliary vector; returns the stack pointer. */
uint64_t bare_load(const struct multiboot *info)
{
    static const uint8_t random[16] = { 1, 2, 3, 4, 5, 6, 7, 8 };
    uint64_t *stack = at(STACK_TOP - PAGE);

    write_port(SERIAL_LINE, SERIAL_8_BITS);
    if (info->module_count == 0)
        end(1);
    const struct module *program = at(info->modules);
    const Elf64_Ehdr *head = at(program->begin);
    load(at(program->begin));
    const uint64_t auxiliary[] = { AT_PHDR,   parts_at(head),
                                   AT_PHENT,  sizeof(Elf64_Phdr),
                                   AT_PHNUM,  head->e_phnum,
                                   AT_PAGESZ, PAGE,
                                   AT_RANDOM, (uintptr_t)random,
                                   AT_ENTRY,  bare_entry,
                                   AT_SECURE, 0,
                                   AT_NULL,   0 };
    memset(stack, 0, PAGE);
    stack[0] = split(at(program->text), stack + 1);
    memcpy(stack + 1 + stack[0] + 2, auxiliary, sizeof auxiliary); /* each list ends with a 0 */
    return (uintptr_t)stack;
}

/* ---- system calls, by their numbers on x86-64 ---- */

enum call {
    CALL_WRITE = 1,
    CALL_MMAP = 9,
    CALL_MPROTECT = 10,
    CALL_MUNMAP = 11,
    CALL_BRK = 12,
    CALL_SIGPROCMASK = 14,
    CALL_WRITEV = 20,
    CALL_EXIT = 60,
    CALL_ARCH_PRCTL = 158,
    CALL_FUTEX = 202,
    CALL_SET_TID_ADDRESS = 218,
    CALL_EXIT_GROUP = 231,
    CALL_SET_ROBUST_LIST = 273
};

enum { NO_MEMORY = -12, INVALID = -22, NO_SUCH_CALL = -38, SET_FS = 0x1002, FS_BASE = 0x100 };

static int64_t set_fs(uint64_t what, uint64_t base)
{
    if (what != SET_FS)
        return INVALID;
    __asm__ volatile("wrmsr"
                     :
                     : "c"(0xc0000000u + FS_BASE), "a"((uint32_t)base),
                       "d"((uint32_t)(base >> 32)));
    return 0;
}

static int64_t take_pages(uint64_t size)
{
    const uint64_t begin = map;

    size = (size + PAGE - 1) / PAGE * PAGE;
    if (size > MAP_END - map)
        return NO_MEMORY;
    map += size;
    memset(at(begin), 0, size);
    return (int64_t)begin;
}

static int64_t move_heap(uint64_t to)
{
    if (to > heap && to <= HEAP_END)
        memset(at(heap), 0, to - heap);
    if (to > heap && to <= HEAP_END)
        heap = to;
    return (int64_t)heap;
}

static int64_t write_all(const uint64_t (*part)[2], uint64_t parts)
{
    int64_t n = 0;

    for (uint64_t i = 0; i < parts; i++) {
        print(at(part[i][0]), part[i][1]);
        n += (int64_t)part[i][1];
    }
    return n;
}

int64_t bare_call(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e,
                  const uint64_t *number)
{
    (void)d;
    (void)e;
    switch ((enum call) * number) {
    case CALL_WRITE:
        print(at(b), c);
        return (int64_t)c;
    case CALL_WRITEV:
        return write_all(at(b), c);
    case CALL_MMAP:
        return take_pages(b);
    case CALL_BRK:
        return move_heap(a);
    case CALL_ARCH_PRCTL:
        return set_fs(a, b);
    case CALL_SET_TID_ADDRESS:
        return 1;
    case CALL_MPROTECT:
    case CALL_MUNMAP:
    case CALL_SIGPROCMASK:
    case CALL_FUTEX:
    case CALL_SET_ROBUST_LIST:
        return 0;
    case CALL_EXIT:
    case CALL_EXIT_GROUP:
        end(a);
    }
    return NO_SUCH_CALL;
}
