/* failing_system.h: makes the system calls of lib/base/file/posix.c and below.c fail, be
 * interrupted, or do only a part of the work.  For programs that are linked with --wrap for each of
 * the calls (test/CMakeLists.txt lists them). */
#pragma once

#include "test/support/environment/folder.h"

/* The call with this number, counted from now, fails with an error number; 0: none. */
void system_fails(int call, int number);
/* That call and all later ones fail. */
void system_fails_from(int call, int number);
int system_calls(void); /* since then */

/* One read or write transfers at most that many bytes; 0: no limit. */
void system_moves_at_most(size_t size);
/* Every second call that may be interrupted is. */
void system_interrupts(bool interrupt);
/* Every call that may be interrupted is, however often it is made. */
void system_interrupts_always(bool interrupt);

/* cmocka's tear-down: nothing fails any more; then folder_leave. */
int system_leave(void **state);
