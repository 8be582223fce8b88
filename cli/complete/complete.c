/* SPDX-License-Identifier: MIT */
/*
 * `pcounter complete words WORD...`: candidates for the last word, which may be empty, one a line:
 * the whole word, and behind a tab what it is.  `pcounter complete bash LINE REPLACED`: the same
 * for the end of a line, quoted, as bash puts it in place of REPLACED.  The first line says what
 * follows: "words"; "open", candidates that the user will go on with; "files", those of the shell;
 * "unknown", an option whose values are not known here, which is a mistake in complete_value.c.
 *
 * A verb is asked for its options by running it with cli_asker set: it comes as far as its first
 * call of cli_getopt().
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

static struct complete *present; /* cli_asker's functions have no context */
static bool asked;

static const struct option *row_of(const struct option *options, int c, int index)
{
    if (index >= 0)
        return &options[index];
    for (; options->name; options++)
        if (options->val == c)
            return options;
    return NULL;
}

/* Reads the words as the verb would; the row whose value the last one is, or NULL. */
static const struct option *read_words(struct complete *c, int argc, char **argv,
                                       const char *letters, const struct option *options)
{
    const char *const word = argv[argc - 1], *const end = word + strlen(word);
    const struct option *found = NULL;
    int letter, index = -1;

    opterr = 0;
    optind = 0; /* from the beginning */
    while ((letter = getopt_long(argc, argv, letters, options, &index)) != -1) {
        const struct option *row = letter == 1 ? NULL : row_of(options, letter, index);
        const bool last = optarg && optarg >= word && optarg <= end;
        index = -1;
        if (letter == 1 && !last)
            c->operand[c->operands++] = optarg;
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

static void offer_options(struct complete *c, const char *letters, const struct option *options)
{
    for (const struct option *o = options; o->name; o++) {
        char name[64], about[200];
        snprintf(name, sizeof name, "--%s", o->name);
        complete_about(c->verb, o->name, about, sizeof about);
        complete_offer(c, name, about);
    }
    for (; c->word[1] != '-' && *letters; letters++) {
        const char name[] = { '-', *letters, '\0' };
        char about[200] = "";
        const struct option *o = row_of(options, *letters == 'h' ? 'H' : *letters, -1);
        if (!isalnum((unsigned char)*letters))
            continue;
        if (o)
            complete_about(c->verb, o->name, about, sizeof about);
        complete_offer(c, name, about);
    }
}

/* In place of getopt_long(): the first time the work is done, the second time the verb may go. */
static int asked_options(int argc, char **argv, const char *letters, const struct option *options)
{
    static char nothing[1];
    struct complete *c = present;

    if (asked)
        return '?';
    asked = true;
    const bool dashes = has_dashes(argv, argc - 1);
    const struct option *row = read_words(c, argc, argv, letters, options);
    if (row) {
        c->option = row->name;
        optarg = nothing;
        return complete_value(c) ? '?' : row->val;
    }
    if (c->word[0] == '-' && !dashes)
        offer_options(c, letters, options);
    else
        complete_operand(c);
    return '?';
}

static void asked_word(const char *word)
{
    complete_offer(present, word, NULL);
}

static void read_rows(struct complete *c, int words, char **word);
static void ask_verb(struct complete *c, int words, char **word)
{
    static const struct cli_asker asker = { asked_options, asked_word };
    FILE *nowhere = fopen("/dev/null", "w");

    c->operand = calloc((size_t)words, sizeof *c->operand);
    c->given = calloc(2 * (size_t)words, sizeof *c->given);
    if (c->operand && c->given && c->verb->line) {
        read_rows(c, words, word);
    } else if (nowhere && c->operand && c->given) {
        present = c;
        asked = false;
        cli_asker = &asker;
        cli_redirect(nowhere, nowhere);
        (void)c->verb->run(words, word);
        cli_redirect(NULL, NULL);
        cli_asker = NULL;
    }
    if (nowhere)
        fclose(nowhere);
}

/* --- the same of a verb with rows --- */

static void offer_words(struct complete *c, const struct opt *row)
{
    const char *word;

    c->known = true;
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

static void read_rows(struct complete *c, int words, char **word)
{
    const struct opt_line *line = opt_line_of(c->verb, words, word);
    struct opt_table table;

    opt_table(line->row, &table);
    const bool dashes = has_dashes(word, words - 1);
    const struct option *found = read_words(c, words, word, table.letters, table.longs);
    if (found) {
        c->option = found->name;
        offer_words(c, &line->row[found - table.longs]);
    } else if (c->word[0] == '-' && !dashes) {
        offer_rows(c, line->row);
    } else {
        offer_operand(c, line->operand);
    }
}

/* --- the word at the cursor --- */

static void offer_verbs(struct complete *c)
{
    for (size_t i = 0; i < c->verb_count; i++)
        complete_offer(c, c->verbs[i]->name, c->verbs[i]->summary);
}

/* The word behind the program. */
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
        ask_verb(c, words, word);
    } else if (words == 2 && strcmp(word[0], "help") == 0) {
        offer_verbs(c);
    } else if (words == 2 && strcmp(word[0], "--generate") == 0) {
        complete_offer(c, "complete-bash", NULL);
        complete_offer(c, "complete-zsh", NULL);
        complete_offer(c, "complete-fish", NULL);
    } else {
        c->known = true;
    }
}

static int compare(const void *a, const void *b)
{
    const struct complete_candidate *left = a, *right = b;

    return strcmp(left->text, right->text);
}

/* What ends so is a beginning: a scope, a name that wants a value. */
static bool is_open(const char *text)
{
    const size_t n = strlen(text);

    return n > 0 && strchr(".=", text[n - 1]) != NULL;
}

static const char *what_follows(const struct complete *c)
{
    if (c->option && !c->known)
        return "unknown";
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
