/* SPDX-License-Identifier: MIT */
/*
 * Files are begun in order; the calling thread works as well until the next one to tell is done.
 * One that it alone may read the others pass over; it comes back to it, at the latest to tell it.
 * After an error no further file is begun, but all before it are: what is told is the same however
 * many threads there are.
 *
 * With ranks rank 0 deals the files out: each rank has one at a time, and asks for the next one
 * when it sends what it found.  Threads of rank 0 take files from the same row.
 */
#include "process/batch.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "process/interrupt.h"
#include "process/thread.h"
#include "process/ranks.h"
#include "text/warnings.h"

struct part {
    struct cli_batch_part told;
    char *messages;
    size_t messages_size;
    bool done;
};

struct state {
    const struct cli_batch *b;
    struct part *part;
    size_t next;
    bool *released; /* rank 0: of each rank, it was told that there are no more files */
    bool own_begun; /* the file that only the calling thread may read */
    bool stop;
    pthread_mutex_t lock;
    pthread_cond_t done;
};

static bool is_error(int code)
{
    return code != CLI_OK && code != CLI_NO && code != CLI_INTERRUPTED;
}

static void free_part(struct part *p)
{
    free(p->told.out);
    free(p->messages);
    p->told.out = p->messages = NULL;
}

/* --- one file --- */

static void run_file(const struct cli_batch *b, size_t file, struct part *p)
{
    const struct cli_streams before = cli_streams();

    if (cli_interrupted()) { /* what is not begun has counted nothing, which is not 0 */
        p->told.code = CLI_INTERRUPTED;
        return;
    }
    p->told.begun = true;
    FILE *out = open_memstream(&p->told.out, &p->told.size);
    FILE *err = out ? open_memstream(&p->messages, &p->messages_size) : NULL;

    if (err) {
        cli_redirect(out, err);
        cli_warnings_forget();
        p->told.code = b->run(b->ctx, file);
        cli_warnings_forget();
        cli_redirect(before.out, before.err);
        if (!cli_collected(err, &p->messages)) /* with the messages that did not fit */
            p->told.code = cli_no_memory();
    } else {
        p->told.code = cli_no_memory();
    }
    if (out && !cli_collected(out, &p->told.out)) { /* half a report is none */
        p->told.code = cli_no_memory();
        p->told.size = 0;
    }
}

/* Messages, then the payload; returns the exit code so far. */
static int tell(const struct cli_batch *b, size_t file, const struct part *p, int code)
{
    cli_flush(stdout);
    if (p->messages)
        fwrite(p->messages, 1, p->messages_size, stderr);
    if (!is_error(p->told.code) || b->keep_going)
        b->tell(b->ctx, file, &p->told);
    if (is_error(p->told.code) && !b->keep_going)
        return p->told.code;
    return p->told.code > code ? p->told.code : code;
}

/* --- threads --- */

/* Takes the next file to begin, for the calling thread or another one; with the lock, as what
 * follows. */
static bool take_next(struct state *s, bool calling, size_t *file)
{
    if (!calling && s->next == s->b->own)
        s->next++;
    if (s->next >= s->b->files || s->stop)
        return false;
    *file = s->next++;
    return true;
}

static void run_locked(struct state *s, size_t file)
{
    struct part *p = &s->part[file];

    s->own_begun |= file == s->b->own;
    pthread_mutex_unlock(&s->lock);
    run_file(s->b, file, p);
    pthread_mutex_lock(&s->lock);
    p->done = true;
    s->stop |= is_error(p->told.code) && !s->b->keep_going;
    pthread_cond_broadcast(&s->done);
}

