/* SPDX-License-Identifier: MIT */
/*
 * Suggests what to count to a user who named no event: the signals that `pcounter info` would show,
 * as a command line to copy.  The file is read a second time, so there are no suggestions for a
 * pipe; of a long file only the beginning is read.
 */
#include "stat.h"
#include "wave/suggest.h"

#include <stdlib.h>
#include <string.h>

#define SUGGESTIONS 5
#define PAIRS       2 /* of these */

/* A file of four times as many cycles, or bytes, is long. */
enum { PART = 1 << 16, LEAST_PART = 1 << 10, TEXT = 8 << 20, PACKED = 1 << 20 };

/* Names that the shell takes between quotes, and an expression takes, but for blanks and digits
 * before them. */
static bool is_plain(const char *name)
{
    for (; *name; name++)
        if (!((*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z') ||
              (*name >= '0' && *name <= '9') || strchr("_.[] ", *name)))
            return false;
    return true;
}

/* "Channel 0" as Channel0; "0" as "\\0 ", or it were a number. */
static void print_event(FILE *out, const char *name)
{
    const bool escaped = *name >= '0' && *name <= '9';

    if (escaped)
        fputc('\\', out);
    for (const char *p = name; *p; p++)
        if (*p != ' ')
            fputc(*p, out);
    if (escaped)
        fputc(' ', out);
}

/* As a word of the shell; there is no quote in it. */
static void print_path(FILE *out, const char *path)
{
    bool quoted = false;

    for (const char *p = path; *p; p++)
        quoted |= strchr(" \"\\$`&|;<>()*?[]{}~#!", *p) != NULL;
    if (quoted)
        fputc('\'', out);
    if (path[0] == '-')
        fputs("./", out);
    cli_print_name(out, path);
    if (quoted)
        fputc('\'', out);
}

/* The part of the file that is read. */
struct part {
    uint64_t cycles, until; /* 0: all */
};

static struct part part_of(const struct pc_wave *wave, const struct stat_result *r)
{
    struct part p = { PART, 0 };
    uint64_t done, bytes;
    struct pc_wave_info info;

    pc_wave_get_info(wave, &info);
    pc_wave_progress(wave, &done, &bytes);
    const bool text = info.format == PC_WAVE_VCD && strcmp(info.encoding, "plain") == 0;
    const double most = text ? TEXT : PACKED, share = (double)bytes / (double)r->cycles;
    while (p.cycles > LEAST_PART && (double)p.cycles * share > most)
        p.cycles /= 2;
    if (r->cycles / 4 < p.cycles)
        return (struct part){ 0, 0 };
    const uint64_t length = r->last_time - r->first_time;
    p.until = r->first_time + (uint64_t)((double)length / (double)r->cycles * (double)p.cycles);
    return p;
}

static void begin(FILE *out, const struct stat_job *j, const struct part *part, size_t shown)
{
    if (shown > 0) {
        fputs(", ", out);
        return;
    }
    fputs("\nTo also count events, for instance", out);
    if (part->until > 0)
        fprintf(out, " (from a look at the first %s)", cli_count(part->cycles, "cycle"));
    fprintf(out, ":\n  pcounter stat --clock '%s' -e '", j->clock);
}

static size_t print_pairs(FILE *out, const struct stat_job *j, const struct pc_wave *wave,
                          const struct part *part, const struct cli_suggestions *found)
{
    struct pc_wave_var offers, takes;
    size_t shown = 0;

    for (size_t i = 0; i < found->pairs && shown < PAIRS; i++) {
        if (pc_wave_get_var(wave, found->pair[i].offers, &offers) || !is_plain(offers.name) ||
            pc_wave_get_var(wave, found->pair[i].takes, &takes) || !is_plain(takes.name))
            continue;
        begin(out, j, part, shown++);
        print_event(out, offers.name);
        fputs(" & ", out);
        print_event(out, takes.name);
    }
    return shown;
}

static void print_events(FILE *out, const struct stat_job *j, const struct pc_wave *wave,
                         const struct part *part, const struct cli_suggestions *found)
{
    struct pc_wave_var var;
    size_t shown = print_pairs(out, j, wave, part, found);

    for (size_t i = 0; i < found->events && shown < SUGGESTIONS; i++) {
        if (shown > 0 && !found->event[i].telling)
            break;
        if (pc_wave_get_var(wave, found->event[i].var, &var) || !is_plain(var.name))
            continue;
        begin(out, j, part, shown++);
        print_event(out, var.name);
    }
    if (shown > 0) {
        fputs("' ", out);
        print_path(out, j->path);
        fputc('\n', out);
    }
}

static enum pc_status scan(struct pc_wave *wave, const struct part *part,
                           struct pc_wave_totals *totals, struct pc_var_activity *activity)
{
    return part->until > 0 ? pc_wave_scan_until(wave, part->until, totals, activity, NULL)
                           : pc_wave_scan(wave, totals, activity, NULL);
}

void stat_suggest(FILE *out, const struct stat_job *j, const struct stat_result *result)
{
    const struct pc_wave_desc desc = cli_wave_desc(&j->o->read, j->path);
    struct pc_wave_totals totals;
    struct cli_suggestions found;
    struct pc_wave_info info;
    struct pc_wave *wave;

    if (cli_read_once(j->path) || strchr(j->clock, '\'') || strchr(j->path, '\'') ||
        cli_wave_open(&desc, &wave, NULL))
        return;
    pc_wave_get_info(wave, &info);
    struct pc_var_activity *activity = calloc(info.codes + 1, sizeof *activity);
    const struct part part = part_of(wave, result);
    if (activity && scan(wave, &part, &totals, activity) == PC_OK &&
        cli_suggest(wave, &totals, activity, &found)) {
        print_events(out, j, wave, &part, &found);
        cli_suggest_free(&found);
    }
    free(activity);
    pc_wave_close(wave);
}
