/* painted_stack.h: how deep calls reach into a stack.  They run on a stack that was filled with one
 * pattern; bytes that no longer have it were touched.  For POSIX systems. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether frames are larger than those of a plain build: of a sanitizer, or without
 * optimisation. */
bool painted_stack_is_padded(void);

typedef struct painted_stack painted_stack;

/* Calls run(stack, context) on a thread with a stack of size bytes, a whole number of pages: below
 * it is memory that faults.  The thread's own data, which some systems keep at its top, is part of
 * it.  False where there is no such thread to be had. */
bool painted_stack_run(size_t size, void (*run)(painted_stack *, void *), void *context);

/* Within run: how many bytes below the caller's frame were touched since the last time, or the
 * start. */
size_t painted_stack_depth(painted_stack *stack);

/* The same, noted for painted_stack_expect, which wants the most that is noted to be at least 1000
 * bytes and, unless frames are padded, at most limit.  It skips the test where there is no such
 * thread. */
void painted_stack_note(painted_stack *stack);
void painted_stack_expect(size_t size, size_t limit, void (*run)(painted_stack *, void *),
                          void *context);
