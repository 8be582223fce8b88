/* SPDX-License-Identifier: MIT */
/* pcounter VERB ...: finds the verb and hands over. */
#include "cli.h"
#include "complete/complete.h"
#include "opt/opt.h"
#include "text/regs_text.h"
#include "process/converter.h"
#include "process/sandbox.h"
#include "process/simulation.h"
#include "process/thread.h"

#include <signal.h>
#include <string.h>
#include <sys/resource.h>

#define G(title)
#define V(name) &cli_verb_##name,
static const struct cli_verb *const verbs[] = {
#include "verbs.def"
};
#undef V
#undef G
#define VERB_COUNT (sizeof verbs / sizeof verbs[0])

static void print_verbs(FILE *file)
{
#define G(title) { title, NULL },
#define V(name)  { NULL, &cli_verb_##name },
    static const struct {
        const char *title;
        const struct cli_verb *verb;
    } rows[] = {
#include "verbs.def"
    };
#undef V
#undef G

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].verb)
            fprintf(file, "  %-10s %s\n", rows[i].verb->name, rows[i].verb->summary);
        else
            fprintf(file, "%s%s\n", i > 0 ? "\n" : "", rows[i].title);
}

static void print_overview(FILE *file)
{
    fputs("usage: pcounter VERB [OPTION]... [ARGUMENT]...\n\n"
          "Counts events in waveforms, and runs hardware performance counters as software:\n"
          "exact models of NVIDIA's PCOUNTER and PDAEMON's idle counters, and of CVA6's CSR\n"
          "counters.\n\n",
          file);
    print_verbs(file);
    fputs("\n`pcounter VERB -h` prints a summary, `pcounter help VERB` the full manual.\n"
          "`pcounter --generate complete-bash` (-zsh, -fish) prints a script for completion.\n"
          "Exit codes: 0 ok, 1 negative answer, 2 usage or input error, 3 cannot be\n"
          "expressed on this chip, 4 resource limit, 130 interrupted.\n",
          file);
}

static const struct cli_verb *find_verb(const char *name)
{
    for (size_t i = 0; i < VERB_COUNT; i++)
        if (strcmp(name, verbs[i]->name) == 0)
            return verbs[i];
    return NULL;
}

static int no_verb(const char *name)
{
    const char *names[VERB_COUNT + 1] = { NULL };
    char near[100];

    for (size_t i = 0; i < VERB_COUNT; i++)
        names[i] = verbs[i]->name;
    if (name[0] == '-')
        return cli_usage(NULL, "unknown option %s; a verb comes first, like pcounter stat", name);
    cli_near(name, names, near, sizeof near);
    return near[0] ? cli_usage(NULL, "unknown verb \"%s\"; did you mean %s?", name, near)
                   : cli_usage(NULL, "unknown verb \"%s\"", name);
}

/* `pcounter help`, `pcounter help VERB` */
static int help(int argc, char **argv)
{
    const struct cli_verb *verb = argc > 1 ? find_verb(argv[1]) : NULL;

    if (argc > 1 && !verb)
        return no_verb(argv[1]);
    if (verb)
        opt_print_help(stdout, verb, verb->line, true);
    else
        print_overview(stdout);
    return CLI_OK;
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static int run(int argc, char **argv)
{
    static const char *const for_help[] = { "help", "-h", "--help", NULL };
    static const char *const for_version[] = { "-v", "-V", "--version", NULL };
    const struct cli_verb *verb = find_verb(argv[0]);

    if (verb)
        return verb->run(argc, argv);
    if (is_one_of(argv[0], for_help))
        return help(argc, argv);
    if (is_one_of(argv[0], for_version))
        return cli_verb_version.run(argc, argv);
    if (strcmp(argv[0], "--generate") == 0)
        return complete_generate(argc, argv);
    if (strcmp(argv[0], "complete") == 0)
        return complete_main(verbs, VERB_COUNT, argc, argv);
    return no_verb(argv[0]);
}

static int run_program(int argc, char **argv)
{
    cli_hold_streams();
    const struct cli_verb *verb = argc > 1 ? find_verb(argv[1]) : NULL;
    const int begun = cli_simulation_begin(verb, &argc, &argv);
    if (begun)
        return begun;
    cli_converter_begin(verb, argc, argv);
    if (!verb || !verb->starts_programs)
        cli_confine();
    /* A closed pipe or too large a file is an error of write(): files are removed then. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);

    if (argc < 2) {
        print_overview(stderr);
        return CLI_INPUT;
    }
    int code = cli_simulation_end(run(argc - 1, argv + 1));
    cli_converter_end();
    return code == CLI_OK || code == CLI_NO ? cli_written(code) : code;
}

/* --- a stack that suffices --- */

struct call {
    int argc, code;
    char **argv;
};

static void *run_call(void *ctx)
{
    struct call *c = ctx;

    c->code = run_program(c->argc, c->argv);
    return NULL;
}

static bool has_small_stack(void)
{
    enum { ENOUGH = 1 << 20 };
    struct rlimit stack;

    return getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < ENOUGH;
}

/* `ulimit -s 64` is about the first thread alone. */
int main(int argc, char **argv)
{
    struct call call = { argc, CLI_LIMIT, argv };
    pthread_t thread;

    if (!has_small_stack() || cli_thread(&thread, run_call, &call) != 0)
        return run_program(argc, argv);
    pthread_join(thread, NULL);
    return call.code;
}
