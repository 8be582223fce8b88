/* SPDX-License-Identifier: MIT */
/*
 * The program that one writes in an afternoon instead: getline and a switch.
 *   getline ones FILE CLOCK SIGNAL...   in how many cycles each signal is 1, of one bit
 *   getline equal FILE CLOCK A B        in how many cycles two vectors are equal
 *   getline bit FILE CLOCK A N          in how many cycles bit N of a vector is 1
 * It prints the cycles, too.  Values are those in front of an edge's time stamp.  Names are those
 * of $var, without scopes; vectors have all of their digits; FILE may be -.
 */
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16, WIDTH = 8192 };

static char id[MOST][8], text[MOST][WIDTH];
static int ids, level[MOST], next[MOST];

static void declaration(const char *line, char **name)
{
    char code[8], var[256];

    if (sscanf(line, "$var %*s %*s %7s %255s", code, var) == 2)
        for (int i = 0; i < ids; i++)
            if (strcmp(var, name[i]) == 0 && !id[i][0])
                strcpy(id[i], code);
}

int main(int argc, char **argv)
{
    if (argc < 5)
        return 2;
    const char *mode = argv[1];
    FILE *f = strcmp(argv[2], "-") == 0 ? stdin : fopen(argv[2], "r");
    const int equal = strcmp(mode, "equal") == 0, bit = strcmp(mode, "bit") == 0;
    const int number = bit ? atoi(argv[5]) : 0;
    char **name = argv + 3, *line = NULL;
    size_t room = 0;
    ssize_t n;
    long cycles = 0, hits[MOST] = { 0 };
    int header = 1, changed = 0;

    ids = bit ? 2 : argc - 3 < MOST ? argc - 3 : MOST;
    while (f && (n = getline(&line, &room, f)) > 0) {
        if (line[n - 1] == '\n')
            line[--n] = '\0';
        if (header) {
            declaration(line, name);
            header = strncmp(line, "$enddefinitions", 15) != 0;
            continue;
        }
        switch (line[0]) {
        case '#':
            if (equal && changed)
                next[1] = strcmp(text[1], text[2]) == 0;
            changed = 0;
            memcpy(level, next, sizeof level);
            break;
        case '0':
        case '1':
        case 'x':
        case 'z':
            if (strcmp(line + 1, id[0]) == 0) {
                next[0] = line[0] == '1';
                if (next[0] && !level[0]) {
                    cycles++;
                    for (int i = 1; i < ids; i++)
                        hits[i] += level[i];
                }
            } else {
                for (int i = 1; i < ids; i++)
                    if (strcmp(line + 1, id[i]) == 0)
                        next[i] = line[0] == '1';
            }
            break;
        case 'b': {
            char *space = strchr(line, ' ');
            for (int i = 1; space && i < ids; i++)
                if (strcmp(space + 1, id[i]) == 0) {
                    *space = '\0';
                    if (equal)
                        strcpy(text[i], line + 1);
                    else
                        next[i] = space[-1 - number] == '1';
                    *space = ' ';
                    changed = 1;
                }
            break;
        }
        default:
            break;
        }
    }
    printf("%ld", cycles);
    for (int i = 1; i < (equal ? 2 : ids); i++)
        printf(" %ld", hits[i]);
    printf("\n");
    return f ? 0 : 1;
}