static void *work(void *ctx)
{
    struct state *s = ctx;
    size_t file;

    pthread_mutex_lock(&s->lock);
    while (take_next(s, false, &file))
        run_locked(s, file);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static int tell_in_order(struct state *s)
{
    int code = CLI_OK;

    for (size_t file = 0; file < s->b->files && !(is_error(code) && !s->b->keep_going); file++) {
        struct part *p = &s->part[file];
        pthread_mutex_lock(&s->lock);
        while (!p->done) {
            size_t next = file;
            if ((file == s->b->own && !s->own_begun) || take_next(s, true, &next))
                run_locked(s, next);
            else
                pthread_cond_wait(&s->done, &s->lock);
        }
        pthread_mutex_unlock(&s->lock);
        code = tell(s->b, file, p, code);
        free_part(p);
    }
    return code;
}

/* Threads beside the calling one, which `lead` is for. */
static int run_threads(const struct cli_batch *b, struct part *part, unsigned beside,
                       int (*lead)(struct state *s))
{
    struct state s = { .b = b, .part = part };
    pthread_t *thread = calloc(beside + 1, sizeof *thread);
    unsigned threads = 0;
    sigset_t all, old;

    if (!thread)
        return cli_no_memory();
    pthread_mutex_init(&s.lock, NULL);
    pthread_cond_init(&s.done, NULL);
    sigfillset(&all);        /* signals are for the calling thread, */
    sigdelset(&all, SIGBUS); /* but for that of a mapped file, for whoever looks at it */
    pthread_sigmask(SIG_SETMASK, &all, &old);
    while (threads < beside && threads < b->files && cli_thread(&thread[threads], work, &s) == 0)
        threads++;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    int code = lead(&s);
    while (threads > 0)
        pthread_join(thread[--threads], NULL);
    pthread_mutex_destroy(&s.lock);
    pthread_cond_destroy(&s.done);
    free(thread);
    return code;
}

/* --- ranks --- */

/* Payload and messages follow. */
struct message {
    uint32_t kind;
    int32_t code;
    uint64_t file, size, messages_size, begun;
};

static int send_part(size_t file, const struct part *p)
{
    const struct message head = { CLI_RANK_FILE, p->told.code,     file,
                                  p->told.size,  p->messages_size, p->told.begun };
    char *bytes = malloc(sizeof head + p->told.size + p->messages_size);

    if (!bytes)
        return cli_no_memory();
    memcpy(bytes, &head, sizeof head);
    if (p->told.size > 0)
        memcpy(bytes + sizeof head, p->told.out, p->told.size);
    if (p->messages_size > 0)
        memcpy(bytes + sizeof head + p->told.size, p->messages, p->messages_size);
    cli_ranks->send(bytes, sizeof head + p->told.size + p->messages_size);
    free(bytes);
    return CLI_OK;
}

static bool load_part(const char *bytes, size_t size, struct part *p)
{
    struct message head;

    memcpy(&head, bytes, sizeof head);
    if (head.size > size - sizeof head || head.messages_size != size - sizeof head - head.size)
        return false;
    p->told = (struct cli_batch_part){ .code = head.code,
                                       .begun = head.begun != 0,
                                       .size = (size_t)head.size };
    p->messages_size = (size_t)head.messages_size;
    p->told.out = calloc(p->told.size + 1, 1);
    p->messages = calloc(p->messages_size + 1, 1);
    if (!p->told.out || !p->messages)
        return false;
    memcpy(p->told.out, bytes + sizeof head, p->told.size);
    memcpy(p->messages, bytes + sizeof head + p->told.size, p->messages_size);
    return true;
}

/* Rank 0: what a rank sent; it gets the next file, or ends. */
static int receive_part(struct state *s, unsigned from)
{
    struct message head;
    void *bytes;
    size_t size, file;

    if (s->released[from])
        return cli_ranks_wait(from);
    int code = cli_ranks_receive(from, CLI_RANK_FILE, sizeof head, &bytes, &size);
    if (code)
        return code;
    memcpy(&head, bytes, sizeof head);
    pthread_mutex_lock(&s->lock);
    if (head.file < s->b->files) {
        struct part *p = &s->part[head.file];
        p->done = load_part(bytes, size, p);
        code = p->done ? CLI_OK : cli_no_memory();
        s->stop |= code || (is_error(p->told.code) && !s->b->keep_going);
    }
    const bool more = take_next(s, false, &file);
    pthread_mutex_unlock(&s->lock);
    s->released[from] = !more;
    cli_ranks->give(from, more ? file : CLI_NO_FILE);
    free(bytes);
    return code;
}

static bool is_done(struct state *s, size_t file)
{
    pthread_mutex_lock(&s->lock);
    const bool done = s->part[file].done;
    pthread_mutex_unlock(&s->lock);
    return done;
}

/* Rank 0, beside threads that count: tells files in order, and deals out the others. */
static int deal(struct state *s)
{
    const struct timespec moment = { .tv_nsec = 1000000 };
    bool released[CLI_RANKS_MAX] = { false };
    int code = CLI_OK, failed = CLI_OK;
    size_t file = 0;
    unsigned from;

    s->released = released;
    while (file < s->b->files && failed == CLI_OK && !(is_error(code) && !s->b->keep_going)) {
        if (is_done(s, file)) {
            code = tell(s->b, file, &s->part[file], code);
            free_part(&s->part[file++]);
        } else if (cli_ranks->arrived(&from)) {
            failed = receive_part(s, from);
        } else {
            nanosleep(&moment, NULL);
        }
    }
    pthread_mutex_lock(&s->lock);
    s->stop = true;
    pthread_mutex_unlock(&s->lock);
    return failed ? failed : code;
}

/* The others: one file after the other, until there is none. */
static int work_for_first(const struct cli_batch *b, struct part *part)
{
    const struct message none = { .kind = CLI_RANK_FILE, .file = CLI_NO_FILE };
    int code = CLI_OK;

    cli_ranks->send(&none, sizeof none);
    while (code == CLI_OK) {
        const uint64_t file = cli_ranks->take();
        if (file >= b->files)
            break;
        run_file(b, (size_t)file, &part[file]);
        code = send_part((size_t)file, &part[file]);
        free_part(&part[file]);
    }
    return code;
}

/* Rank 0 has one thread at least beside the one that deals. */
static int run_ranks(const struct cli_batch *b, struct part *part, bool *whole)
{
    if (cli_ranks->rank > 0)
        return work_for_first(b, part);
    const int code = run_threads(b, part, b->threads, deal);
    const int ended = cli_ranks_end(code);
    *whole = ended == code && (b->keep_going || !is_error(code));
    return ended;
}

int cli_batch_run(const struct cli_batch *b, bool *whole)
{
    struct part *part = calloc(b->files + 1, sizeof *part);
    int code;

    *whole = false;
    if (!part)
        return cli_no_memory();
    if (cli_ranks) {
        code = run_ranks(b, part, whole);
    } else {
        code = run_threads(b, part, b->threads - 1, tell_in_order);
        *whole = b->keep_going || !is_error(code);
    }
    for (size_t i = 0; i < b->files; i++)
        free_part(&part[i]);
    free(part);
    return code;
}
