/* SPDX-License-Identifier: MIT */
/* Explains what is wrong with a word that getopt_long() refused. */
#include "opt/opt_table.h"

#include <string.h>

/* Returns the word of the option that getopt_long() refused when it returned c. */
static const char *option_word(int c, char *const *argv, char letter[3])
{
    const char *last = argv[optind - 1];

    if (strncmp(last, "--", 2) == 0 && (c == ':' || optopt == 0))
        return last;
    snprintf(letter, 3, "-%c", optopt > ' ' && optopt < 0x7f ? optopt : '?');
    return letter;
}

/* The option that `word` (--name=value) gave a value that it does not take; NULL: none. */
static const struct option *option_valued(const char *word, const struct option *options)
{
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;

    for (; equals && options && options->name; options++)
        if (options->val == optopt && options->has_arg == no_argument &&
            strncmp(word + 2, options->name, (size_t)(equals - word) - 2) == 0)
            return options;
    return NULL;
}

/* Is it an option of these rows, by its long name or by its letter? */
static bool is_option_of(const struct opt_line *line, const char *name, size_t length, char letter)
{
    for (const struct opt *row = line->row; row->name; row++)
        if (letter ? row->letter == letter
                   : strlen(row->name) == length && strncmp(row->name, name, length) == 0)
            return true;
    return false;
}

/* Refuses an option that the verb has in its other form only; CLI_OK: it has it in none. */
static int other_form(const struct cli_verb *verb, const struct opt_line *line, const char *word)
{
    const struct opt_line *other = line == verb->line ? verb->other : verb->line;
    const bool is_long = word[1] == '-';
    const char *name = word + 1 + is_long;
    const size_t length = strcspn(name, "=");

    if (!other || length == 0 || !is_option_of(other, name, length, is_long ? '\0' : name[0]))
        return CLI_OK;
    return other->form ? cli_usage(line->name, "%.*s needs %s", (int)length + 1 + is_long, word,
                                   other->form)
                       : cli_usage(line->name, "%.*s does not go with %s",
                                   (int)length + 1 + is_long, word, line->form);
}

/* An unknown long option, or the beginning of several. */
static int no_option(const char *verb, const char *word, const struct option *options)
{
    enum { MOST = 48 };
    const char *names[MOST + 1] = { NULL };
    char name[64], text[200] = "";
    size_t length = strcspn(word, "="), used = 0, begun = 0;

    snprintf(name, sizeof name, "%.*s", (int)length, word);
    length = strlen(name);
    for (size_t i = 0; i < MOST && options && options[i].name; i++) {
        names[i] = options[i].name;
        if (length == 0 || strncmp(name, names[i], length) != 0 || used >= sizeof text)
            continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s--%s", begun ? ", " : "",
                                 names[i]);
        begun++;
    }
    if (begun > 1)
        return cli_usage(verb, "--%s is the beginning of several options: %s", name, text);
    cli_near(name, names, text, sizeof text);
    return text[0] ? cli_usage(verb, "unknown option --%s; did you mean --%s?", name, text)
                   : cli_usage(verb, "unknown option --%s", name);
}

int opt_refuse(const struct cli_verb *verb, const struct opt_line *line, int c, char *const *argv,
               const struct option *options)
{
    const struct option *valued = c == '?' ? option_valued(argv[optind - 1], options) : NULL;
    char letter[3];
    const char *word = option_word(c, argv, letter);

    if (c == ':')
        return cli_usage(line->name, "%s needs a value", word);
    if (valued)
        return cli_usage(line->name, "--%s takes no value", valued->name);
    if (other_form(verb, line, word))
        return CLI_INPUT;
    if (word == letter)
        return cli_usage(line->name, "unknown option %s", word);
    return no_option(line->name, word + 2, options);
}
