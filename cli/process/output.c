/* SPDX-License-Identifier: MIT */
/*
 * Output files: whole or not there.  What is written to has no name until it is complete, so that
 * nothing is left of a program that is killed.  Where the file system has no such files, it lies
 * beside its final name, and a signal that ends the program removes it.  Beside: through a symbolic
 * link, beside what that points to.
 */
#define _GNU_SOURCE /* O_TMPFILE */
#include "cli.h"
#include "process/unfinished.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

void cli_hold_streams(void)
{
    /* open() takes the lowest that is free */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            return;
}

/* --- names --- */

/* Says why; `path`: NULL is standard output. */
static int cannot_write(const char *path, int reason)
{
    struct pc_error err = { .status = PC_EIO, .code = 901 };

    if (reason == ENOMEM)
        return cli_no_memory();
    snprintf(err.text, sizeof err.text, "cannot write %.300s: %s",
             !path          ? "the output"
             : path[0] == 0 ? "a file without a name"
                            : path,
             strerror(reason));
    return cli_error(&err, NULL, NULL);
}

/*
 * Written to directly: devices, pipes, and what stands for an open file (/dev/stdout, which
 * can be a regular one): a new file never takes their place.  /dev/shm has files like any other.
 */
static bool is_direct(const char *path)
{
    struct stat info;

    return (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0) ||
           strncmp(path, "/proc/", 6) == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

static size_t folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Finds where a link, or a link after a link, points to, there or not; false with errno. */
static bool follow(char target[CLI_PATH], const char *path)
{
    enum { LINKS = 40 };
    char link[CLI_PATH];

    if (strlen(path) >= CLI_PATH) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(target, path, strlen(path) + 1);
    for (int i = 0; i < LINKS; i++) {
        ssize_t n = readlink(target, link, sizeof link);
        if (n < 0)
            return errno == EINVAL || errno == ENOENT; /* no link, or nothing yet */
        size_t folder = n > 0 && link[0] == '/' ? 0 : folder_of(target);
        if (folder + (size_t)n >= CLI_PATH) {
            errno = ENAMETOOLONG;
            return false;
        }
        memcpy(target + folder, link, (size_t)n);
        target[folder + (size_t)n] = '\0';
    }
    errno = ELOOP;
    return false;
}

/* Makes the name of a file beside `path`, cut if there is no room for more, and a suffix. */
static bool name_beside(char out[CLI_PATH], const char *path)
{
    enum { NAME = 240 };
    size_t folder = folder_of(path);
    int n = snprintf(out, CLI_PATH, "%.*s%.*s.XXXXXX", (int)folder, path, NAME, path + folder);

    errno = n < 0 || n >= CLI_PATH ? ENAMETOOLONG : errno;
    return n >= 0 && n < CLI_PATH;
}

/* The name under /proc by which a file without a name gets one. */
struct nameless {
    char path[32];
};

static struct nameless nameless_of(int fd)
{
    struct nameless n;

    snprintf(n.path, sizeof n.path, "/proc/self/fd/%d", fd);
    return n;
}

/* Opens a file without a name in the folder of `path`; -1: there is no such file here. */
static int open_nameless(char name[CLI_PATH], const char *path)
{
#ifdef O_TMPFILE
    snprintf(name, CLI_PATH, "%.*s", (int)folder_of(path), path);
    const int fd = open(name[0] ? name : ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    name[0] = '\0';
    if (fd < 0 || access(nameless_of(fd).path, F_OK) == 0)
        return fd;
    close(fd);
#endif
    (void)name, (void)path;
    return -1;
}

/* Opens the temporary file of `path`; its name is empty if it has none. */
static int open_temporary(char name[CLI_PATH], const char *path)
{
    if (!name_beside(name, path))
        return -1;
    const int fd = open_nameless(name, path);
    if (fd >= 0)
        return fd;
    return name_beside(name, path) ? mkstemp(name) : -1;
}

/* Gives a temporary file without a name one beside its target, which mkstemp() has found free. */
static int name_temporary(struct cli_out *out)
{
    sigset_t before;
    int reason = 0;

    if (out->temporary[0])
        return 0;
    cli_hold_signals(&before);
    for (unsigned again = 0; again < 100; again++) {
        (void)name_beside(out->temporary, out->target);
        const int fd = mkstemp(out->temporary);
        reason = fd < 0 ? errno : 0;
        if (fd < 0)
            break;
        close(fd);
        unlink(out->temporary);
        reason = linkat(AT_FDCWD, nameless_of(fileno(out->file)).path, AT_FDCWD, out->temporary,
                        AT_SYMLINK_FOLLOW)
                     ? errno
                     : 0;
        if (reason != EEXIST)
            break;
    }
    if (reason)
        out->temporary[0] = '\0';
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

/* Finds the file that a name stands for, there or not: its folder, and the name in that. */
static bool place_of(const char *path, char target[CLI_PATH], struct stat *folder)
{
    char name[CLI_PATH];

    if (is_direct(path) || !follow(target, path))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)folder_of(target), target);
    return stat(name[0] ? name : ".", folder) == 0;
}

bool cli_same_output(const char *a, const char *b)
{
    const bool a_standard = !a || strcmp(a, "-") == 0, b_standard = !b || strcmp(b, "-") == 0;
    char first[CLI_PATH], second[CLI_PATH];
    struct stat x, y;

    if (a_standard || b_standard)
        return a_standard && b_standard;
    if (!place_of(a, first, &x) || !place_of(b, second, &y))
        return false;
    if (x.st_dev == y.st_dev && x.st_ino == y.st_ino &&
        strcmp(first + folder_of(first), second + folder_of(second)) == 0)
        return true;
    return stat(first, &x) == 0 && stat(second, &y) == 0 && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* --- open --- */

/* Opens a new file beside the one that it will replace; 0, or why there is none. */
static int open_beside(struct cli_out *out, const char *path)
{
    sigset_t before;
    int fd;

    cli_hold_signals(&before);
    fd = follow(out->target, path) ? open_temporary(out->temporary, out->target) : -1;
    if (fd >= 0)
        out->file = fdopen(fd, "w");
    if (out->file) {
        out->path = path;
        cli_remove_at_signal(out->temporary);
    }
    const int why = errno;
    if (fd >= 0 && !out->file) {
        close(fd);
        unlink(out->temporary);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return out->file ? 0 : why;
}

static void note_in_place(const char *path, const char *what, int why)
{
    cli_note(360, "%s: %s (%s): it is written in place, so a full disk can leave a part of it",
             path, what, strerror(why));
}

/* The folder takes no other file, but the file that is there can be written to. */
static int open_in_place(struct cli_out *out, const char *path, int why)
{
    const bool folder = why == EACCES || why == EPERM || why == EROFS;
    const int fd = folder ? open(out->target, O_WRONLY | O_CLOEXEC) : -1;

    if (fd < 0)
        return cannot_write(path, why);
    close(fd);
    out->file = tmpfile();
    if (!out->file)
        return cannot_write(path, errno);
    note_in_place(path, "its folder takes no new file", why);
    out->path = path;
    out->in_place = true;
    return CLI_OK;
}

/* A FIFO is opened when somebody reads it: until then Ctrl-C is the only way out. */
static int open_direct(struct cli_out *out, const char *path)
{
    snprintf(out->target, sizeof out->target, "%s", path);
    cli_catch_signals();
    out->file = fopen(path, "a");
    out->close = out->file != NULL;
    if (!out->file && errno == EINTR)
        return CLI_INTERRUPTED;
    return out->file ? CLI_OK : cannot_write(path, errno);
}

int cli_out_open(struct cli_out *out, const char *path)
{
    const bool standard = !path || strcmp(path, "-") == 0;
    int code = CLI_OK, why = 0;

    memset(out, 0, sizeof *out);
    if (cli_stdout() != stdout) { /* it is collected: a path is for others then */
        out->file = cli_stdout();
        return CLI_OK;
    }
    if (!cli_writes(out, standard ? "-" : path))
        return cli_would_replace(standard ? "standard output" : path);
    if (standard)
        out->file = stdout;
    else if (is_direct(path))
        code = open_direct(out, path);
    else if ((why = open_beside(out, path)) != 0)
        code = open_in_place(out, path, why);
    if (code != CLI_OK)
        cli_written_to(out);
    return code;
}

/* --- commit, abort --- */

/* Returns the permissions of the file that is replaced, or those of a new one. */
static mode_t mode_of(const char *path)
{
    struct stat info;
    mode_t mask = umask(0);

    umask(mask);
    return stat(path, &info) == 0 ? info.st_mode & 0777 : 0666 & ~mask;
}

/* Notes why the first call failed, of those that are made whatever came before; 0: none has. */
static void note_failure(int *reason, bool failed)
{
    if (failed && *reason == 0)
        *reason = errno;
}

/* Returns why a write has failed in a stream that has nothing left to write. */
static int why_failed(int last)
{
    const int flushed = cli_flush_failed();

    if (flushed)
        return flushed;
    /* it was the last call that failed, or another one that has none of these reasons */
    return last == EPIPE || last == ENOSPC || last == EDQUOT || last == EFBIG ? last : EIO;
}

/* Synchronises with the disk, so that a name never stands for what was lost; some file systems have
 * no such call.
 */
static bool synchronise(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOSYS;
}

/* All of it is there, beside its target: what is left is to take its place.  0, or why not. */
static int finish(struct cli_out *out, int last)
{
    int reason = 0;

    note_failure(&reason, fflush(out->file) != 0);
    if (ferror(out->file) && !reason)
        reason = why_failed(last);
    if (!out->path || out->in_place)
        return reason;
    note_failure(&reason, fchmod(fileno(out->file), mode_of(out->target)) != 0);
    if (!reason)
        note_failure(&reason, !synchronise(fileno(out->file)));
    if (!reason)
        reason = name_temporary(out);
    note_failure(&reason, fclose(out->file) != 0);
    out->file = NULL;
    return reason;
}

/* Copies the file into the target, which stays the same file; a signal comes before or after. */
static int copy_into(struct cli_out *out)
{
    char bytes[1 << 14];
    sigset_t before;

    cli_hold_signals(&before);
    FILE *from = out->in_place ? out->file : fopen(out->temporary, "r");
    FILE *to = from ? fopen(out->target, "w") : NULL;
    int reason = to ? 0 : errno;
    size_t n;

    if (to) {
        rewind(from);
        while ((n = fread(bytes, 1, sizeof bytes, from)) > 0)
            if (fwrite(bytes, 1, n, to) != n)
                break;
        note_failure(&reason, ferror(from) || ferror(to) || fflush(to) != 0);
        if (!reason)
            note_failure(&reason, !synchronise(fileno(to)));
        note_failure(&reason, fclose(to) != 0);
    }
    if (from && !out->in_place)
        fclose(from);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return reason;
}

/* Gives it its name, in place of the file that has it. */
static int publish(struct cli_out *out)
{
    int reason = 0;

    if (!out->path) {
        if (out->close)
            note_failure(&reason, fclose(out->file) != 0);
    } else if (out->in_place) {
        reason = copy_into(out);
        fclose(out->file);
    } else {
        note_failure(&reason, rename(out->temporary, out->target) != 0);
        if (reason == EBUSY || reason == EPERM || reason == EXDEV) {
            note_in_place(out->path, "it cannot be replaced", reason);
            reason = copy_into(out);
            unlink(out->temporary);
        } else if (reason) {
            unlink(out->temporary);
        }
        cli_keep_at_signal(out->temporary); /* a signal before finds it, or that it has its name */
    }
    cli_written_to(out);
    return reason;
}

/* Reports what went wrong; a pipe that is not read any more is not reported. */
static int tell_reason(const struct cli_out *out, int reason)
{
    if (reason == EPIPE && !out->path)
        return CLI_INPUT;
    return cannot_write(out->path ? out->path : out->close ? out->target : NULL, reason);
}

int cli_out_commit_all(struct cli_out *const *out, size_t count)
{
    const int last = errno;
    int code = CLI_OK;

    for (size_t i = 0; i < count && code == CLI_OK; i++) {
        const int reason = finish(out[i], last);
        if (reason)
            code = tell_reason(out[i], reason);
    }
    for (int pass = 0; pass < 2; pass++) /* what can fail yet comes first */
        for (size_t i = 0; i < count; i++) {
            if (out[i]->in_place != (pass == 0))
                continue;
            if (code != CLI_OK) {
                cli_out_abort(out[i]);
                continue;
            }
            const int reason = publish(out[i]);
            if (reason)
                code = tell_reason(out[i], reason);
        }
    return code;
}

int cli_out_commit(struct cli_out *out)
{
    return cli_out_commit_all(&out, 1);
}

void cli_out_abort(struct cli_out *out)
{
    if (out->file && (out->path || out->close))
        fclose(out->file);
    if (out->path && !out->in_place)
        unlink(out->temporary);
    cli_keep_at_signal(out->temporary);
    cli_written_to(out);
}

int cli_written(int code)
{
    struct cli_out out = { .file = stdout };
    int written = cli_out_commit(&out);

    return written == CLI_OK ? code : written;
}

int cli_into(const char *path, int (*work)(void *ctx), void *ctx)
{
    struct cli_out out;
    int code = cli_out_open(&out, path);

    if (code)
        return code;
    if (out.file == cli_stdout())
        return work(ctx);
    const struct cli_streams before = cli_streams();
    cli_redirect(out.file, before.err);
    code = work(ctx);
    cli_redirect(before.out, before.err);
    if (code != CLI_OK && code != CLI_NO) {
        cli_out_abort(&out);
        return code;
    }
    int written = cli_out_commit(&out);
    return written ? written : code;
}
