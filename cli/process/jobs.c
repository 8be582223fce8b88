/* SPDX-License-Identifier: MIT */
/* See jobs.h and docs/adr/017: results do not depend on threads, so they need not be asked for.
 */
#define _GNU_SOURCE /* sched_getaffinity */
#include "process/jobs.h"

#include <sched.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "process/ranks.h"
#include "process/thread.h"
#include "text/regs_text.h"

int cli_parse_jobs(const char *verb, const char *text, unsigned *out)
{
    uint32_t n;

    if (!cli_parse_u32(text, &n) || n == 0 || n > CLI_MAX_JOBS)
        return cli_usage(verb, "-j takes 1 to %d threads, not \"%s\"", CLI_MAX_JOBS, text);
    *out = n;
    return CLI_OK;
}

/* Returns the CPUs that this process may use; 1 if it is not known. */
static unsigned cpus(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return 1;
    return (unsigned)CPU_COUNT(&set);
}

static bool are_small(const char *const *paths, size_t files)
{
    off_t left = CLI_SMALL_FILES;
    struct stat info;

    for (size_t i = 0; i < files && left > 0; i++)
        if (strcmp(paths[i], "-") != 0 && stat(paths[i], &info) == 0 && S_ISREG(info.st_mode))
            left -= info.st_size < left ? info.st_size : left;
    return left > 0;
}

unsigned cli_jobs(unsigned asked, const char *const *paths, size_t files)
{
    if (asked > 0)
        return asked;
    if (cli_ranks || are_small(paths, files))
        return 1;
    const unsigned n = cpus();
    return n < CLI_DEFAULT_JOBS ? n : CLI_DEFAULT_JOBS;
}

int cli_thread(pthread_t *thread, void *(*work)(void *ctx), void *ctx)
{
    enum { STACK = 1 << 20 };
    pthread_attr_t room;
    int code = pthread_attr_init(&room);

    if (code)
        return code;
    code = pthread_attr_setstacksize(&room, STACK);
    if (code == 0)
        code = pthread_create(thread, &room, work, ctx);
    pthread_attr_destroy(&room);
    return code;
}
