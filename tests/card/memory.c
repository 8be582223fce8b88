/* SPDX-License-Identifier: MIT */
/* Nothing of BAR0 becomes memory: what a program does with mappings, and with the file. */
#define _GNU_SOURCE
#include "own.h"

#include <spawn.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>

extern char **environ;

static uint32_t at(const void *map, size_t offset)
{
    return *(const volatile uint32_t *)((const volatile uint8_t *)map + offset);
}

/* libc takes masked stores for these where the processor has them. */
static void copies(void)
{
    uint8_t from[32], to[32], want[32];

    for (unsigned size = 1; size <= 32; size++)
        for (unsigned first = 0; first + size <= 32; first += 5) {
            volatile size_t length = size;
            char what[40];
            snprintf(what, sizeof what, "%u bytes from %u", size, first);
            for (unsigned i = 0; i < 32; i++) {
                from[i] = (uint8_t)(0x80 + i);
                want[i] = (uint8_t)(3 * i + 1);
            }
            for (unsigned i = 0; i < 8; i++) {
                uint32_t value;
                memcpy(&value, want + 4 * i, 4);
                *word(KEEPS + 4 * i) = value;
            }
            memset((void *)(uintptr_t)(bar0 + KEEPS + first), 0xcc, length);
            memset(want + first, 0xcc, size);
            for (unsigned i = 0; i < 8; i++) {
                const uint32_t value = *word(KEEPS + 4 * i);
                expect(what, (uint64_t)memcmp(&value, want + 4 * i, 4), 0);
            }
            memcpy((void *)(uintptr_t)(bar0 + KEEPS + first), from, length);
            memset(to, 0xee, sizeof to);
            memcpy(to, (const void *)(uintptr_t)(bar0 + KEEPS + first), length);
            expect(what, (uint64_t)memcmp(to, from, size), 0);
            for (unsigned i = size; i < 32; i++)
                expect(what, to[i], 0xee);
        }
    /* from BAR0 to BAR0 */
    *word(KEEPS) = 0x11111111;
    memmove((void *)(uintptr_t)(bar0 + KEEPS + 8), (const void *)(uintptr_t)(bar0 + KEEPS), 4);
    expect("memmove", *word(KEEPS + 8), 0x11111111);
    volatile void *source = bar0 + KEEPS, *sink = bar0 + KEEPS + 16;
    uint64_t count = 2;
    *word(KEEPS + 4) = 0x22222222;
    __asm__ volatile("rep movsl" : "+S"(source), "+D"(sink), "+c"(count) : : "memory");
    expect("rep movs within BAR0", *word(KEEPS + 20), 0x22222222);
    expect("... its end", (uintptr_t)sink, (uintptr_t)(bar0 + KEEPS + 24));
}

static void *map_of(size_t length, int protection, int flags, int file, long offset)
{
    errno = 0;
    return mmap(NULL, length, protection, flags, file, offset);
}

static void refused(void)
{
    const int reads = open(FILE_OF_BAR0, O_RDONLY), writes = open(FILE_OF_BAR0, O_WRONLY);
    const int both = PROT_READ | PROT_WRITE;
    void *map;

#define REFUSED(what, number, ...)                                                                 \
    expect(what, (uintptr_t)map_of(__VA_ARGS__), (uintptr_t)MAP_FAILED);                           \
    expect(what ": errno", (uint64_t)errno, (number))
    REFUSED("beyond", EINVAL, SIZE + PAGE, both, MAP_SHARED, bar0_file, 0);
    REFUSED("the end beyond", EINVAL, 2 * PAGE, both, MAP_SHARED, bar0_file, SIZE - PAGE);
    REFUSED("nothing", EINVAL, 0, both, MAP_SHARED, bar0_file, 0);
    REFUSED("within a page", EINVAL, PAGE, both, MAP_SHARED, bar0_file, 4);
    REFUSED("for writes, opened for reads", EACCES, PAGE, both, MAP_SHARED, reads, 0);
    REFUSED("opened for writes", EACCES, PAGE, PROT_WRITE, MAP_SHARED, writes, 0);

    map = map_of(PAGE, PROT_READ, MAP_SHARED, reads, 0);
    expect("opened for reads", at(map, 0), BOOT_0);
    expect("mprotect of what was opened for reads", (uint64_t)mprotect(map, PAGE, both),
           (uint64_t)-1);
    expect("... errno", (uint64_t)errno, EACCES);
    expect("... and after", at(map, 0), BOOT_0);
    map = map_of(PAGE, PROT_READ, MAP_PRIVATE, reads, 0);
    expect("private", at(map, 0), BOOT_0);
    munmap(map, PAGE);
    close(reads);
    close(writes);
}

