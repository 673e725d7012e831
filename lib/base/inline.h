/* inline.h: what the compiler is told about inlining, and nothing else is: used as
 * "static SLI_FORCE_INLINE type name(...)".
 *
 * SLI_FORCE_INLINE  in every caller, whatever the size: a loop that is specialised by a constant
 *                   argument, or whose caller keeps its state in registers.
 * SLI_NOINLINE      never: rare work that is kept out of a loop's registers, and float work between
 *                   the two calls of fpenv.h. */
#pragma once

#define SLI_FORCE_INLINE inline __attribute__((always_inline))
#define SLI_NOINLINE     __attribute__((noinline))
