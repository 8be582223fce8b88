/* SPDX-License-Identifier: MIT */
/* The command of pcounter card. */
#define _GNU_SOURCE
#include "card/card.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef PC_HAVE_CARD

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "card/serve.h"

/* ---- can it be shown a card? ---- */

/* Returns true if a program asks for the loader, which reads LD_PRELOAD. */
static bool is_dynamic(const uint8_t *data, size_t size)
{
    const Elf64_Ehdr *head = (const void *)data;

    for (size_t i = 0; i < head->e_phnum; i++) {
        Elf64_Phdr row;
        if (head->e_phoff > size || (i + 1) * sizeof row > size - head->e_phoff)
            return true; /* not in its beginning: it is given the chance */
        memcpy(&row, data + head->e_phoff + i * sizeof row, sizeof row);
        if (row.p_type == PT_INTERP)
            return true;
    }
    return false;
}

static int check_command(const char *name, const char *file)
{
    _Alignas(Elf64_Ehdr) uint8_t data[4096];
    const char *last = strrchr(name, '/');
    struct stat what;

    if (strcmp(last ? last + 1 : name, "valgrind") == 0)
        return cli_usage("card", "valgrind cannot run a program with a card: it does not report "
                                 "which kind of access failed");
    if (stat(file, &what) == 0 && (what.st_mode & S_ISUID && what.st_uid != getuid()))
        return cli_usage("card", "%s is a setuid program, which takes no card", file);
    const int fd = open(file, O_RDONLY | O_CLOEXEC);
    const ssize_t got = fd < 0 ? 0 : read(fd, data, sizeof data);
    if (fd >= 0)
        close(fd);
    if (got < (ssize_t)sizeof(Elf64_Ehdr) || memcmp(data, ELFMAG, SELFMAG) != 0)
        return CLI_OK; /* a script: its interpreter is given the chance */
    if (data[EI_CLASS] != ELFCLASS64 ||
        ((const Elf64_Ehdr *)(const void *)data)->e_machine != EM_X86_64)
        return cli_usage("card", "%s is not a program for x86-64", file);
    if (!is_dynamic(data, (size_t)got))
        return cli_usage("card", "%s is a static program, which takes no card", file);
    return CLI_OK;
}

/* ---- what is loaded into it ---- */

/* Beside the program: as installed, or as built. */
static bool find_preload(char *out, size_t size)
{
    static const char *const places[] = { "../" PC_CARD_LIBDIR "/pcounter/" PC_CARD_FILE,
                                          PC_CARD_FILE };
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);

    if (length <= 0)
        return false;
    self[length] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if ((size_t)snprintf(out, size, "%s/%s", self, places[i]) < size && access(out, R_OK) == 0)
            return true;
    return false;
}

static void load_into_command(const char *preload)
{
    const char *others = getenv("LD_PRELOAD"), *asan = getenv("ASAN_OPTIONS");
    char text[2 * PATH_MAX];

    snprintf(text, sizeof text, "%s%s%s", preload, others ? ":" : "", others ? others : "");
    setenv("LD_PRELOAD", text, 1);
    /* AddressSanitizer's library may come after the card's, and would refuse that. */
    snprintf(text, sizeof text, "verify_asan_link_order=0%s%s", asan ? ":" : "", asan ? asan : "");
    setenv("ASAN_OPTIONS", text, 1);
}

/* ---- the command ---- */

struct run {
    struct card_server server;
    struct card_keeper keeper;
    struct replay_log log;
    struct cli_out report;
    const char *file;
    char **command;
    char preload[PATH_MAX];
};

/* The keeper returns in the command's process. */
static void in_child(const void *ctx)
{
    const struct run *r = ctx;

    card_keep(&r->keeper);
    load_into_command(r->preload);
}

/* Waits for what the keeper says, and takes what is written to the card's files; false: it was
 * killed. */
static bool wait_for_end(struct run *r, struct card_end *end)
{
    struct pollfd at[] = { { .fd = r->keeper.link[0], .events = POLLIN },
                           { .fd = r->server.changes, .events = POLLIN } };
    char some[4096];

    for (;;) {
        if (poll(at, 2, -1) < 0) {
            if (errno == EINTR)
                continue;
            return false;
        }
        if (at[1].revents) {
            while (read(r->server.changes, some, sizeof some) > 0)
                ;
            card_server_settle(&r->server);
        }
        if (at[0].revents)
            return read(r->keeper.link[0], end, sizeof *end) == (ssize_t)sizeof *end;
    }
}

