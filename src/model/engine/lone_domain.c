/* SPDX-License-Identifier: MIT */
/*
 * A domain that looks at no other one and at which none looks, through the middle of a
 * segment: what its registers ask for is worked out once, and each block goes through memory
 * once.  What is made of a block's words stays in the second-level cache; where only counts
 * are wanted, or nothing ever changes, it has as many as there are, and in the latter case no
 * word is looked at.
 */
#include "model/engine/engine.h"

/* Words of a line of a cache; words from which on it is worth it to begin with a line */
enum { LINE = 8, LONG = 4096 };

static bool is_low(const struct eg_operation *op)
{
    return op->arguments == 0 && op->table == 0;
}

/* Returns true if nothing changes, and no count of a domain in single mode can end a period. */
static bool is_steady(const struct eg_program *program, const struct pc_domain *d)
{
    if (!program->still || d->control.mode != PC_MODE_SINGLE)
        return program->still;
    return is_low(&program->op[PC_IN_STOP]) ||
           (d->single_state == PC_WAIT_START && is_low(&program->op[PC_IN_START])) ||
           d->single_state == PC_WAIT_PRE || d->single_state == PC_INACTIVE;
}

/* Returns the words up to where most of the planes begin with a line of a cache. */
static size_t to_line(const struct eg_program *program, const struct eg_block *b)
{
    unsigned votes[LINE] = { 0 }, best = 0;

    for (unsigned s = 0; s < EG_SELECTORS; s++)
        if (program->raw >> s & 1)
            votes[(0 - (uintptr_t)(program->source[s].plane + b->first) / 8) % LINE]++;
    for (unsigned i = 1; i < LINE; i++)
        best = votes[i] > votes[best] ? i : best;
    return best;
}

/*
 * Returns the words of a block. A head leaves one word or more of the first line: what is left of
 * that is a block, so that vectors of all others do not cross lines.
 */
static size_t stride(const struct eg_program *program, const struct eg_block *b, uint64_t rest)
{
    bool packets = b->d->control.mode == PC_MODE_RECORD || b->d->control.mode == PC_MODE_STREAM;
    size_t words = b->e->block;

    if (program->streams || (!packets && is_steady(program, b->d)))
        words = SIZE_MAX;
    const size_t lead = rest >= LONG ? to_line(program, b) : 0;
    words = lead > 0 ? lead : words;
    return rest < words ? (size_t)rest : words;
}

/* Makes the block shorter if the machine leaves its state for good in it. */
static void stay(struct eg_block *b)
{
    size_t words = eg_single_words(b);

    if (words == b->words)
        return;
    b->words = words;
    if (words > 0)
        eg_block_all(b);
}

static struct eg_block block_alone(struct pc_unit *u, struct pc_engine *e, const struct pc_run *run,
                                   unsigned domain)
{
    return (struct eg_block){ .e = e,
                              .k = e->kernel,
                              .u = u,
                              .d = &u->state.domain[domain],
                              .domain = domain,
                              .run = &run->domain[domain],
                              .all_words = run->cycles / 64 };
}

void eg_lone_begin(struct eg_program *program, struct pc_unit *u, struct pc_engine *e,
                   const struct pc_run *run, unsigned domain)
{
    struct eg_block b = block_alone(u, e, run, domain);

    eg_program_compile(program, &b);
}

/* D-70a: may a fault hang the domain? */
static bool may_hang(const struct pc_unit *u, const struct pc_domain *d)
{
    return pc_sends(d) && u->options.record_fault == PC_FAULT_HANG && !d->record.wedged;
}

uint64_t eg_lone(const struct eg_program *program, struct pc_unit *u, struct pc_engine *e,
                 const struct pc_run *run, unsigned domain, uint64_t first, uint64_t end,
                 uint64_t *stepped)
{
    struct eg_block b = block_alone(u, e, run, domain);
    b.program = program;
    const bool hangs = may_hang(u, b.d);
    struct pc_domain before;

    *stepped = 1;
    while (first < end) {
        b.first = first;
        b.words = stride(program, &b, end - first);
        const bool usual = b.words == EG_WORDS;
        if (usual)
            eg_prefetch_begin(&e->prefetch);
        if (hangs)
            before = *b.d;
        e->delivery.sent = 0;
        eg_block_all(&b);
        if (b.d->control.mode == PC_MODE_SINGLE && !pc_hangs(u, b.d))
            stay(&b);
        if (b.words == 0)
            break;
        eg_count_block(&b);
        if (hangs && b.d->record.wedged) {
            *b.d = before;
            *stepped = b.words;
            e->delivery.known = e->delivery.sent;
            e->delivery.sent = 0;
            break;
        }
        eg_block_remember(&b);
        if (usual)
            eg_prefetch_end(&e->prefetch);
        e->wide_cycles += (uint64_t)b.words * 64;
        first += b.words;
    }
    return first;
}
