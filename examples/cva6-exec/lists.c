/* SPDX-License-Identifier: MIT */
/* Work of CoreMark's kind: a list is reversed and searched, matrices, a state machine, a CRC. */
#include "bench.h"

struct item {
    struct item *next;
    uint16_t value;
};

static struct item items[64];
static int32_t a[12][12], b[12][12], c[12][12];

static uint16_t crc(uint16_t sum, uint32_t word)
{
    for (int i = 0; i < 32; i++, word >>= 1) {
        const unsigned bit = (sum ^ word) & 1;
        sum = (uint16_t)(sum >> 1);
        if (bit)
            sum ^= 0xa001;
    }
    return sum;
}

__attribute__((noinline)) static struct item *reverse(struct item *list)
{
    struct item *done = 0;

    while (list) {
        struct item *const next = list->next;
        list->next = done;
        done = list;
        list = next;
    }
    return done;
}

__attribute__((noinline)) static const struct item *find(const struct item *list, uint16_t value)
{
    while (list && list->value != value)
        list = list->next;
    return list;
}

__attribute__((noinline)) static void multiply(void)
{
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 12; k++) {
            int32_t sum = 0;
            for (int n = 0; n < 12; n++)
                sum += a[i][n] * b[n][k];
            c[i][k] = sum;
        }
}

/* Numbers in a text: how many, and how many words are none. */
__attribute__((noinline)) static uint32_t scan(const char *text)
{
    enum { BETWEEN, NUMBER, OTHER } state = BETWEEN;
    uint32_t numbers = 0, others = 0;

    for (; *text; text++) {
        const int digit = *text >= '0' && *text <= '9';
        if (*text == ' ') {
            state = BETWEEN;
        } else if (state == BETWEEN) {
            state = digit ? NUMBER : OTHER;
            numbers += (uint32_t)digit;
            others += (uint32_t)!digit;
        } else if (state == NUMBER && !digit) {
            state = OTHER;
            numbers--;
            others++;
        }
    }
    return numbers << 16 | others;
}

int main(void)
{
    struct item *list = 0;
    uint16_t sum = 0;

    for (unsigned i = 0; i < 64; i++) {
        items[i] = (struct item){ list, (uint16_t)(i * 37 % 64) };
        list = &items[i];
    }
    for (int i = 0; i < 12; i++)
        for (int k = 0; k < 12; k++) {
            a[i][k] = i * 3 - k;
            b[i][k] = k * 5 - i * i;
        }
    for (unsigned round = 0; round < 40; round++) {
        list = reverse(list);
        const struct item *found = find(list, (uint16_t)(round * 11 % 70));
        sum = crc(sum, found ? found->value : 0xffff);
        a[round % 12][0] += (int32_t)round;
        multiply();
        sum = crc(sum, (uint32_t)c[round % 12][round * 7 % 12]);
        sum = crc(sum, scan("12 -7 x 0x10 999 1e5 the end 3"));
    }
    print_number("lists: checksum ", sum, "\n");
#ifdef __riscv
    print_number("lists: ", (uint32_t)COUNTER(instret), " instructions, ");
    print_number("", (uint32_t)COUNTER(hpmcounter5), " branches\n");
#endif
    return 0;
}
