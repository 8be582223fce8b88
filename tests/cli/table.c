/* SPDX-License-Identifier: MIT */
/* The printer of tables (cli/text/table.h): widths, marks, what a narrow terminal has no room for,
 * and what of it is Markdown (cli/text/page.h). */
#define _XOPEN_SOURCE 700
#include "text/table.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "text/page.h"

static int failures;

static void compare(const char *name, const char *got, const char *wanted)
{
    if (strcmp(got, wanted) == 0)
        return;
    printf("FAILED: %s\n--- wanted\n%s--- got\n%s", name, wanted, got);
    failures++;
}

/* A table of three columns, of which the second is the first to be left out. */
static void print(FILE *out, bool streams, bool bare)
{
    static const struct cli_column column[] = {
        { .head = "count", .width = 7 },
        { .head = "share", .lost = 1 },
        { .head = "name", .left = true, .most = 10, .apart = true },
        { .named = "note", .left = true },
    };
    const struct cli_look look = {
        .indent = 1, .gap = 2, .widest = 40, .streams = streams, .bare = bare
    };
    struct cli_table *t = cli_table_open(out, &look);

    cli_table_columns(t, column, 4);
    if (streams)
        cli_table_head(t);
    cli_cell_count(t, 1234567);
    cli_cell_print(t, "%.2f %%", 12.5);
    cli_cell(t, "größe");
    cli_row_end(t);
    cli_cell_marked(t, "8", '*');
    cli_cell(t, "-");
    cli_cell(t, "a\nb");
    cli_cell(t, "odd");
    cli_row_end(t);
    cli_row_end(t);
    cli_cell_count(t, 1);
    cli_cell_rest(t, "%s", "all that follows is this");
    cli_row_end(t);
    if (cli_table_close(t))
        failures++;
}

static void print_text(const char *name, bool streams, bool bare, const char *wanted)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    print(out, streams, bare);
    fclose(out);
    compare(name, text, wanted);
    free(text);
}

static const char kept[] = "     count    share  name\n"
                           " 1,234,567  12.50 %  größe\n"
                           "         8*       -  a\\x0ab  odd\n"
                           "\n"
                           "         1  all that follows is this\n";

/* A long name has a line of its own in a table that is kept. */
static void print_apart(void)
{
    static const struct cli_column column[] = {
        { .head = "name", .left = true, .most = 6, .apart = true }, { .head = "n" }
    };
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    struct cli_table *t = cli_table_open(out, &(struct cli_look){ .gap = 1 });

    cli_table_columns(t, column, 2);
    cli_cell(t, "a longer name");
    cli_cell(t, "1");
    cli_row_end(t);
    cli_cell(t, "short");
    cli_cell(t, "22");
    cli_row_end(t);
    if (cli_table_close(t))
        failures++;
    fclose(out);
    compare("a long name", text, "name   n\na longer name\n       1\nshort 22\n");
    free(text);
}

/* The marks of a page are what Markdown is made of, and nothing else differs from the text. */
static void print_page(void)
{
    struct cli_page page = { .file = NULL };
    char plain[2000];
    size_t used = 0;
    bool hidden = false;

    if (!cli_page_open(&page, NULL) || cli_page_of(page.file) != &page || cli_page_of(stdout)) {
        printf("FAILED: a page is found by its file alone\n");
        failures++;
        return;
    }
    print(page.file, false, false);
    fflush(page.file);
    for (size_t i = 0; i < page.size && used + 1 < sizeof plain; i++) {
        hidden ^= page.text[i] == CLI_PAGE_MARKDOWN;
        if (!hidden && !cli_page_is_mark(page.text[i]))
            plain[used++] = page.text[i];
    }
    plain[used] = '\0';
    compare("a page without its marks", plain, kept);
    cli_page_close(&page);
    if (cli_page_of(stdout))
        failures++;
}

/* On a terminal of so many columns. */
static void print_terminal(const char *name, unsigned short columns, const char *wanted)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    const struct winsize size = { .ws_col = columns, .ws_row = 24 };
    char text[2000], *to = text;

    if (master < 0 || grantpt(master) || unlockpt(master)) {
        printf("SKIP: no terminals here\n");
        return;
    }
    const int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
    FILE *out = slave < 0 ? NULL : fdopen(slave, "w");
    if (!out || ioctl(master, TIOCSWINSZ, &size)) {
        printf("FAILED: %s: the terminal does not open\n", name);
        failures++;
        return;
    }
    print(out, false, false);
    fclose(out);
    /* A read may give a part of it. The terminal's other end is closed: the last read fails. */
    for (char c; to < text + sizeof text - 1 && read(master, &c, 1) == 1;)
        if (c != '\r')
            *to++ = c;
    *to = '\0';
    compare(name, text, wanted);
    close(master);
}

int main(void)
{
    print_text("kept", false, false, kept);
    print_text("streams", true, false,
               "   count  share  name\n"
               " 1,234,567  12.50 %  größe\n"
               "       8*     -  a\\x0ab  odd\n"
               "\n"
               "       1  all that follows is this\n");
    print_text("bare", false, true, strchr(kept, '\n') + 1);
    print_apart();
    print_page();
    print_terminal("narrow", 24,
                   "     count  name\n"
                   " 1,234,567  größe\n"
                   "         8* a\\x0ab  odd\n"
                   "\n"
                   "         1  all that follows is this\n"
                   "not shown (too wide): share. Use --format json\n");
    print_terminal("wide", 80, kept);
    return failures > 0;
}