/* Serves until the command and all that it started have ended; an exit code. */
static int serve(struct run *r, pid_t keeper)
{
    struct card_end end = { .code = 128 + SIGKILL };

    close(r->keeper.link[1]);
    if (!card_server_start(&r->server)) {
        close(r->keeper.link[0]); /* which ends them all */
        r->keeper.link[0] = -1;
        card_wait(keeper);
        return cli_usage("card", "no thread for the card");
    }
    if (!wait_for_end(r, &end))
        end.ended = card_end_children(true);
    card_server_stop(&r->server);
    if (end.ended > 0)
        cli_note(831, "%u process%s of the command still ran when it had ended, and %s ended",
                 end.ended, end.ended == 1 ? "" : "es", end.ended == 1 ? "was" : "were");
    return end.code;
}

/* Files of the options, whole. */
static int write_files(struct run *r)
{
    const struct card_options *o = r->server.options;
    struct cli_out *out[2];
    size_t count = 0;

    if (o->report) {
        card_server_tell(&r->server, r->report.file);
        out[count++] = &r->report;
    } else if (!cli_quiet) {
        card_server_tell(&r->server, stderr);
    }
    if (o->log) {
        replay_log_end(&r->log);
        out[count++] = &r->log.out;
    }
    return cli_out_commit_all(out, count);
}

static void abort_outputs(struct run *r)
{
    if (r->server.options->report)
        cli_out_abort(&r->report);
    if (r->server.options->log)
        cli_out_abort(&r->log.out);
}

/* Starts with all that the command needs. */
static int start(struct run *r, const sigset_t *before)
{
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, r->keeper.link) != 0)
        return abort_outputs(r), cli_usage("card", "no socket: %s", strerror(errno));
    r->keeper.before = *before;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const pid_t keeper = card_start(r->file, r->command, before, in_child, r);
    if (keeper < 0) {
        close(r->keeper.link[0]);
        close(r->keeper.link[1]);
        abort_outputs(r);
        return CLI_INPUT;
    }
    const int code = serve(r, keeper), written = write_files(r);
    if (r->keeper.link[0] >= 0)
        close(r->keeper.link[0]);
    card_wait(keeper); /* it has nothing to remove */
    return written ? written : code;
}

static int open_outputs(struct run *r)
{
    const struct card_options *o = r->server.options;
    int code = o->log ? replay_log_open(&r->log, o->log) : CLI_OK;

    if (code == CLI_OK && o->report && (code = cli_out_open(&r->report, o->report)) && o->log)
        cli_out_abort(&r->log.out);
    return code;
}

/* Runs with signals held. */
static int run_held(struct run *r, struct card_setup *setup, const sigset_t *before)
{
    const struct card_options *o = r->server.options;

    if (!find_preload(r->preload, sizeof r->preload))
        return cli_usage("card", "%s is not beside this program", PC_CARD_FILE);
    r->server.log = o->log ? &r->log : NULL;
    int code = card_server_open(&r->server, setup);
    if (code == CLI_OK && (code = open_outputs(r)) == CLI_OK) {
        if (o->log)
            card_log_begin(&r->log, o, setup);
        code = start(r, before);
    }
    card_server_close(&r->server);
    return code;
}

int card_run(const struct card_options *o, char **command)
{
    struct run run = { .server = { .options = o, .lock = PTHREAD_MUTEX_INITIALIZER },
                       .command = command };
    struct card_setup setup;
    char file[PATH_MAX];
    sigset_t before;

    if (!card_find_command(command[0], file, sizeof file))
        return cli_usage("card", "command not found: %s", command[0]);
    int code = check_command(command[0], file);
    if (code == CLI_OK)
        code = card_setup(o, &setup);
    if (code)
        return code;
    run.file = file;
    card_hold_signals(&before);
    code = run_held(&run, &setup, &before);
    sigprocmask(SIG_SETMASK, &before, NULL);
    card_setup_free(&setup);
    return code;
}

#else

int card_run(const struct card_options *o, char **command)
{
    (void)o, (void)command;
    return cli_usage("card", "this build has no card: it is for Linux on x86-64 with libzydis-dev, "
                             "without sanitizers");
}

#endif
