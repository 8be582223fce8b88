/* SPDX-License-Identifier: MIT */
/*
 * Each form of an instruction (instructions.awk) is executed on memory and on BAR0, with the same
 * registers and flags, and with several masks: registers after it, what is in memory, and the
 * transactions of the card must be the same.  What is in memory is written to the card by plain
 * moves for comparison.
 *   instructions READS WRITES    the numbers of the signals that tell of them
 */
#include "own.h"

#include <stdbool.h>

enum { AREA = 0xa480, BYTES = 64 }; /* EVENT_SRC, EVENT_OP: 32 and 16 bits are kept */

/* Registers before and after */
struct state {
    uint8_t vector[3][64];
    uint64_t padding[8];
    uint64_t k, rax, rcx, rdx, rbx, flags;   /* from 256 on */
    uint64_t source, scratch, k_after, sink; /* from 304 on: rsi, k2, rdi */
};
/* rsi and rdi are where the memory is, r15 the state. */
typedef void form_fn(struct state *state, void *memory);
struct form {
    form_fn *run;
    const char *features, *text, *reads, *writes;
};

#define FORM_BEGIN                                                                                 \
    "pushq %rbx\n pushq %r15\n movq %rdi, %r15\n movq %rsi, %rdi\n"                                \
    "movq 264(%r15), %rax\n movq 272(%r15), %rcx\n movq 280(%r15), %rdx\n movq 288(%r15), %rbx\n"
#define FORM_FLAGS "pushq 296(%r15)\n popfq\n"
#define FORM_END                                                                                   \
    "pushfq\n popq 296(%r15)\n cld\n movq %rax, 264(%r15)\n movq %rcx, 272(%r15)\n"                \
    "movq %rdx, 280(%r15)\n movq %rbx, 288(%r15)\n"                                                \
    "movq %rsi, 304(%r15)\n movq %rdi, 328(%r15)\n popq %r15\n popq %rbx\n retq\n"
#define FORM_BEGIN_XMM                                                                             \
    FORM_BEGIN                                                                                     \
    "movdqu (%r15), %xmm0\n movdqu 64(%r15), %xmm1\n movdqu 128(%r15), %xmm2\n" FORM_FLAGS
#define FORM_END_XMM                                                                               \
    "movdqu %xmm0, (%r15)\n movdqu %xmm1, 64(%r15)\n movdqu %xmm2, 128(%r15)\n" FORM_END
#define FORM_BEGIN_YMM                                                                             \
    FORM_BEGIN                                                                                     \
    "vmovdqu (%r15), %ymm0\n vmovdqu 64(%r15), %ymm1\n vmovdqu 128(%r15), %ymm2\n" FORM_FLAGS
#define FORM_END_YMM                                                                               \
    "vmovdqu %ymm0, (%r15)\n vmovdqu %ymm1, 64(%r15)\n vmovdqu %ymm2, 128(%r15)\n "                \
    "vzeroupper\n" FORM_END
#define FORM_BEGIN_ZMM                                                                             \
    FORM_BEGIN                                                                                     \
    "vmovdqu64 (%r15), %zmm0\n vmovdqu64 64(%r15), %zmm1\n vmovdqu64 128(%r15), %zmm2\n"           \
    "kmovq 256(%r15), %k1\n kxorq %k2, %k2, %k2\n" FORM_FLAGS
#define FORM_END_ZMM                                                                               \
    "vmovdqu64 %zmm0, (%r15)\n vmovdqu64 %zmm1, 64(%r15)\n vmovdqu64 %zmm2, 128(%r15)\n"           \
    "kmovq %k1, 256(%r15)\n kmovq %k2, 320(%r15)\n vzeroupper\n" FORM_END

#include "forms_made.h"

__asm__(".section .rodata\nINDEXES: .byte 5, 0, 3, 1, 6, 2, 4, 5, 0, 1, 2, 3, 4, 5, 6, 0\n.text\n");
static unsigned signals[2];

static void swap(void)
{
    *word(0x400084) = 0x20;
}

/* ---- what must be accessed ---- */

