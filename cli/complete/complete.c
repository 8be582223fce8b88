/* SPDX-License-Identifier: MIT */
/*
 * `pcounter complete words WORD...`: candidates for the last word, which may be empty, one a line:
 * the whole word, and after a tab what it is.  `pcounter complete bash LINE REPLACED`: the same
 * for the end of a line, quoted, as bash puts it in place of REPLACED.  The first line says what
 * follows: "words"; "open", candidates that the user will go on with; "files", those of the shell.
 *
 * Options and their values are those of the verb's rows (opt/opt.h): no verb is run.
 */
#include "complete.h"
#include "opt/opt_table.h"
#include "text/regs_text.h"

#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 2 };

/* --- the options of a verb --- */

/* Reads the words as the verb would; the row whose value the last one is, or NULL. */
static const struct opt *read_words(struct complete *c, int argc, char **argv,
                                    const struct opt *rows)
{
    const struct opt_table table = opt_table(rows);

    const char *const word = argv[argc - 1], *const end = word + strlen(word);
    const struct opt *found = NULL;
    int letter;

    opterr = 0;
    optind = 0; /* from the beginning */
    while ((letter = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1) {
        const struct opt *row = opt_row_of(rows, letter);
        const bool last = optarg && optarg >= word && optarg <= end;
        if (!row || !optarg)
            continue;
        if (last) {
            found = row;
            c->from = (size_t)(optarg - word);
        } else {
            c->given[2 * c->givens] = row->name;
            c->given[2 * c->givens++ + 1] = optarg;
        }
    }
    for (; optind < argc && argv[optind] != word; optind++)
        c->operand[c->operands++] = argv[optind];
    return found;
}

static bool has_dashes(char *const *word, int count)
{
    for (int i = 0; i < count; i++)
        if (strcmp(word[i], "--") == 0)
            return true;
    return false;
}

static void offer_words(struct complete *c, const struct opt *row)
{
    const char *word;

    for (size_t i = 0; row->kind->word && (word = row->kind->word(row, i)) != NULL; i++)
        complete_offer(c, word, NULL);
    if (row->kind->offer)
        row->kind->offer(c);
}

static void offer_rows(struct complete *c, const struct opt *rows)
{
    char name[64], about[200];

    for (const struct opt *row = rows; row->name; row++) {
        opt_brief(row, about, sizeof about);
        snprintf(name, sizeof name, "--%s", row->name);
        complete_offer(c, name, about);
        if (!row->letter || c->word[1] == '-')
            continue;
        snprintf(name, sizeof name, "-%c", row->letter);
        complete_offer(c, name, about);
    }
}

static void offer_operand(struct complete *c, const struct opt_operand *operand)
{
    if (!operand || (operand->most > 0 && c->operands >= operand->most))
        return;
    void (*const offer)(struct complete *) = c->operands == 0 ? operand->first : operand->rest;
    if (offer)
        offer(c);
}

static void ask_rows(struct complete *c, int words, char **word)
{
    const struct opt_line *line = opt_line_of(c->verb, words, word);

    c->operand = calloc((size_t)words, sizeof *c->operand);
    c->given = calloc(2 * (size_t)words, sizeof *c->given);
    if (!c->operand || !c->given)
        return;
    const bool dashes = has_dashes(word, words - 1);
    const struct opt *row = read_words(c, words, word, line->row);
    if (row)
        offer_words(c, row);
    else if (c->word[0] == '-' && !dashes)
        offer_rows(c, line->row);
    else
        offer_operand(c, line->operand);
}

/* --- the word at the cursor --- */

static void offer_verbs(struct complete *c)
{
    for (size_t i = 0; i < c->verb_count; i++)
        complete_offer(c, c->verbs[i]->name, c->verbs[i]->summary);
}

/* The word after the program. */
static void first_word(struct complete *c)
{
    offer_verbs(c);
    complete_offer(c, "--help", NULL);
    complete_offer(c, "--version", NULL);
    if (c->verb_count > 2) { /* those of pcounter-mpi are fewer */
        complete_offer(c, "help", "the whole help of a verb");
        complete_offer(c, "--generate", "a script for completion in a shell");
    }
}

static void find_candidates(struct complete *c, int words, char **word)
{
    c->word = word[words - 1];
    if (words == 1) {
        first_word(c);
        return;
    }
    for (size_t i = 0; i < c->verb_count; i++)
        if (strcmp(word[0], c->verbs[i]->name) == 0)
            c->verb = c->verbs[i];
    if (c->verb) {
        ask_rows(c, words, word);
    } else if (words == 2 && strcmp(word[0], "help") == 0) {
        offer_verbs(c);
    } else if (words == 2 && strcmp(word[0], "--generate") == 0) {
        complete_offer(c, "complete-bash", NULL);
        complete_offer(c, "complete-zsh", NULL);
        complete_offer(c, "complete-fish", NULL);
    }
}

static int compare(const void *a, const void *b)
{
    const struct complete_candidate *left = a, *right = b;

    return strcmp(left->text, right->text);
}

/* Returns true if the candidate is a beginning: a scope, or a name that needs a value. */
static bool is_open(const char *text)
{
    const size_t n = strlen(text);

    return n > 0 && strchr(".=", text[n - 1]) != NULL;
}

static const char *what_follows(const struct complete *c)
{
    if (c->files)
        return "files";
    for (size_t i = 0; i < c->count; i++)
        if (is_open(c->candidate[i].text))
            return "open";
    return "words";
}

/* A candidate is the whole word: what stands before it, and it. */
static char *whole(const struct complete *c, size_t i)
{
    const size_t size = c->from + strlen(c->candidate[i].text) + 1;
    char *text = malloc(size);

    if (text)
        snprintf(text, size, "%.*s%s", (int)c->from, c->word, c->candidate[i].text);
    return text;
}

/* line: of bash; NULL: plain words. */
static void print(struct complete *c, const struct complete_line *line)
{
    puts(what_follows(c));
    if (c->count > 0)
        qsort(c->candidate, c->count, sizeof *c->candidate, compare);
    for (size_t i = 0; i < c->count; i++) {
        char *text = whole(c, i);
        if (!text || (i > 0 && compare(&c->candidate[i - 1], &c->candidate[i]) == 0)) {
            free(text);
            continue;
        }
        if (!line) {
            printf("%s\t%s\n", text, c->candidate[i].about);
        } else if (line->kept <= strlen(text) &&
                   complete_line_print(stdout, text + line->kept, line->quote)) {
            putchar('\n');
        }
        free(text);
    }
}

static void release(struct complete *c)
{
    for (size_t i = 0; i < c->count; i++) {
        free(c->candidate[i].text);
        free(c->candidate[i].about);
    }
    free(c->candidate);
    free(c->operand);
    free(c->given);
}

/* --- the program --- */

static void give_up(int number)
{
    (void)number;
    _exit(CLI_LIMIT);
}

/* Whoever presses a key waits, and has a prompt on the screen. */
static void be_quiet_and_quick(void)
{
    const int null = open("/dev/null", O_RDWR);

    if (null >= 0) {
        (void)dup2(null, STDIN_FILENO);
        (void)dup2(null, STDERR_FILENO);
    }
    signal(SIGALRM, give_up);
    alarm(SECONDS);
}

int complete_main(const struct cli_verb *const *verbs, size_t count, int argc, char **argv)
{
    struct complete c = { .verbs = verbs, .verb_count = count };
    struct complete_line line;

    if (argc >= 3 && strcmp(argv[1], "words") == 0) {
        be_quiet_and_quick();
        find_candidates(&c, argc - 2, argv + 2);
        print(&c, NULL);
    } else if (argc == 4 && strcmp(argv[1], "bash") == 0) {
        be_quiet_and_quick();
        if (!complete_line_split(argv[2], argv[3], &line) || line.words < 2 || line.target) {
            puts("files");
            return CLI_OK;
        }
        find_candidates(&c, (int)line.words - 1, line.word + 1);
        print(&c, &line);
        complete_line_free(&line);
    } else {
        return cli_usage(NULL, "pcounter complete is for the scripts of pcounter --generate");
    }
    release(&c);
    return CLI_OK;
}
