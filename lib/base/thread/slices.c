/* thread/slices.c: two threads that take turns, for slices.h: a coroutine with a stack that
 * debuggers and sanitizers know. */
#include "lib/base/thread/slices.h"

#include "lib/base/assert.h"

#include <string.h>

/* Bytes that are filled or copied between two checkpoints. */
enum { PIECE = 128 * 1024 };

/* Hands the turn over, and waits until it comes back. */
static void change_turns(sli_slices *slices, bool working)
{
    sli_mutex_lock(&slices->mutex);
    slices->working = !working;
    sli_condition_signal(&slices->turn); /* the other thread waits, or will not */
    while (slices->working != working) {
        sli_condition_wait(&slices->turn, &slices->mutex);
    }
    sli_mutex_unlock(&slices->mutex);
}

/* On the thread that works. */
static void wait_for_step(sli_slices *slices)
{
    change_turns(slices, true);
    if (slices->stopping) {
        SLI_SLICES_LEAVE(slices->out);
    }
}

static void do_work(sli_slices *slices)
{
    if (SLI_SLICES_HERE(slices->out) == 0 && !slices->stopping) {
        slices->work(slices->context);
    }
}

static void *run_work(void *context)
{
    sli_slices *slices = context;
    sli_mutex_lock(&slices->mutex);
    while (!slices->working) {
        sli_condition_wait(&slices->turn, &slices->mutex);
    }
    sli_mutex_unlock(&slices->mutex);
    do_work(slices);
    sli_mutex_lock(&slices->mutex);
    slices->finished = true;
    slices->working = false;
    sli_condition_signal(&slices->turn);
    sli_mutex_unlock(&slices->mutex);
    return NULL;
}

bool sli_slices_start(sli_slices *slices, void (*work)(void *context), void *context)
{
    slices->work = work;
    slices->context = context;
    slices->working = slices->started = slices->finished = slices->stopping = false;
    slices->deadline = 0;
    slices->call = NULL;
    if (!SLI_HAVE_THREADS || !sli_mutex_init(&slices->mutex)) {
        return false;
    }
    if (sli_condition_init(&slices->turn)) {
        slices->started =
            sli_thread_start_sized(&slices->thread, SLI_SLICES_STACK, run_work, slices);
        if (slices->started) {
            return true;
        }
        sli_condition_destroy(&slices->turn);
    }
    sli_mutex_destroy(&slices->mutex);
    return false;
}

static bool is_over(const sli_slices *slices)
{
    return slices->deadline == 0 ||
           (slices->deadline != UINT64_MAX && sli_clock_ns() >= slices->deadline);
}

bool sli_slices_step(sli_slices *slices, uint64_t nanoseconds)
{
    slices->deadline = nanoseconds;
    if (nanoseconds != 0 && nanoseconds != UINT64_MAX) {
        const uint64_t now = sli_clock_ns();
        slices->deadline = nanoseconds < UINT64_MAX - now ? now + nanoseconds : UINT64_MAX;
    }
    while (!slices->finished) {
        if (slices->call == NULL) {
            change_turns(slices, false);
        }
        if (slices->call == NULL) {
            return slices->finished; /* or at a checkpoint, and the time is over */
        }
        if (slices->call(slices->call_context)) {
            slices->call = NULL;
        }
        if (is_over(slices)) {
            return false;
        }
    }
    return true;
}

void sli_slices_stop(sli_slices *slices)
{
    SL_ASSERT(slices->started);
    if (!slices->finished) {
        slices->stopping = true;
        change_turns(slices, false);
    }
    sli_thread_join(slices->thread);
    sli_condition_destroy(&slices->turn);
    sli_mutex_destroy(&slices->mutex);
    slices->started = false;
}

void sli_slices_look(sli_slices *slices)
{
    if (is_over(slices)) {
        wait_for_step(slices);
    }
}

void sli_slices_hand_over(sli_slices *slices, sli_slices_call *call, void *context)
{
    slices->call_context = context;
    slices->call = call;
    wait_for_step(slices);
}

void sli_slices_fill(sli_slices *slices, void *to, int byte, size_t size)
{
    for (size_t done = 0; done < size; done += PIECE) {
        memset((char *)to + done, byte, size - done < PIECE ? size - done : PIECE);
        sli_slices_pause(slices);
    }
}

void sli_slices_copy(sli_slices *slices, void *to, const void *from, size_t size)
{
    for (size_t done = 0; done < size; done += PIECE) {
        memcpy((char *)to + done, (const char *)from + done,
               size - done < PIECE ? size - done : PIECE);
        sli_slices_pause(slices);
    }
}