static unsigned transactions(uint64_t touched)
{
    unsigned count = 0;

    for (unsigned at = 0; at < 64; count++) {
        unsigned size = 0;
        while (at < 64 && !(touched >> at & 1))
            at++;
        if (at == 64)
            break;
        while (size < 8 && at + size < 64 && touched >> (at + size) & 1)
            size++;
        at += size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
    }
    return count;
}

static uint64_t bits(unsigned count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* The count of transactions of what a row says (instructions.awk) */
static unsigned expected(const char *what, const struct state *s)
{
    const char kind = *what;
    unsigned bytes = 0, size = 1, lanes = 0;
    uint64_t touched = 0, mask = s->k;

    if (!kind)
        return 0;
    if (kind >= '0' && kind <= '9') {
        const char *next = strchr(what, ',');
        return transactions(bits((unsigned)atoi(what))) + (next ? expected(next + 1, s) : 0);
    }
    if (kind == 'a') {
        sscanf(what, "a%u:%u", &bytes, &lanes);
        return mask & bits(lanes) ? 1 : 0;
    }
    sscanf(what + 1, "%u/%u:%u", &bytes, &size, &lanes);
    if (kind == 'g' || kind == 'k') { /* so many elements, each by itself */
        unsigned sum = 0;
        for (unsigned i = 0; i < bytes; i++)
            sum += kind == 'k' ? mask >> i & 1 : s->vector[1][size * (i + 1) - 1] >> 7;
        return sum;
    }
    const unsigned count = bytes / size;
    if (kind == 'p')
        mask = bits((unsigned)__builtin_popcountll(mask & bits(count)));
    for (unsigned i = 0; kind == 't' && i < lanes; i++)
        touched |= mask >> i & 1 ? bits(size) << size * (i % count) : 0;
    for (unsigned i = 0; kind != 't' && i < count; i++) {
        const bool in = kind == 'v' ? s->vector[1][size * (i + 1) - 1] >> 7 : mask >> i & 1;
        touched |= in ? bits(size) << size * i : 0;
    }
    return transactions(touched);
}

/* ---- one of them ---- */

static uint64_t next_random(void)
{
    static uint64_t x = 0x9e3779b97f4a7c15;

    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    return x;
}

static void read_area(uint8_t out[BYTES])
{
    for (unsigned at = 0; at < BYTES; at += 4) {
        const uint32_t value = *word(AREA + at);
        memcpy(out + at, &value, 4);
    }
}

static void write_area(const uint8_t in[BYTES])
{
    for (unsigned at = 0; at < BYTES; at += 4) {
        uint32_t value;
        memcpy(&value, in + at, 4);
        *word(AREA + at) = value;
    }
}

/* Normal floats in every width, so that no exception and no NaN of another sign comes. */
static void fill(uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++)
        at[i] = (uint8_t)(next_random() & 0xbf) | (i % 2 ? 0x20 : 0);
}

/* What else differs by where the memory is */
static void make_relative(struct state *s, const void *memory)
{
    s->source -= (uintptr_t)memory;
    s->sink -= (uintptr_t)memory;
    s->flags &= 0x8d5;
}

static void same_bytes(const struct form *f, const char *what, const void *have, const void *want,
                       size_t size)
{
    if (memcmp(have, want, size) == 0)
        return;
    fprintf(stderr, "FAILED: %s: %s:", f->text, what);
    for (size_t i = 0; i < size; i++)
        fprintf(stderr, " %02x%s", ((const uint8_t *)have)[i],
                ((const uint8_t *)have)[i] == ((const uint8_t *)want)[i] ? "" : "!");
    fprintf(stderr, "\n");
    bad++;
}

