/* thread/slices.h: long work cut into slices of time, without being written for it.
 *
 * The work is an ordinary function, on a thread of its own.  That thread sleeps at all times but
 * during sli_slices_step, which lets it run and waits until it is done, or until it comes to one of
 * its checkpoints (sli_slices_pause) after the time is over.  So at most one of the two threads
 * runs, and neither needs locks for what both use.
 * Callbacks  what must be done by the thread that steps (a caller's hook) is handed over to it.
 * Stopping   the work can be stopped wherever it waits: its stack is left by longjmp, so it may
 *            hold nothing but memory that a list of its own frees (kept.h).
 * Threads    steps may come from different threads, one after the other.
 * Users      builds in slices (bvh/builder/build_slices.c). */
#pragma once

#include "lib/base/thread/thread.h"

/* Without threads no work begins that could be left; and a C library for WebAssembly has no
 * setjmp.h. */
#if defined(SL_NO_THREADS)
typedef int sli_slices_out;
#define SLI_SLICES_HERE(out)  ((void)(out), 0)
#define SLI_SLICES_LEAVE(out) ((void)(out))
#else
#include <setjmp.h>
typedef jmp_buf sli_slices_out;
#define SLI_SLICES_HERE(out)  setjmp(out)
#define SLI_SLICES_LEAVE(out) longjmp(out, 1)
#endif

/* The least bytes of stack of the thread that works; a build takes 20 KiB of it, and more with a
 * sanitizer's frames. */
enum { SLI_SLICES_STACK = 512 * 1024 };

/* Does a part of what was handed over; true when all is done. */
typedef bool sli_slices_call(void *context);

typedef struct sli_slices {
    void (*work)(void *context);
    void *context;
    sli_thread thread;
    sli_mutex mutex;         /* guards whose turn it is; everything else belongs to that thread */
    sli_condition turn;      /* has changed */
    bool working;            /* it is the turn of the thread that works */
    bool started;            /* there is a thread */
    bool finished, stopping; /* the work is done; it is to be left */
    uint64_t deadline;       /* on sli_clock_ns; 0: over at once */
    sli_slices_call *call;   /* handed over and not done; NULL: nothing */
    void *call_context;
    sli_slices_out out; /* of the work */
} sli_slices;

/* Makes the thread, which does not begin yet.  False, with nothing to stop, where there is none to
 * be had.  *slices stays where it is. */
bool sli_slices_start(sli_slices *slices, void (*work)(void *context), void *context);

/* Lets the work go on for that long (0: to the next checkpoint; UINT64_MAX: to its end).  True once
 * it is done. */
bool sli_slices_step(sli_slices *slices, uint64_t nanoseconds);

/* Ends the thread, and with it the work, done or not.  Once only. */
void sli_slices_stop(sli_slices *slices);

/* ---- What the work calls ---- */

/* Waits for the next step where the time is over. */
void sli_slices_look(sli_slices *slices);

/* A checkpoint.  While a call that was handed over is running, it does nothing: the sliced work
 * waits for that call already.  slices: NULL where work is not sliced. */
static inline void sli_slices_pause(sli_slices *slices)
{
    if (slices != NULL && slices->call == NULL) {
        sli_slices_look(slices);
    }
}

/* The same in a loop over small things, counted by i from 0: behind every step-th of them (a power
 * of two), and none in a loop that is shorter. */
static inline void sli_slices_pause_at(sli_slices *slices, size_t i, size_t step)
{
    if (((i + 1) & (step - 1)) == 0) {
        sli_slices_pause(slices);
    }
}

/* memset and memcpy with checkpoints. */
void sli_slices_fill(sli_slices *slices, void *to, int byte, size_t size);
void sli_slices_copy(sli_slices *slices, void *to, const void *from, size_t size);

/* Has the thread that steps call `call` until it returns true, in as many steps as it takes. */
void sli_slices_hand_over(sli_slices *slices, sli_slices_call *call, void *context);
