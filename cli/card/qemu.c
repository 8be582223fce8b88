/* SPDX-License-Identifier: MIT */
/* The QEMU of pcounter card --qemu: whether it is one that was tried, what is added to its command
 * line, start and end. */
#define _GNU_SOURCE /* SOCK_CLOEXEC */
#include "card/qemu.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- which one? ---- */

/* The protocol is QEMU's own, and may be another in the next version. */
static const char *const tried[] = { "7.2" };
#define TRIED "7.2"

enum { PATIENCE_MS = 20000 };

static bool is_tried(const char *version)
{
    for (size_t i = 0; i < sizeof tried / sizeof tried[0]; i++) {
        const size_t length = strlen(tried[i]);
        if (strncmp(version, tried[i], length) == 0 && version[length] == '.')
            return true;
    }
    return false;
}

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Reads a pipe until it is closed.  Returns false if that takes too long or fails. */
static bool read_text(int pipe, char *out, size_t size)
{
    const int64_t end = now_ms() + PATIENCE_MS;
    struct pollfd one = { .fd = pipe, .events = POLLIN };
    size_t done = 0;

    for (;;) {
        const int64_t left = end - now_ms();
        if (left <= 0 || done == size - 1)
            return false;
        const int ready = poll(&one, 1, (int)left);
        if (ready < 0 && errno == EINTR)
            continue;
        const ssize_t got = ready > 0 ? read(pipe, out + done, size - 1 - done) : -1;
        if (got < 0)
            return false;
        out[done += (size_t)got] = '\0';
        if (got == 0)
            return true;
    }
}

