/* SPDX-License-Identifier: MIT */
/* Work of Dhrystone's kind: records and pointers to them, comparing texts, short procedures. */
#include "bench.h"

enum kind { FIRST, SECOND, THIRD };

struct record {
    struct record *next;
    enum kind kind;
    int number;
    char text[32];
};

static struct record records[8];
static int table[16][16];

static int compare(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

static void copy(char *to, const char *from)
{
    while ((*to++ = *from++) != '\0')
        ;
}

__attribute__((noinline)) static enum kind turn(enum kind kind, int number)
{
    switch (kind) {
    case FIRST:
        return number > 100 ? THIRD : SECOND;
    case SECOND:
        return number & 1 ? FIRST : THIRD;
    default:
        return FIRST;
    }
}

__attribute__((noinline)) static int visit(struct record *r, int round)
{
    struct record *const next = r->next;

    next->kind = turn(r->kind, r->number);
    next->number = r->number + round % 7;
    copy(next->text, r->number & 1 ? "a text of some letters, one" : "a text of some letters, two");
    table[next->number & 15][round & 15] += next->number;
    return compare(r->text, next->text) > 0;
}

int main(void)
{
    enum { ROUNDS = 2000, RECORDS = sizeof records / sizeof records[0] };
    uint32_t sum = 0;

    for (int i = 0; i < RECORDS; i++)
        records[i].next = &records[(i + 3) % RECORDS];
    const unsigned long instructions = COUNTER(instret), loads = COUNTER(hpmcounter3);
    for (int i = 0; i < ROUNDS; i++)
        sum = sum * 3 + (uint32_t)visit(&records[i % RECORDS], i);
    const unsigned long done = COUNTER(instret) - instructions,
                        loaded = COUNTER(hpmcounter3) - loads;
    for (int i = 0; i < 16; i++)
        for (int k = 0; k < 16; k++)
            sum = sum * 5 + (uint32_t)table[i][k];
    print_number("records: checksum ", sum, "\n");
#ifdef __riscv
    print_number("records: ", (uint32_t)done, " instructions, ");
    print_number("", (uint32_t)loaded, " loads\n");
#else
    (void)done;
    (void)loaded;
#endif
    return 0;
}
