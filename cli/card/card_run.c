/* SPDX-License-Identifier: MIT */
/* The command of pcounter card. */
#define _GNU_SOURCE /* execvpe */
#include "card/card.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef PC_HAVE_CARD

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "card/preload/names.h"

/* ---- can it be shown a card? ---- */

/* Does a program ask for the loader, which reads LD_PRELOAD? */
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
        return cli_usage("card", "valgrind runs no program with a card: it does not tell what "
                                 "kind of access has failed");
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
        return cli_usage("card", "%s is no program for x86-64", file);
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

static void set_environment(const struct card_options *o, const char *folder, const char *preload)
{
    const char *others = getenv("LD_PRELOAD");
    char text[2 * PATH_MAX];

    snprintf(text, sizeof text, "%s %" PRIu64 " %d", o->chip->name, o->access_ns, o->log != NULL);
    setenv(CARD_DESC, text, 1);
    setenv(CARD_ROOT, folder, 1);
    snprintf(text, sizeof text, "%s%s%s", preload, others ? ":" : "", others ? others : "");
    setenv("LD_PRELOAD", text, 1);
}

/* ---- the process ---- */

/* What the processes with the card have told, one after the other. */
static int tell(const char *folder, const char *report)
{
    char path[CLI_PATH], *text;
    size_t size;
    struct cli_out out = { .file = NULL };
    int code = CLI_OK;

    if (snprintf(path, sizeof path, "%s/" CARD_REPORT, folder) >= CLI_PATH)
        return CLI_INPUT;
    if (access(path, F_OK) != 0) { /* no process has used it */
        text = calloc(1, 1);
        size = 0;
        if (!text)
            return cli_no_memory();
    } else if ((code = cli_read_file("card", path, 1 << 24, &text, &size)) != CLI_OK) {
        return code;
    }
    if (report && (code = cli_out_open(&out, report)) == CLI_OK) {
        fwrite(text, 1, size, out.file);
        code = cli_out_commit(&out);
    } else if (!report && !cli_quiet) {
        fwrite(text, 1, size, stderr);
    }
    free(text);
    return code;
}

struct environment {
    const struct card_options *options;
    const char *folder, *preload;
};

static void in_child(const void *ctx)
{
    const struct environment *e = ctx;

    set_environment(e->options, e->folder, e->preload);
}

/* Starts the command in the folder, and waits; an exit code. */
static int start(const struct card_options *o, char **command, const char *file, const char *folder,
                 const sigset_t *before)
{
    char preload[PATH_MAX];
    const struct environment e = { o, folder, preload };

    if (!find_preload(preload, sizeof preload))
        return cli_usage("card", "%s is not beside this program", PC_CARD_FILE);
    const pid_t pid = card_start(file, command, before, in_child, &e);
    return pid < 0 ? CLI_INPUT : card_wait(pid);
}

/* With signals held. */
static int run_held(const struct card_options *o, char **command, const char *file,
                    const struct card_setup *setup, const sigset_t *before)
{
    struct replay_log log = { .unit = NULL };
    char folder[CLI_PATH];
    int code = o->log ? replay_log_open(&log, o->log) : CLI_OK, told = CLI_OK;

    if (code)
        return code;
    code = card_files_make(o, setup, folder, sizeof folder);
    if (code) {
        if (o->log)
            cli_out_abort(&log.out);
        return code;
    }
    code = start(o, command, file, folder, before);
    told = tell(folder, o->report);
    if (o->log) {
        const int logged = card_log_write(o, setup, folder, &log);
        told = told ? told : logged;
    }
    card_files_remove(folder);
    return told ? told : code;
}

int card_run(const struct card_options *o, char **command)
{
    struct card_setup setup;
    char file[PATH_MAX];
    sigset_t before;

    if (!card_find_command(command[0], file, sizeof file))
        return cli_usage("card", "there is no command %s", command[0]);
    int code = check_command(command[0], file);
    if (code == CLI_OK)
        code = card_setup(o, &setup);
    if (code)
        return code;
    card_hold_signals(&before);
    code = run_held(o, command, file, &setup, &before);
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