static void run_version(const char *file, const char *name, int to)
{
    char *const argv[] = { (char *)(uintptr_t)name, (char[]){ "--version" }, NULL };
    const int none = open("/dev/null", O_RDWR | O_CLOEXEC);

    if (none < 0 || dup2(none, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 ||
        dup2(none, STDERR_FILENO) < 0)
        _exit(CLI_INPUT);
    execv(file, argv);
    _exit(CLI_INPUT);
}

/* Runs the program with --version and reads its answer. */
static bool ask_version(const char *file, const char *name, char *out, size_t size)
{
    int pair[2];

    if (pipe(pair) != 0)
        return false;
    fcntl(pair[0], F_SETFD, FD_CLOEXEC);
    fcntl(pair[1], F_SETFD, FD_CLOEXEC);
    const pid_t pid = fork();
    if (pid == 0)
        run_version(file, name, pair[1]);
    close(pair[1]);
    const bool whole = pid > 0 && read_text(pair[0], out, size);
    close(pair[0]);
    if (pid > 0) {
        if (!whole)
            kill(pid, SIGKILL);
        while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    return whole;
}

static int check_version(const char *file, const char *name)
{
    static const char says[] = "QEMU emulator version ";
    char text[4096];

    if (!ask_version(file, name, text, sizeof text) || strncmp(text, says, strlen(says)) != 0)
        return cli_usage("card",
                         "%s is not a QEMU that emulates a machine: its --version does not "
                         "begin with \"QEMU emulator version\"",
                         name);
    char *version = text + strlen(says);
    version[strcspn(version, " \n")] = '\0';
    if (!is_tried(version))
        return cli_usage("card",
                         "%s is QEMU %.40s; --qemu goes by a protocol of QEMU's own that "
                         "changes with its versions, and was tried with " TRIED,
                         name, version);
    return CLI_OK;
}

/* ---- its command line ---- */

/* Reads "512", "1G", "size=1G,slots=2": bytes; 0: not understood, or too much. */
static uint64_t memory_of(const char *text)
{
    static const struct {
        char letter;
        unsigned shift;
    } units[] = { { 'k', 10 }, { 'm', 20 }, { 'g', 30 }, { 't', 40 } };
    const char *size = strncmp(text, "size=", 5) == 0 ? text : strstr(text, ",size=");
    unsigned shift = 20;
    char *end;

    if (size)
        text = strchr(size, '=') + 1;
    if (text[0] < '0' || text[0] > '9')
        return 0;
    errno = 0;
    const uint64_t value = strtoull(text, &end, 10);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if ((*end | 0x20) == units[i].letter) {
            shift = units[i].shift;
            end++;
            break;
        }
    return errno || (*end && *end != ',') || value > UINT64_C(1) << (50 - shift) ? 0
                                                                                 : value << shift;
}

/* Returns true if it is the option without its dashes, of which QEMU takes one or two. */
static bool is_option(const char *word, const char *name)
{
    return word[0] == '-' && strcmp(word + 1 + (word[1] == '-'), name) == 0;
}

/* Finds how much memory the guest has: as it says, or what a PC has in QEMU. */
static int look_at(char **command, uint64_t *bytes)
{
    *bytes = UINT64_C(128) << 20;
    for (char **word = command + 1; *word; word++) {
        if (strstr(*word, "memory-backend") || strstr(*word, "memdev=") ||
            is_option(*word, "mem-path"))
            return cli_usage("card",
                             "%s: the card has to know the guest's memory, so --qemu says where "
                             "that is; leave it to -m",
                             *word);
        if (!is_option(*word, "m") || !word[1])
            continue;
        *bytes = memory_of(*++word);
        if (*bytes == 0)
            return cli_usage("card", "-m %s: a size of memory is expected, like 512M or 1G", *word);
    }
    return CLI_OK;
}

/* Returns the command with additional options after its name; the caller frees it. NULL: no
 * memory. */
static char **add_options(char **command, uint64_t bytes, int link, char room[2][80])
{
    const char *const ours[] = { "-object", room[0], "-machine", "memory-backend=pcounter",
                                 "-device", room[1] };
    enum { OURS = sizeof ours / sizeof ours[0] };
    size_t n = 0;

    while (command[n])
        n++;
    char **all = calloc(n + OURS + 1, sizeof *all);
    if (!all)
        return NULL;
    snprintf(room[0], 80, "memory-backend-memfd,id=pcounter,size=%" PRIu64 ",share=on", bytes);
    snprintf(room[1], 80, "x-pci-proxy-dev,fd=%d", link);
    all[0] = command[0];
    for (size_t i = 0; i < OURS; i++)
        all[1 + i] = (char *)(uintptr_t)ours[i];
    memcpy(all + 1 + OURS, command + 1, (n - 1) * sizeof *all);
    return all;
}

/* ---- start and end ---- */

static void log_access(void *ctx, const struct card_access *access)
{
    struct qemu_card *card = ctx;

    if (card->log_ended)
        return;
    card->log.ns = access->ns;
    replay_log_transaction(&card->log, access->write, access->size, access->address, access->value);
    card->logged = true;
}

static void tell_in(const struct qemu_card *card, FILE *file)
{
    const struct qemu_memory *m = &card->memory;

    card_device_tell(card->device, file);
    if (m->packets + m->lost > 0)
        fprintf(file,
                "pcounter card: record mode: %" PRIu64 " packets to the guest's memory, %" PRIu64
                " to where it has none\n",
                m->packets, m->lost);
    if (card->log_ended)
        fprintf(file, "pcounter card: the log ends where the guest was reset\n");
}

static int tell(const struct qemu_card *card)
{
    struct cli_out out;

    if (!card->options->report) {
        if (!cli_quiet)
            tell_in(card, stderr);
        return CLI_OK;
    }
    const int code = cli_out_open(&out, card->options->report);
    if (code)
        return code;
    tell_in(card, out.file);
    return cli_out_commit(&out);
}

static void in_child(const void *ctx)
{
    fcntl(*(const int *)ctx, F_SETFD, 0); /* its end of the socket */
}

/* Starts QEMU, and answers it until it ends; its exit code. */
static int run_it(struct qemu_card *card, const char *file, char **command, const int pair[2],
                  const sigset_t *before)
{
    const pid_t pid = card_start(file, command, before, in_child, &pair[1]);

    close(pair[1]);
    const int served = pid < 0 ? CLI_INPUT : qemu_serve(card, pair[0]);
    close(pair[0]);
    if (pid < 0)
        return CLI_INPUT;
    if (served)
        kill(pid, SIGTERM);
    const int code = card_wait(pid);
    return served ? served : code;
}

static int with_device(struct qemu_card *card, const char *file, char **command, uint64_t bytes)
{
    char room[2][80];
    sigset_t before;
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return cli_usage("card", "no socket: %s", strerror(errno));
    char **whole = add_options(command, bytes, pair[1], room);
    if (!whole) {
        close(pair[0]);
        close(pair[1]);
        return cli_no_memory();
    }
    card_hold_signals(&before);
    card_config_reset(&card->config, card->options);
    const int code = run_it(card, file, whole, pair, &before), told = tell(card);
    sigprocmask(SIG_SETMASK, &before, NULL);
    qemu_memory_set(&card->memory, NULL, 0);
    free(whole);
    return told ? told : code;
}

/* Runs it with its log, if one is wanted. */
static int with_log(struct qemu_card *card, const struct card_setup *setup, const char *file,
                    char **command, uint64_t bytes)
{
    const struct card_options *o = card->options;
    int code = o->log ? replay_log_open(&card->log, o->log) : CLI_OK;

    if (code)
        return code;
    if (o->log)
        card_log_begin(&card->log, o, setup);
    code = with_device(card, file, command, bytes);
    if (!o->log)
        return code;
    replay_log_end(&card->log);
    const int written = cli_out_commit(&card->log.out);
    return written ? written : code;
}

/* Checks all that can be wrong before QEMU starts; finds the memory of its guest and the setup. */
static int check(const struct card_options *o, char **command, char *file, size_t size,
                 uint64_t *bytes, struct card_setup *setup)
{
    if (!card_find_command(command[0], file, size))
        return cli_usage("card", "command not found: %s", command[0]);
    int code = look_at(command, bytes);
    if (code == CLI_OK)
        code = check_version(file, command[0]);
    return code == CLI_OK ? card_setup(o, setup) : code;
}

int card_run_qemu(const struct card_options *o, char **command)
{
    struct qemu_card card = { .options = o };
    struct card_setup setup;
    char file[PATH_MAX];
    uint64_t bytes = 0;
    struct pc_error err;
    int code = check(o, command, file, sizeof file, &bytes, &setup);

    if (code)
        return code;
    const struct card_device_desc desc = { .chip = o->chip,
                                           .access_ns = o->access_ns,
                                           .access = o->log ? log_access : NULL,
                                           .ctx = &card,
                                           .packet = qemu_memory_packet,
                                           .packet_ctx = &card.memory,
                                           .rom = o->rom.data,
                                           .rom_size = o->rom.size };
    if (card_device_open(&desc, &card.device, &err) || card_setup_apply(&setup, card.device, &err))
        code = cli_error(&err, "card", NULL);
    else
        code = with_log(&card, &setup, file, command, bytes);
    card_device_close(card.device);
    card_setup_free(&setup);
    return code;
}
