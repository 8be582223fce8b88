/* SPDX-License-Identifier: MIT */
/*
 * What each way to the files of the PCI bus sees, a line each.
 *   paths                   by libc, as programs do
 *   paths read FILE         the file's text: a static program has this alone
 *   paths map               a word of BAR0
 *   paths reg ADDR [VALUE]  writes a register, or reads it (hexadecimal)
 *   paths loop N            increments register a400 N times, each read and write of its own
 *   paths locked N          the same, atomically
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUS "/sys/bus/pci/devices"
#define ONE BUS "/0000:01:00.0"

static volatile uint8_t *map_bar0(void)
{
    const int file = open(ONE "/resource0", O_RDWR);
    void *at = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);

    if (file < 0 || at == MAP_FAILED) {
        perror("resource0");
        exit(9);
    }
    return at;
}

static volatile uint32_t *word(volatile uint8_t *bar, uint32_t address)
{
    return (volatile uint32_t *)(bar + address);
}

static int read_file(const char *path)
{
    char text[4096];
    const int file = open(path, O_RDONLY);
    const ssize_t got = file < 0 ? -1 : read(file, text, sizeof text);

    if (got < 0)
        puts("none");
    else
        fwrite(text, 1, (size_t)got, stdout);
    return got < 0;
}

static int visited, devices;

static int visit(const char *path, const struct stat *what, int kind, struct FTW *where)
{
    const char *last = path + where->base;

    (void)what, (void)kind;
    visited++;
    devices += strchr(last, ':') && strchr(last, '.');
    return 0;
}

static int list(const char *path)
{
    DIR *all = opendir(path);
    int count = 0;

    for (const struct dirent *one; all && (one = readdir(all));)
        count += one->d_name[0] != '.';
    if (all)
        closedir(all);
    return count;
}

static int see_all(void)
{
    char real[PATH_MAX], text[20] = "";
    struct statx x;
    struct stat s;
    glob_t g;

    printf("glob %zu\n", glob(BUS "/*", 0, NULL, &g) == 0 ? g.gl_pathc : 0);
    printf("realpath %s\n", realpath(ONE, real) ? real : "none");
    printf("stat %lld\n", stat(ONE "/resource0", &s) == 0 ? (long long)s.st_size : -1);
    const int failed = statx(AT_FDCWD, ONE "/config", 0, STATX_SIZE, &x);
    printf("statx %d\n", failed ? -1 : (int)x.stx_size);
    printf("lstat %d\n", lstat(ONE, &s) == 0 && S_ISLNK(s.st_mode));
    printf("opendir %d %d\n", list(BUS), list("/sys//bus/./pci/devices"));
    nftw("/sys/devices/pci0000:01", visit, 8, FTW_PHYS);
    printf("nftw %d %d\n", devices, visited > 10);
    const int file = chdir(BUS) == 0 ? open("0000:01:00.0/vendor", O_RDONLY) : -1;
    printf("chdir %s", file >= 0 && read(file, text, 7) == 7 ? text : "none\n");
    printf("host %d\n", access("/sys//devices/pci0000:00", F_OK));
    return 0;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    const unsigned long n = argc > 2 ? strtoul(argv[2], NULL, 16) : 0;

    if (strcmp(what, "read") == 0 && argc > 2)
        return read_file(argv[2]);
    if (!what[0])
        return see_all();
    volatile uint8_t *bar = map_bar0();
    if (strcmp(what, "map") == 0)
        printf("%08x\n", (unsigned)*word(bar, 0));
    else if (strcmp(what, "reg") == 0 && argc > 3)
        *word(bar, (uint32_t)n) = (uint32_t)strtoul(argv[3], NULL, 16);
    else if (strcmp(what, "reg") == 0)
        printf("%08x\n", (unsigned)*word(bar, (uint32_t)n));
    for (unsigned long i = 0; i < n && strcmp(what, "loop") == 0; i++)
        *word(bar, 0xa400) = *word(bar, 0xa400) + 1;
    for (unsigned long i = 0; i < n && strcmp(what, "locked") == 0; i++)
        atomic_fetch_add((_Atomic uint32_t *)word(bar, 0xa400), 1);
    return 0;
}