static void protections(void)
{
    const int both = PROT_READ | PROT_WRITE;
    uint8_t *map = map_of(2 * PAGE, PROT_READ, MAP_SHARED, bar0_file, 0xa000);
    volatile uint32_t *reg = (volatile uint32_t *)(map + 0x400);

    FAULTS("a write to what is mapped for reads", SIGSEGV, reg, *reg = 1);
    mprotect(map, PAGE, both);
    *reg = 0x55;
    expect("after mprotect", *word(0xa400), 0x55);
    FAULTS("the page behind", SIGSEGV, map + PAGE, *(volatile uint32_t *)(map + PAGE) = 1);
    mprotect(map, PAGE, PROT_NONE);
    FAULTS("closed", SIGSEGV, reg, (void)*reg);
    pkey_mprotect(map, PAGE, both, -1);
    *word(0xa400) = 0x66;
    expect("after pkey_mprotect", *reg, 0x66);
    FAULTS("8 bytes that end beyond", SIGSEGV, map + 2 * PAGE,
           (void)*(volatile uint64_t *)(map + 2 * PAGE - 4));
    munmap(map, 2 * PAGE);
}

/* A key's faults are the program's own. */
static void keys(void)
{
    const int key = pkey_alloc(0, 0);
    uint8_t *map = map_of(PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, bar0_file, 0);

    if (key < 0) {
        fprintf(stderr, "SKIP: keys of protection: this processor or kernel has none\n");
        return;
    }
    expect("pkey_mprotect", (uint64_t)pkey_mprotect(map, PAGE, PROT_READ, key), 0);
    expect("with a key", at(map, 0), BOOT_0);
    pkey_set(key, PKEY_DISABLE_ACCESS);
    FAULTS("a key that is off", SIGSEGV, map, (void)at(map, 0));
    pkey_set(key, 0);
    expect("and on", at(map, 0), BOOT_0);
    pkey_free(key);
    munmap(map, PAGE);
}

