/* SPDX-License-Identifier: MIT */
/* See progress.h. */
#include "process/progress.h"
#include "process/ranks.h"

#include <inttypes.h>
#include <unistd.h>

static double seconds(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

void cli_progress_begin(struct cli_progress *p)
{
    *p = (struct cli_progress){ .on = !cli_quiet && cli_stderr() == stderr &&
                                      isatty(STDERR_FILENO) && cli_ranks_first() };
    clock_gettime(CLOCK_MONOTONIC, &p->start);
    p->last = p->start;
}

/* Returns true if it is time to write the line again. */
static bool due(struct cli_progress *p)
{
    struct timespec now;

    if (!p->on)
        return false;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (seconds(&p->start, &now) < 0.5 || (cli_progress_shown && seconds(&p->last, &now) < 0.2))
        return false;
    p->last = now;
    cli_progress_shown = true;
    return true;
}

/* Prints 1536 as "1.5 KiB". */
static void print_bytes(uint64_t bytes)
{
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB" };
    double n = (double)bytes;
    unsigned u = 0;

    for (; n >= 1000 && u < 4; u++)
        n /= 1024;
    fprintf(stderr, u ? "%.1f %s" : "%.0f %s", n, units[u]);
}

/* Prints "12.4 GiB / 31.0 GiB 412.0 MiB/s eta 45s". */
static void print_read(const struct cli_progress *p, uint64_t done, uint64_t total)
{
    double rate = (double)done / seconds(&p->start, &p->last);

    fputs("\r\033[K", stderr);
    print_bytes(done);
    if (total) {
        fputs(" / ", stderr);
        print_bytes(total);
    }
    fputs("  ", stderr);
    print_bytes((uint64_t)rate);
    fputs("/s", stderr);
    if (total > done && rate > 0)
        fprintf(stderr, "  eta %.0fs", (double)(total - done) / rate);
}

void cli_progress_bytes(struct cli_progress *p, uint64_t done, uint64_t total)
{
    if (!due(p))
        return;
    print_read(p, done, total);
    fflush(stderr);
}

void cli_progress_wave(struct cli_progress *p, const struct pc_wave *wave, uint64_t cycles)
{
    uint64_t done, total;

    if (!due(p))
        return;
    pc_wave_progress(wave, &done, &total);
    print_read(p, done, total);
    fprintf(stderr, "  cycle %s", cli_grouped(cycles));
    fflush(stderr);
}

/* Prints "line 12 123,456,789 of 1,000,000,000 accesses 45s". */
void cli_progress_script(struct cli_progress *p, uint32_t line, uint64_t done, uint64_t count)
{
    if (!due(p))
        return;
    fprintf(stderr, "\r\033[Kline %" PRIu32 "  ", line);
    if (count)
        fprintf(stderr, "%s of %s accesses  ", cli_grouped(done), cli_grouped(count));
    fprintf(stderr, "%.0fs", seconds(&p->start, &p->last));
    fflush(stderr);
}

void cli_progress_end(struct cli_progress *p)
{
    if (p->on && cli_progress_shown) {
        fputs("\r\033[K", stderr);
        cli_progress_shown = false;
    }
}
