/* SPDX-License-Identifier: MIT */
/* Runs the commands that stand in a Markdown file and compares what they print, byte by byte.
 *
 *   transcript [--accept] PROGRAM FILE[:LINE]...
 *     --accept   what comes out becomes right
 *     :LINE      only the command there
 *
 * A block that begins with ```console has commands and what they print:
 *   $ COMMAND      run by sh; "pcounter" is PROGRAM, standard input is empty
 *   > ...          a further line of the command
 *   text           standard output, as it is; then
 *   ! text         each line of standard error
 *   ? N            the exit code, if it is not 0
 *   ? crlf         all lines of standard output end with a carriage return and a newline
 *   ? no newline   its last line has no end
 *   ...            any lines, also none
 *   \text          a line that could be taken for one of these, or that has control characters:
 *                  \\ is a backslash in it, \xHH any character
 * <!-- in: FOLDER -->    where the commands run from here on, as seen from FILE
 * <!-- needs: COMMAND --> what follows, up to the next such line, is left out where COMMAND fails
 * $TMPDIR is a folder that is empty when FILE begins and gone when it ends. */
#define _XOPEN_SOURCE 700
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SECONDS = 300, SKIPPED = 77 };

struct text {
    char *data; /* a NUL follows */
    size_t len, room;
};

struct run {
    const char *file; /* the Markdown */
    char folder[PATH_MAX], work[PATH_MAX], in[PATH_MAX];
    unsigned long only; /* a line; 0: all */
    bool accept, skip;
    unsigned ran, failed, skipped;
};

