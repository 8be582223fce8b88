/* SPDX-License-Identifier: MIT */
/* The process that starts a simulation, hands it the stream, and ends it (simulation.h). */
#define _GNU_SOURCE /* struct ucred, accept4, execvpe */
#include "process/simulation.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "pcounter/tap.h"

enum { PATIENCE_MS = 2000 }; /* between asking to end and killing */

struct keeping {
    const struct simulation_keeper *k;
    pid_t command; /* 0: not started */
    int stream;    /* -1: handed over, or closed */
    pid_t counted; /* the process that has it; 0: none yet */
    bool ended;    /* the command */
};

/* --- the stream, before a simulator has it --- */

/* Tells the reader that there will be nothing. */
static void tell_failure(struct keeping *s, unsigned char why, const char *text)
{
    unsigned char record[500] = PC_TAP_MAGIC;
    size_t length = strlen(text), at = PC_TAP_HEAD;

    if (s->stream < 0)
        return;
    length = length > 400 ? 400 : length;
    record[at++] = 'F';
    record[at++] = why;
    if (length > 0x7f)
        record[at++] = (unsigned char)(0x80 | (length & 0x7f));
    record[at++] = (unsigned char)(length > 0x7f ? length >> 7 : length);
    memcpy(record + at, text, length);
    (void)!send(s->stream, record, at + length, MSG_NOSIGNAL);
    close(s->stream);
    s->stream = -1;
}

/* --- connections --- */

static pid_t parent_of(pid_t pid)
{
    char path[40], text[400];
    int parent = 0;

    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    const size_t got = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file)
        fclose(file);
    text[got] = '\0';
    const char *end = strrchr(text, ')'); /* a name may have anything in it */
    if (!end || sscanf(end + 1, " %*c %d", &parent) != 1)
        return 0;
    return parent;
}

/* Returns true if it was started by the command, at whatever distance. */
static bool is_descendant(pid_t pid)
{
    for (unsigned steps = 0; pid > 1 && steps < 1000; steps++, pid = parent_of(pid))
        if (pid == getpid())
            return true;
    return false;
}

static void hand_over(struct keeping *s, int fd, pid_t to)
{
    union {
        struct cmsghdr head;
        char space[CMSG_SPACE(sizeof(int))];
    } control = { .space = { 0 } };
    struct iovec data = { (char[]){ 1 }, 1 };
    struct msghdr m = { .msg_iov = &data,
                        .msg_iovlen = 1,
                        .msg_control = control.space,
                        .msg_controllen = sizeof control.space };

    control.head.cmsg_level = SOL_SOCKET;
    control.head.cmsg_type = SCM_RIGHTS;
    control.head.cmsg_len = CMSG_LEN(sizeof s->stream);
    memcpy(CMSG_DATA(&control.head), &s->stream, sizeof s->stream);
    if (sendmsg(fd, &m, MSG_NOSIGNAL) < 0)
        return;
    close(s->stream);
    s->stream = -1;
    s->counted = to;
}

static void refuse(int fd, const char *why)
{
    (void)!send(fd, why, strlen(why), MSG_NOSIGNAL);
}

static void answer(struct keeping *s)
{
    const int fd = accept4(s->k->listener, NULL, NULL, SOCK_CLOEXEC);
    struct ucred who = { .pid = 0 };
    socklen_t size = sizeof who;
    char text[120];

    if (fd < 0)
        return;
    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) != 0 || who.uid != geteuid() ||
        !is_descendant(who.pid)) {
        refuse(fd, "this process was not started by pcounter's command");
    } else if (s->counted) {
        snprintf(text, sizeof text, "process %d of this command is counted already",
                 (int)s->counted);
        refuse(fd, text);
    } else if (s->stream < 0) {
        refuse(fd, "pcounter has ended");
    } else {
        hand_over(s, fd, who.pid);
    }
    close(fd);
}

/* --- the command --- */

