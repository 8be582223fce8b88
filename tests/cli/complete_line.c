/* SPDX-License-Identifier: MIT */
/*
 * Quoting for bash: what is printed into a line, in each kind of quotes, is read back as the same
 * word; and lines that are cut anywhere are read or refused, no more.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complete/complete.h"

enum { LENGTH = 24, TURNS = 20000 };

/* What is special somewhere in bash, and some that is not. */
static void make_word(struct test_rng *rng, char *out)
{
    static const char alphabet[] = "ab0 \\'\"$`!;&|<>(){}[]*?~#=:%^,./-\t\xc3\xa9";
    const size_t length = 1 + test_rand_below(rng, LENGTH - 1);

    for (size_t i = 0; i < length; i++)
        out[i] = alphabet[test_rand_below(rng, sizeof alphabet - 1)];
    out[length] = '\0';
}

/* The line in which the word stands after what opens the quote; NULL: it cannot. */
static char *line_with(const char *word, enum complete_quote quote, const char **printed)
{
    static const char *const begin[] = { "pcounter stat x=", "pcounter stat x='",
                                         "pcounter stat x=\"" };
    char *line = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&line, &size);

    assert_non_null(file);
    fputs(begin[quote], file);
    const bool possible = complete_line_print(file, word, quote);
    assert_int_equal(fclose(file), 0);
    if (!possible) {
        free(line);
        return NULL;
    }
    *printed = line + strlen(begin[quote]);
    return line;
}

static void there_and_back(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(1, &seed);
    unsigned refused = 0;
    char word[LENGTH + 1], wanted[LENGTH + 3];

    (void)state;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        const enum complete_quote quote = (enum complete_quote)(turn % 3);
        struct complete_line l;
        const char *printed;
        make_word(&rng, word);
        char *line = line_with(word, quote, &printed);
        if (!line) {
            assert_true(quote == COMPLETE_DOUBLE && strchr(word, '!'));
            refused++;
            continue;
        }
        snprintf(wanted, sizeof wanted, "x=%s", word);
        assert_true(complete_line_split(line, printed, &l));
        assert_int_equal(l.words, 3);
        assert_string_equal(l.word[2], wanted);
        assert_int_equal(l.kept, 2);
        assert_int_equal(l.quote, quote);
        assert_false(l.target);
        complete_line_free(&l);
        free(line);
    }
    assert_in_range(refused, 100, TURNS / 3);
}

static void any_line(void **state)
{
    uint64_t seed;
    struct test_rng rng = test_rng_start(2, &seed);
    char line[LENGTH + 1];
    unsigned read = 0;

    (void)state;
    for (unsigned turn = 0; turn < TURNS; turn++) {
        struct complete_line l;
        make_word(&rng, line);
        const size_t length = strlen(line), from = test_rand_below(&rng, (uint32_t)length + 1);
        if (!complete_line_split(line, line + from, &l))
            continue;
        read++;
        assert_in_range(l.words, 1, LENGTH + 1);
        assert_true(l.kept <= strlen(l.word[l.words - 1]));
        complete_line_free(&l);
    }
    assert_in_range(read, TURNS / 20, TURNS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(there_and_back),
                                        cmocka_unit_test(any_line) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