static void try(const struct form *f, uint64_t mask)
{
    _Alignas(64) static uint8_t memory[2 * BYTES];
    uint8_t before[BYTES], after[BYTES], want[BYTES];
    struct state start, on_memory, on_card;
    char what[160];

    memset(&start, 0, sizeof start);
    fill(&start.vector[0][0], sizeof start.vector);
    for (unsigned i = 0; i < 64; i++) /* signs of vector 1 by the mask */
        start.vector[1][i] = (uint8_t)((start.vector[1][i] & 0x7f) | (mask >> i & 1) << 7);
    start.k = mask;
    start.rax = next_random(), start.rcx = next_random(), start.rdx = 0x11,
    start.rbx = next_random();
    start.flags = next_random() & 0x8d5;
    fill(before, BYTES);
    write_area(before);
    read_area(before);

    const bool itself = strstr(f->text, "%rsi, (%rsi)") || strstr(f->text, "%esi, (%rsi)");
    memcpy(memory, before, BYTES);
    on_memory = start;
    f->run(&on_memory, memory);
    on_card = start;
    swap();
    f->run(&on_card, (void *)(uintptr_t)(bar0 + AREA));
    swap();
    const uint32_t reads = *word(0xa700), writes = *word(0xa6c0);
    snprintf(what, sizeof what, "%s, mask %llx: reads", f->text, (unsigned long long)mask);
    expect(what, reads, expected(f->reads, &start));
    snprintf(what, sizeof what, "%s, mask %llx: writes", f->text, (unsigned long long)mask);
    expect(what, writes, expected(f->writes, &start) + 1); /* that of the swap */
    read_area(after);
    if (itself) /* what is written is the address */
        return;
    make_relative(&on_memory, memory);
    make_relative(&on_card, (const void *)(uintptr_t)(bar0 + AREA));
    same_bytes(f, "registers", &on_card, &on_memory, sizeof on_card);
    write_area(before);
    write_area(memory);
    read_area(want);
    same_bytes(f, "memory", after, want, BYTES);
}

/* ---- what the processor has ---- */

static char flags_of_processor[1 << 14];

static void read_flags(void)
{
    FILE *file = fopen("/proc/cpuinfo", "r");

    while (file && fgets(flags_of_processor, sizeof flags_of_processor, file))
        if (strncmp(flags_of_processor, "flags", 5) == 0)
            break;
    if (file)
        fclose(file);
}

static bool has_flag(const char *name, size_t length)
{
    for (const char *at = flags_of_processor; (at = strchr(at, ' ')); at++)
        if (strncmp(at + 1, name, length) == 0 && (at[1 + length] == ' ' || at[1 + length] == '\n'))
            return true;
    return length == 4 && strncmp(name, "base", 4) == 0;
}

/* Has it all that the form needs?  What is missing is said once. */
static bool has_all(const char *features)
{
    static char said[400];

    for (; *features; features += strcspn(features, " "), features += *features == ' ') {
        const size_t length = strcspn(features, " ");
        char name[40];
        if (has_flag(features, length))
            continue;
        snprintf(name, sizeof name, " %.*s,", (int)length, features);
        if (!strstr(said, name)) {
            strcat(said, name);
            fprintf(stderr, "SKIP: this processor lacks %.*s\n", (int)length, features);
        }
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    static const uint64_t masks[] = { 0xa5c3960f5a3c69f1, 0x1,   0, UINT64_MAX,
                                      0x8000000000808082, 0x7ffe };
    enum { FORMS = sizeof forms / sizeof forms[0] };
    unsigned done = 0, skipped = 0;

    if (argc != 3)
        return 1;
    open_bar0();
    read_flags();
    signals[0] = (unsigned)strtoul(argv[1], NULL, 16);
    signals[1] = (unsigned)strtoul(argv[2], NULL, 16);
    *word(0xa7c0) = 1;
    *word(0xa400) = signals[0];
    *word(0xa440) = signals[1];
    *word(0xa420) = *word(0xa460) = 0xaaaa;
    for (unsigned i = 0; i < FORMS; i++) {
        const bool masked =
            strchr("mpatvgk", forms[i].reads[0] ? forms[i].reads[0] : forms[i].writes[0]);
        if (!has_all(forms[i].features)) {
            skipped++;
            continue;
        }
        for (unsigned m = 0; m < (masked ? sizeof masks / sizeof masks[0] : 1); m++)
            try(&forms[i], masks[m]);
        done++;
    }
    fprintf(stderr, "%s%u forms of instructions, %u more left out\n", skipped ? "SKIP: " : "", done,
            skipped);
    return end();
}