_Noreturn static void become_command(const struct simulation_keeper *k, int failed)
{
    const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    const bool terminal = k->input < 0 || isatty(k->input);
    sigset_t none;

    prctl(PR_SET_PDEATHSIG, (unsigned long)SIGTERM);
    for (int i = 1; i < 32; i++)
        signal(i, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    (void)dup2(terminal ? nothing : k->input, STDIN_FILENO);
    if (!k->keeps_output)
        (void)dup2(STDERR_FILENO, STDOUT_FILENO);
    setenv(PC_TAP_PATH, k->socket, 1);
    execvp(k->command[0], k->command);
    const int reason = errno;
    (void)!write(failed, &reason, sizeof reason);
    _exit(127);
}

static void start(struct keeping *s)
{
    int failed[2] = { -1, -1 }, reason = 0;
    char text[300];

    if (pipe2(failed, O_CLOEXEC) != 0 || (s->command = fork()) < 0) {
        tell_failure(s, PC_TAP_NOT_STARTED, "no process");
        s->ended = true;
        return;
    }
    if (s->command == 0)
        become_command(s->k, failed[1]);
    close(failed[1]);
    if (read(failed[0], &reason, sizeof reason) == (ssize_t)sizeof reason) {
        snprintf(text, sizeof text, "cannot start %.200s: %s", s->k->command[0], strerror(reason));
        tell_failure(s, PC_TAP_NOT_STARTED, text);
    }
    close(failed[0]);
}

/* Reports how a command ended that no simulator has connected from. */
static void tell_end(struct keeping *s, int status)
{
    char text[300];

    if (WIFEXITED(status))
        snprintf(text, sizeof text, "%.200s ended with %d, and no simulation in it had connected",
                 s->k->command[0], WEXITSTATUS(status));
    else
        snprintf(text, sizeof text, "%.200s was killed by signal %d before it connected",
                 s->k->command[0], WTERMSIG(status));
    tell_failure(s, PC_TAP_NOT_CONNECTED, text);
}

/* false: no process is left. */
static bool reap(struct keeping *s)
{
    for (;;) {
        int status;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid < 0)
            return errno != ECHILD;
        if (pid == 0)
            return true;
        if (pid != s->command)
            continue;
        s->ended = true;
        tell_end(s, status);
        (void)!write(s->k->outcome, &status, sizeof status);
    }
}

/* Ends the processes that the command has left. */
static void end_all(struct keeping *s)
{
    const struct timespec moment = { .tv_nsec = 10000000 };

    (void)kill(0, SIGTERM);
    (void)kill(0, SIGCONT);
    for (int ms = 0; reap(s) && ms < PATIENCE_MS; ms += 10)
        nanosleep(&moment, NULL);
    if (!reap(s))
        return;
    simulation_remove_folder(s->k);
    (void)kill(0, SIGKILL);
}

_Noreturn void simulation_keep(const struct simulation_keeper *k)
{
    struct keeping s = { .k = k, .stream = k->stream };
    sigset_t blocked;

    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1UL);
    sigfillset(&blocked);
    sigprocmask(SIG_BLOCK, &blocked, NULL);
    const int children = signalfd(-1, &blocked, SFD_CLOEXEC | SFD_NONBLOCK);
    struct pollfd p[] = { { .fd = k->orders, .events = POLLIN },
                          { .fd = k->listener, .events = POLLIN },
                          { .fd = children, .events = POLLIN } };
    for (;;) {
        char order;
        struct signalfd_siginfo signal;
        if (poll(p, 3, -1) < 0)
            continue;
        if (p[0].revents) {
            if (read(k->orders, &order, 1) != 1)
                break; /* the verb has ended */
            start(&s);
        }
        if (p[1].revents)
            answer(&s);
        while (p[2].revents && read(children, &signal, sizeof signal) == (ssize_t)sizeof signal)
            ;
        if (s.command > 0)
            (void)reap(&s);
    }
    if (s.command > 0)
        end_all(&s);
    simulation_remove_folder(k);
    _exit(0);
}
