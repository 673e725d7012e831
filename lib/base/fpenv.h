/* fpenv.h: round to nearest, no flush to zero, traps masked, whatever the caller has set.
 *
 * Every public entry and every task block that does float work is bracketed by the two calls.  The
 * work itself must sit in a function of its own that is not inlined between them (SLI_NOINLINE of
 * inline.h, or a call through a table): compilers know nothing of the environment and move
 * arithmetic freely. */
#pragma once

#include "lib/base/inline.h"

#include <float.h>
#include <stdbool.h>
#include <stdint.h>

/* Doubles must be computed as doubles: x87 registers round sums to other bits than a double has,
 * and the exact decisions would not be exact. */
_Static_assert(FLT_EVAL_METHOD == 0 || FLT_EVAL_METHOD == 1,
               "double arithmetic must not carry more digits (on 32-bit x86: -msse2 -mfpmath=sse)");

#if defined(__SSE2__)
#include <xmmintrin.h>

/* Of MXCSR: all traps masked, round to nearest, denormals kept; and the sticky flags, any. */
enum { SLI_MXCSR_DEFAULT = 0x1F80, SLI_MXCSR_FLAGS = 0x3F };
#elif !defined(__aarch64__) && !defined(__wasm__)
#include <fenv.h>
#endif

typedef struct sli_fpenv {
#if defined(__SSE2__) || defined(__aarch64__) || defined(__wasm__)
    uint64_t control;
#else
    fenv_t saved;
#endif
} sli_fpenv;

sli_fpenv sli_fpenv_enter(void);
void sli_fpenv_leave(sli_fpenv saved);

/* What a call returns, made between the two; and one that returns nothing.  A function that touches
 * no memory could be moved behind the second of them: what it returned has to be there before. */
#define SLI_IN_FPENV(call)                                                                         \
    __extension__({                                                                                \
        const sli_fpenv sli_saved = sli_fpenv_enter();                                             \
        __auto_type sli_made = (call);                                                             \
        __asm__ volatile("" : "+m"(sli_made) : : "memory");                                        \
        sli_fpenv_leave(sli_saved);                                                                \
        sli_made;                                                                                  \
    })

#define SLI_DO_IN_FPENV(call)                                                                      \
    do {                                                                                           \
        const sli_fpenv sli_saved = sli_fpenv_enter();                                             \
        call;                                                                                      \
        sli_fpenv_leave(sli_saved);                                                                \
    } while (0)

/* Whether the two calls would change nothing, so that a caller may leave them out; false where only
 * they can tell. */
static inline bool sli_fpenv_is_default(void)
{
#if defined(__SSE2__)
    return (_mm_getcsr() & ~(uint32_t)SLI_MXCSR_FLAGS) == SLI_MXCSR_DEFAULT;
#elif defined(__wasm__)
    return true; /* there is no other */
#else
    return false;
#endif
}

/* As SLI_IN_FPENV, for calls that take no longer than a few of the two, which are left out where
 * they would change nothing. */
#define SLI_IN_FPENV_IF_NEEDED(call)                                                               \
    (__builtin_expect(sli_fpenv_is_default(), 1) ? (call) : SLI_IN_FPENV(call))