static void die(const char *what)
{
    fprintf(stderr, "transcript: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void add(struct text *t, const char *s, size_t n)
{
    if (t->len + n + 1 > t->room) {
        t->room = 2 * (t->len + n + 1);
        t->data = realloc(t->data, t->room);
        if (t->data == NULL)
            die("no memory");
    }
    if (n != 0)
        memcpy(t->data + t->len, s, n);
    t->len += n;
    t->data[t->len] = '\0';
}

static void say(struct text *t, const char *s)
{
    add(t, s, strlen(s));
}

static struct text file_text(const char *path)
{
    struct text t = { 0 };
    FILE *f = fopen(path, "rb");
    char part[65536];
    size_t n;
    if (f == NULL)
        die(path);
    say(&t, "");
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        add(&t, part, n);
    fclose(f);
    return t;
}

static void write_file(const char *path, const struct text *t)
{
    FILE *f = fopen(path, "wb");
    if (f == NULL || fwrite(t->data, 1, t->len, f) != t->len || fclose(f) != 0)
        die(path);
}

/* Every FROM of the text becomes TO. */
static void replace(struct text *t, const char *from, const char *to)
{
    struct text out = { 0 };
    size_t at = 0, n = strlen(from);
    say(&out, "");
    while (at < t->len) {
        bool here = t->len - at >= n && memcmp(t->data + at, from, n) == 0;
        add(&out, here ? to : t->data + at, here ? strlen(to) : 1);
        at += here ? n : 1;
    }
    free(t->data);
    *t = out;
}

/* Counts the characters of "-rc1", a dash with letters and digits, at the beginning of a text. */
static size_t suffix(const char *text)
{
    size_t n = 0;

    if (text[0] != '-' || !isalpha((unsigned char)text[1]))
        return 0;
    while (isalnum((unsigned char)text[++n]))
        ;
    return n;
}

/* "pcounter 1.2.3" and "pcounter 1.2.3-rc1" become "pcounter VERSION". */
static void hide_version(struct text *t)
{
    struct text out = { 0 };
    const char *name = "pcounter ", *end = t->data + t->len;
    say(&out, "");
    for (const char *p = t->data; p < end;) {
        unsigned a, b, c;
        int used = 0;
        bool here = strncmp(p, name, strlen(name)) == 0 &&
                    sscanf(p + strlen(name), "%9u.%9u.%9u%n", &a, &b, &c, &used) == 3 &&
                    used != 0 && isdigit((unsigned char)p[strlen(name)]);
        if (here)
            say(&out, "pcounter VERSION");
        else
            add(&out, p, 1);
        p += here ? strlen(name) + (size_t)used : 1;
        p += here ? suffix(p) : 0;
    }
    free(t->data);
    *t = out;
}

static bool has_controls(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (((unsigned char)s[i] < ' ' && s[i] != '\t') || s[i] == 0x7f)
            return true;
    return false;
}

/* A line as it stands in a block. */
static void add_line(struct text *t, const char *s, size_t n, bool error)
{
    static const char *const marks[] = { "$ ", "> ", "! ", "? ", "```", "\\" };
    bool mark = n == 3 && memcmp(s, "...", 3) == 0;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        mark = mark || strncmp(s, marks[i], strlen(marks[i])) == 0;
    if (error)
        say(t, n == 0 ? "!" : "! ");
    if (has_controls(s, n) || (error ? *s == '\\' : mark)) {
        say(t, "\\");
        for (size_t i = 0; i < n; i++) {
            char hex[8];
            snprintf(hex, sizeof hex, s[i] == '\\' ? "\\\\" : "\\x%02X", (unsigned char)s[i]);
            if (s[i] == '\\' || has_controls(s + i, 1))
                say(t, hex);
            else
                add(t, s + i, 1);
        }
    } else {
        add(t, s, n);
    }
    say(t, "\n");
}

static void add_lines(struct text *t, const struct text *from, bool error)
{
    bool crlf = !error && from->len != 0;
    for (size_t i = 0; i < from->len && crlf; i++)
        crlf = from->data[i] != '\n' || (i != 0 && from->data[i - 1] == '\r');
    crlf = crlf && from->data[from->len - 1] == '\n';
    for (size_t at = 0; at < from->len;) {
        const char *end = memchr(from->data + at, '\n', from->len - at);
        size_t n = end != NULL ? (size_t)(end - from->data) - at : from->len - at;
        add_line(t, from->data + at, crlf ? n - 1 : n, error);
        at += n + 1;
    }
    if (crlf)
        say(t, "? crlf\n");
    if (from->len != 0 && from->data[from->len - 1] != '\n')
        say(t, error ? "? no newline of errors\n" : "? no newline\n");
}

static int run_shell(const struct run *r, const char *command, const char *out, const char *err)
{
    pid_t child = fork();
    int status;
    if (child < 0)
        die("fork");
    if (child == 0) {
        int in = open("/dev/null", O_RDONLY), o = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600),
            e = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (in < 0 || o < 0 || e < 0 || dup2(in, 0) < 0 || dup2(o, 1) < 0 || chdir(r->in) != 0)
            _exit(126);
        alarm(SECONDS);
        dup2(e, 2);
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(126);
    }
    if (waitpid(child, &status, 0) != child)
        die("waitpid");
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* What the command prints, as it stands in a block. */
static struct text outcome(const struct run *r, const char *command)
{
    struct text t = { 0 };
    char out[PATH_MAX + 8], err[PATH_MAX + 8];
    snprintf(out, sizeof out, "%s/.out", r->work);
    snprintf(err, sizeof err, "%s/.err", r->work);
    int code = run_shell(r, command, out, err);
    say(&t, "");
    for (int error = 0; error < 2; error++) {
        struct text got = file_text(error ? err : out);
        char tmp[PATH_MAX + 8];
        snprintf(tmp, sizeof tmp, "%s/tmp", r->work);
        replace(&got, tmp, "$TMPDIR");
        hide_version(&got);
        add_lines(&t, &got, error);
        free(got.data);
    }
    if (code != 0) {
        char line[32];
        snprintf(line, sizeof line, "? %d\n", code);
        say(&t, line);
    }
    return t;
}

static size_t line_length(const char *s)
{
    const char *end = strchr(s, '\n');
    return end != NULL ? (size_t)(end - s) + 1 : strlen(s);
}

/* "..." in WANTED stands for any lines. */
static bool matches(const char *wanted, const char *got)
{
    while (*wanted != '\0') {
        size_t n = line_length(wanted);
        if (n == 4 && memcmp(wanted, "...\n", 4) == 0) {
            for (;; got += line_length(got)) {
                if (matches(wanted + n, got))
                    return true;
                if (*got == '\0')
                    return false;
            }
        }
        if (n != line_length(got) || memcmp(wanted, got, n) != 0)
            return false;
        wanted += n;
        got += n;
    }
    return *got == '\0';
}

static void show_difference(const struct run *r, const struct text *wanted, const struct text *got)
{
    char a[PATH_MAX + 16], b[PATH_MAX + 16], command[3 * PATH_MAX];
    snprintf(a, sizeof a, "%s/.wanted", r->work);
    snprintf(b, sizeof b, "%s/.got", r->work);
    write_file(a, wanted);
    write_file(b, got);
    snprintf(command, sizeof command, "diff -u --label wanted --label got '%s' '%s' | head -n 60",
             a, b);
    fflush(stdout);
    if (system(command) < 0)
        die("diff");
}

/* A command at a line of the file, and what is wanted of it; the block's new text goes to OUT. */
static void one_case(struct run *r, unsigned long line, const struct text *command,
                     const struct text *wanted, unsigned long next, struct text *out)
{
    if (r->skip || (r->only != 0 && (r->only < line || r->only >= next))) {
        r->skipped += r->skip;
        add(out, wanted->data, wanted->len);
        return;
    }
    struct text got = outcome(r, command->data);
    r->ran++;
    if (matches(wanted->data, got.data)) {
        add(out, wanted->data, wanted->len);
    } else if (r->accept) {
        add(out, got.data, got.len);
    } else {
        add(out, wanted->data, wanted->len);
        r->failed++;
        printf("%s:%lu: $ %s\n", r->file, line, command->data);
        show_difference(r, wanted, &got);
    }
    free(got.data);
}

/* A block from its first line on; AT comes to stand at its end. */
static void one_block(struct run *r, const char **at, unsigned long *line, struct text *out)
{
    while (**at != '\0' && strncmp(*at, "```", 3) != 0) {
        struct text command = { 0 }, wanted = { 0 };
        unsigned long first = *line;
        if (strncmp(*at, "$ ", 2) != 0) {
            fprintf(stderr, "%s:%lu: a block begins with a command, \"$ ...\"\n", r->file, *line);
            exit(2);
        }
        say(&wanted, "");
        for (size_t n; **at != '\0' && strncmp(*at, "```", 3) != 0; *at += n, ++*line) {
            bool more = wanted.len == 0 && strncmp(*at, "> ", 2) == 0;
            n = line_length(*at);
            if (*line == first || more) {
                add(&command, *at + 2, n - 2);
                add(out, *at, n);
            } else if (strncmp(*at, "$ ", 2) == 0) {
                break;
            } else {
                add(&wanted, *at, n);
            }
        }
        command.data[command.len - 1] = '\0'; /* its newline */
        one_case(r, first, &command, &wanted, *line, out);
        free(command.data);
        free(wanted.data);
    }
}

/* "<!-- NAME: VALUE -->": its value. */
static bool remark(const char *line, const char *name, char *value, size_t size)
{
    char head[32];
    snprintf(head, sizeof head, "<!-- %s: ", name);
    const char *end = strstr(line, " -->");
    if (strncmp(line, head, strlen(head)) != 0 || end == NULL ||
        end - line < (ptrdiff_t)strlen(head))
        return false;
    snprintf(value, size, "%.*s", (int)(end - line - (ptrdiff_t)strlen(head)), line + strlen(head));
    return true;
}

static void obey_remark(struct run *r, const char *line)
{
    char value[PATH_MAX];
    struct stat folder;
    if (remark(line, "in", value, sizeof value)) {
        if (snprintf(r->in, sizeof r->in, "%s/%s", r->folder, value) >= (int)sizeof r->in)
            die(value);
        r->skip = stat(r->in, &folder) != 0 || !S_ISDIR(folder.st_mode);
    } else if (remark(line, "needs", value, sizeof value)) {
        r->skip = run_shell(r, value, "/dev/null", "/dev/null") != 0;
    } else {
        return;
    }
    if (r->skip)
        printf("*** SKIP %s: %s is not there ***\n", r->file, value);
}

static void one_file(struct run *r)
{
    struct text all = file_text(r->file), out = { 0 };
    const char *at = all.data;
    char tmp[PATH_MAX + 8], copy[PATH_MAX];
    snprintf(copy, sizeof copy, "%s", r->file);
    if (realpath(dirname(copy), r->folder) == NULL)
        die(r->file);
    snprintf(r->in, sizeof r->in, "%s", r->folder);
    snprintf(tmp, sizeof tmp, "%s/tmp", r->work);
    if (mkdir(tmp, 0700) != 0 || setenv("TMPDIR", tmp, 1) != 0)
        die(tmp);
    r->skip = false;
    say(&out, "");
    for (unsigned long line = 1; *at != '\0'; line++) {
        size_t n = line_length(at);
        bool block = strncmp(at, "```console", 10) == 0;
        if (!block)
            obey_remark(r, at);
        add(&out, at, n);
        at += n;
        if (block) {
            line++;
            one_block(r, &at, &line, &out);
            n = line_length(at);
            add(&out, at, n);
            at += n;
        }
    }
    if (r->accept && (out.len != all.len || memcmp(out.data, all.data, out.len) != 0))
        write_file(r->file, &out);
    snprintf(copy, sizeof copy, "rm -rf '%.*s'", PATH_MAX - 16, tmp);
    if (system(copy) != 0)
        die(tmp);
    free(all.data);
    free(out.data);
}

/* A folder with PROGRAM as "pcounter" in it, which comes first in PATH. */
static void prepare(struct run *r, const char *program)
{
    char path[PATH_MAX], link[PATH_MAX + 32], *paths;
    const char *base = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/transcript.XXXXXX", base != NULL ? base : "/tmp");
    if (mkdtemp(path) == NULL || realpath(path, r->work) == NULL || realpath(program, path) == NULL)
        die(program);
    snprintf(link, sizeof link, "%s/bin", r->work);
    if (mkdir(link, 0700) != 0)
        die(link);
    const char *old = getenv("PATH");
    size_t size = strlen(link) + strlen(old) + 2;
    paths = malloc(size);
    if (paths == NULL)
        die("no memory");
    snprintf(paths, size, "%s:%s", link, old);
    setenv("PATH", paths, 1);
    setenv("NO_COLOR", "1", 1);
    free(paths);
    strcat(link, "/pcounter");
    if (symlink(path, link) != 0)
        die(link);
}

int main(int argc, char **argv)
{
    struct run r = { 0 };
    char command[PATH_MAX + 16];
    int at = 1;
    if (at < argc && strcmp(argv[at], "--accept") == 0) {
        r.accept = true;
        at++;
    }
    if (argc - at < 2) {
        fprintf(stderr, "usage: transcript [--accept] PROGRAM FILE[:LINE]...\n");
        return 2;
    }
    prepare(&r, argv[at++]);
    for (; at < argc; at++) {
        char *colon = strrchr(argv[at], ':');
        r.only =
            colon != NULL && isdigit((unsigned char)colon[1]) ? strtoul(colon + 1, NULL, 10) : 0;
        if (r.only != 0)
            *colon = '\0';
        r.file = argv[at];
        one_file(&r);
    }
    snprintf(command, sizeof command, "rm -rf '%s'", r.work);
    if (system(command) != 0)
        die(r.work);
    printf("%u passed, %u failed, %u skipped\n", r.ran - r.failed, r.failed, r.skipped);
    if (r.failed == 0 && r.ran == 0)
        return r.skipped != 0 ? SKIPPED : 2;
    return r.failed != 0;
}
