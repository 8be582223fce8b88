/* SPDX-License-Identifier: MIT */
/* run --explain: how each domain goes, before each `run`; domains in one row where they are alike.
 */
#include "run_explain.h"

#include "cli.h"

#include <string.h>

struct answer {
    enum pc_run_how how;
    const char *why;
};

static struct answer ask(const struct pc_gpu *gpu, unsigned domain)
{
    struct answer a;

    a.how = pc_gpu_explain(gpu, domain, &a.why);
    return a;
}

static bool same(struct answer a, struct answer b)
{
    return a.how == b.how && strcmp(a.why, b.why) == 0;
}

static void print_domain(FILE *out, const struct pc_chip *chip, unsigned domain)
{
    struct pc_chip_domain d;

    fputs(pc_chip_get_domain(chip, domain, &d) ? d.name : "?", out);
}

/* "0-3 5": all from the first one on that have this answer. */
static void print_alike(FILE *out, const struct pc_gpu *gpu, const struct pc_chip *chip,
                        unsigned first, struct answer as)
{
    unsigned domains = pc_gpu_domain_count(gpu);

    for (unsigned x = first; x < domains; x++) {
        unsigned last = x;
        if (!same(ask(gpu, x), as))
            continue;
        while (last + 1 < domains && same(ask(gpu, last + 1), as))
            last++;
        fputs(x == first ? "  domain " : " ", out);
        print_domain(out, chip, x);
        if (last > x) {
            fputs(last > x + 1 ? "-" : " ", out);
            print_domain(out, chip, last);
        }
        x = last;
    }
}

void run_explain(FILE *out, const struct pc_gpu *gpu, const struct pc_chip *chip)
{
    for (unsigned x = 0; x < pc_gpu_domain_count(gpu); x++) {
        struct answer as = ask(gpu, x);
        bool told = false;
        for (unsigned y = 0; y < x; y++)
            told = told || same(ask(gpu, y), as);
        if (told)
            continue;
        print_alike(out, gpu, chip, x, as);
        fprintf(out, ", %s: %s\n", pc_run_how_name(as.how), as.why);
    }
}