static void places(void)
{
    uint8_t *room =
        mmap(NULL, 8 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    const int both = PROT_READ | PROT_WRITE, fixed = MAP_SHARED | MAP_FIXED;

    memset(room, 0x77, 8 * PAGE);
    expect("where it is wanted",
           (uintptr_t)mmap(room + PAGE, 4 * PAGE, both, fixed, bar0_file, 0x8000),
           (uintptr_t)room + PAGE);
    expect("before", room[PAGE - 1], 0x77);
    expect("behind", room[5 * PAGE], 0x77);
    *word(0xa400) = 0x12;
    expect("there", at(room, PAGE + 0x2400), 0x12);
    munmap(room + PAGE, PAGE);
    FAULTS("the first page is gone", SIGSEGV, room + PAGE, (void)at(room, PAGE));
    expect("the others are not", at(room, PAGE + 0x2400), 0x12);
    mmap(room + 3 * PAGE, PAGE, both, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    *(volatile uint32_t *)(room + 3 * PAGE + 0x400) = 0x34;
    expect("memory that is mapped over it", at(room, 3 * PAGE + 0x400), 0x34);
    expect("... is not the card", *word(0xa400), 0x12);
    mmap(room + 3 * PAGE, PAGE, both, fixed, bar0_file, 0xa000);
    expect("and the card again", at(room, 3 * PAGE + 0x400), 0x12);

    mmap(room + 2 * PAGE, 3 * PAGE, both, fixed, bar0_file, 0x9000);
    uint8_t *moved =
        mremap(room + 2 * PAGE, 3 * PAGE, 2 * PAGE, MREMAP_MAYMOVE | MREMAP_FIXED, room + 6 * PAGE);
    expect("moved", (uintptr_t)moved, (uintptr_t)room + 6 * PAGE);
    expect("what has moved", at(room, 7 * PAGE + 0x400), 0x12);
    FAULTS("where it was", SIGSEGV, room + 3 * PAGE, (void)at(room, 3 * PAGE));
    expect("larger", (uintptr_t)mremap(moved, 2 * PAGE, 3 * PAGE, MREMAP_MAYMOVE),
           (uintptr_t)MAP_FAILED);
    expect("... errno", (uint64_t)errno, EFAULT);
    expect("all", (uint64_t)munmap(room, 8 * PAGE), 0);
}

enum { MANY = 1000 };

static void many(void)
{
    static void *map[MANY];

    for (unsigned i = 0; i < MANY; i++)
        map[i] = map_of(i % 2 ? PAGE : SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar0_file, 0);
    for (unsigned i = 0; i < MANY; i++)
        expect("of 1000 maps", at(map[i], 0), BOOT_0);
    for (unsigned i = 0; i < MANY; i++)
        munmap(map[i], i % 2 ? PAGE : SIZE);
    expect("the first", *word(0), BOOT_0);
}

/* By the kernel itself */
static void raw(void)
{
    const long map =
        syscall(SYS_mmap, NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, bar0_file, 0L);
    volatile uint32_t *reg = (volatile uint32_t *)(map + 0xa404);

    expect("mapped by a system call", at((const void *)map, 0), BOOT_0);
    *reg = 0x1234;
    *reg += 1;
    expect("a register", *word(0xa404), 0x1235);
    munmap((void *)map, SIZE);
    FAULTS("and gone", SIGSEGV, reg, (void)*reg);
}

static void forks(void)
{
    int status = -1;

    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        *word(0xa404) = 0x99;
        *word(0xa404) |= 0x100;
        _exit(*word(0) == BOOT_0 && *word(0xa404) == 0x199 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    expect("a child", (uint64_t)status, 0);
}

/* ---- the file, and buffers ---- */

static void file(void)
{
    char byte = 0;

#define FAILS(what, number, call)                                                                  \
    errno = 0;                                                                                     \
    expect(what, (uint64_t)(call), (uint64_t)-1);                                                  \
    expect(what ": errno", (uint64_t)errno, (number))
    FAILS("pread", EIO, pread(bar0_file, &byte, 1, 0));
    FAILS("pwrite", EIO, pwrite(bar0_file, &byte, 1, 0));
    FAILS("read", EIO, read(bar0_file, &byte, 1));
    FAILS("write", EIO, write(bar0_file, &byte, 1));
    FAILS("pwrite beyond", EFBIG, pwrite(bar0_file, &byte, 1, SIZE));
    expect("pread beyond", (uint64_t)pread(bar0_file, &byte, 1, SIZE), 0);
    struct iovec one = { &byte, 1 };
    FAILS("readv", EIO, readv(bar0_file, &one, 1));
    FAILS("preadv2", EIO, preadv2(bar0_file, &one, 1, 0, 0));
    FILE *stream = fopen(FILE_OF_BAR0, "r");
    expect("fread", fread(&byte, 1, 1, stream), 0);
    expect("... its error", ferror(stream) != 0 && errno == EIO, 1);
    clearerr(stream);
    expect("getc", (uint64_t)getc(stream), (uint64_t)EOF);
    expect("... its error", ferror(stream) != 0, 1);
    fclose(stream);
    int other = open("/dev/null", O_WRONLY);
    FAILS("copy_file_range", EINVAL, copy_file_range(bar0_file, NULL, other, NULL, 1, 0));
    close(other);
}

static void buffers(void)
{
    uint8_t bytes[32] = { 0 };
    int ends[2];
    FILE *stream = tmpfile();

    if (pipe(ends) != 0 || !stream)
        exit(1);
    for (unsigned i = 0; i < 8; i++)
        *word(KEEPS + 4 * i) = 0x01010101 * (i + 1);
    expect("write of BAR0", (uint64_t)write(ends[1], (const void *)(uintptr_t)(bar0 + KEEPS), 32),
           32);
    expect("its bytes", (uint64_t)read(ends[0], bytes, 32), 32);
    expect("one of them", bytes[29], 8);
    memset(bytes, 0x5a, sizeof bytes);
    expect("to a pipe", (uint64_t)write(ends[1], bytes, 7), 7);
    expect("read to BAR0", (uint64_t)read(ends[0], (void *)(uintptr_t)(bar0 + KEEPS), 32), 7);
    expect("all that was read", *word(KEEPS), 0x5a5a5a5a);
    expect("... and no more", *word(KEEPS + 4), 0x025a5a5a);
    expect("fwrite", fwrite((const void *)(uintptr_t)(bar0 + KEEPS), 1, 32, stream), 32);
    rewind(stream);
    expect("fread", fread((void *)(uintptr_t)(bar0 + KEEPS + 4), 4, 7, stream), 7);
    expect("what fread has read", *word(KEEPS + 4), 0x5a5a5a5a);
    fclose(stream);
    close(ends[0]);
    close(ends[1]);
}

/* ---- the environment ---- */

static char *self;

static int exit_code(int status)
{
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void environment(void)
{
    char *args[] = { self, (char *)(uintptr_t) "look", NULL }, *none[] = { NULL };
    char command[300];
    int status = -1;
    pid_t child;

    void *map = map_of(PAGE, PROT_READ, MAP_SHARED, bar0_file, 0);
    expect("mapped before", at(map, 0), BOOT_0);
    clearenv();
    map = map_of(PAGE, PROT_READ, MAP_SHARED, bar0_file, 0);
    expect("mapped without an environment", at(map, 0), BOOT_0);
    expect("posix_spawn", (uint64_t)posix_spawn(&child, self, NULL, NULL, args, none), 0);
    waitpid(child, &status, 0);
    expect("... finds the card", (uint64_t)exit_code(status), 7);
    for (unsigned i = 0; i < 3; i++) {
        if ((child = fork()) == 0) {
            if (i == 0)
                execve(self, args, none);
            if (i == 1)
                execl(self, self, "look", (char *)NULL);
            if (i == 2)
                execv(self, args);
            _exit(1);
        }
        waitpid(child, &status, 0);
        expect("exec finds the card", (uint64_t)exit_code(status), 7);
    }
    snprintf(command, sizeof command, "'%s' look", self);
    expect("a shell's", (uint64_t)exit_code(system(command)), 7);
}

int main(int argc, char **argv)
{
    self = argv[0];
    open_bar0();
    if (argc > 1)
        return *word(0) == BOOT_0 ? 7 : 1;
    expect_faults();
    copies();
    refused();
    protections();
    keys();
    places();
    many();
    raw();
    forks();
    file();
    buffers();
    environment();
    return end();
}
