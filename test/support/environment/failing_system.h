/* failing_system.h: the calls that lib/base/file/posix.c and file/below.c make of the system, made to
 * fail, to be interrupted or to do only a part. For programs linked with --wrap for each of the
 * calls (test/CMakeLists.txt lists them). */
#ifndef TEST_SUPPORT_FAILING_SYSTEM_H
#define TEST_SUPPORT_FAILING_SYSTEM_H

#include "test/support/environment/folder.h"

#include <stdbool.h>
#include <stddef.h>

/* Call number call from now on fails with an error number; 0: none. */
void system_fails(int call, int number);
/* That one and all after it. */
void system_fails_from(int call, int number);
int system_calls(void); /* since then */

/* One read or write moves at most that many bytes; 0: any number. */
void system_moves_at_most(size_t size);
/* Every other call that may be interrupted is. */
void system_interrupts(bool interrupt);

/* cmocka's tear-down: nothing fails any more; then folder_leave. */
int system_leave(void **state);

#endif
