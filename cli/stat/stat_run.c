/* SPDX-License-Identifier: MIT */
/* One read of the waveform through the counters of all passes, in stretches (stat_jobs.c). */
#include "progress.h"
#include "ranks.h"
#include "stat_jobs.h"
#include "ten.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct run {
    struct stat_count count;
    struct stat_jobs *jobs;
    bool timed;
    uint64_t first_time, last_time; /* of edges */
};

/* --- Ctrl-C --- */

static volatile sig_atomic_t interrupted;
static int end_of_input = -1; /* a descriptor that reads nothing */

/* Standard input ends here, so that a reader waiting for more of it comes back. */
static void on_interrupt(int number)
{
    int saved = errno;

    (void)number;
    interrupted = 1;
    if (end_of_input >= 0)
        (void)dup2(end_of_input, STDIN_FILENO);
    errno = saved;
}

/* The first Ctrl-C ends the count, a second one the program. */
static void catch_interrupt(bool is_stdin)
{
    struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND };

    if (is_stdin)
        end_of_input = open("/dev/null", O_RDONLY | O_CLOEXEC);
    sigaction(SIGINT, &action, NULL);
}

/* --- all of it --- */

static void close_run(struct run *r)
{
    stat_jobs_close(r->jobs);
    stat_count_close(&r->count);
}

/* Another rank takes the stretches and reports. */
static bool listens(const struct stat_options *o)
{
    return o->dealt && cli_ranks->rank > 0;
}

static int read_all(struct run *r)
{
    struct pc_wave *wave = r->count.wires->wave;
    struct pc_wave_block block;
    struct cli_progress progress;
    struct pc_error err;
    enum pc_status status = PC_OK;
    int code = CLI_OK;

    cli_progress_begin(&progress);
    while (code == CLI_OK && status == PC_OK && !interrupted) {
        status = pc_wave_next(wave, &block, &err);
        if (status)
            break;
        cli_progress_wave(&progress, wave, r->count.cycles);
        r->first_time = r->timed ? r->first_time : block.first_time;
        r->last_time = block.last_time;
        r->timed = true;
        code = stat_jobs_add(r->jobs, &block);
        if (listens(r->count.o) && cli_ranks->stopped())
            code = CLI_INTERRUPTED;
    }
    if (code == CLI_OK)
        code = stat_jobs_drain(r->jobs);
    cli_progress_end(&progress);
    if (code == CLI_OK && status != PC_OK && status != PC_END && !interrupted)
        code =
            cli_ranks_wave_code() ? cli_ranks_wave_code() : cli_error(&err, r->count.o->path, NULL);
    return code;
}

/* The two counts of each event are the same, unless the hardware says that it lost some. */
static int settle(struct stat_options *o)
{
    for (size_t n = 0; n < o->events; n++) {
        struct stat_event *e = &o->event[n];
        if (e->state == STAT_EXACT && e->value != e->popcount)
            return cli_error_at(337, &e->place, 1, NULL,
                                "%s: the model counts %" PRIu64 ", the expression %" PRIu64,
                                e->name, e->value, e->popcount);
        if (e->state == STAT_EXACT && e->tainted)
            e->state = STAT_TAINTED;
    }
    return CLI_OK;
}

/* Oddities of the file that the reader tolerated. */
static void show_warnings(const struct pc_wave *wave, const char *path)
{
    const char *text;

    for (size_t i = 0; (text = pc_wave_warning(wave, i)) != NULL; i++)
        cli_warning(501, "%s: %s", path, text);
}

/* Of all cycles: from the first edge to the last one, and one cycle more. */
static double time_taken(const struct run *r)
{
    const uint64_t cycles = r->count.cycles;
    struct pc_wave_info info;

    pc_wave_get_info(r->count.wires->wave, &info);
    if (cycles < 2 || info.timescale_factor == 0)
        return 0;
    double unit = info.sampled && info.sample_rate
                      ? 1 / (double)info.sample_rate
                      : cli_times_ten_to((double)info.timescale_factor, info.timescale_exponent);
    return (double)(r->last_time - r->first_time) * unit * (double)cycles / (double)(cycles - 1);
}

/* Ranks whose part is to look at the file for rank 0; *served if this is one. */
static int serve(struct stat_options *o, struct pc_wave *wave, bool *served)
{
    const bool read_together = o->shared && pc_wave_shared(wave);
    struct pc_error err;

    o->dealt = o->shared && !read_together;
    *served = read_together && cli_ranks->rank > 0;
    return *served && pc_wave_serve(wave, &err) ? cli_error(&err, o->path, NULL) : CLI_OK;
}

int stat_run(struct stat_options *o, struct stat_plan *plan, struct stat_wires *wires,
             const struct pc_wave_clock *clock, struct stat_result *out)
{
    struct run r = { .count = { .o = o, .plan = plan, .wires = wires } };
    struct pc_error err;
    unsigned stream;

    if (pc_wave_bind(wires->wave, clock, wires->bit, wires->count, &stream, &err))
        return cli_error(&err, o->path, NULL);
    bool served;
    int code = serve(o, wires->wave, &served);
    *out = (struct stat_result){ .cycles = 0 };
    if (code || served)
        return code;
    code = stat_jobs_open(&r.count, &r.jobs);
    if (code == CLI_OK) {
        catch_interrupt(strcmp(o->path, "-") == 0);
        code = read_all(&r);
    }
    if (code == CLI_OK && r.count.cycles > 0 && !listens(o)) {
        stat_finish(&r.count);
        code = settle(o);
    }
    close_run(&r);
    show_warnings(wires->wave, o->path);
    if (code == CLI_OK && r.count.cycles == 0 && !interrupted) {
        struct cli_place place = { "--clock", o->clock, 0 };
        code = cli_error_at(332, &place, 1, NULL, "the clock has no edge in %s", o->path);
    }
    *out = (struct stat_result){ .cycles = r.count.cycles,
                                 .seconds = time_taken(&r),
                                 .partial = interrupted != 0 };
    return code;
}
