/* failing_system.h: the calls that lib/base/file.c makes of the system, made to fail, to be
 * interrupted or to do only a part; and a folder to play in.
 * For programs linked with --wrap for each of the calls (test/CMakeLists.txt lists them). */
#ifndef TEST_SUPPORT_FAILING_SYSTEM_H
#define TEST_SUPPORT_FAILING_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Call number call from now on fails with an error number; 0: none. */
void system_fails(int call, int number);
int system_calls(void); /* since then */

/* One read or write moves at most that many bytes; 0: any number. */
void system_moves_at_most(size_t size);
/* Every other call that may be interrupted is. */
void system_interrupts(bool interrupt);

/* cmocka's set-up and tear-down: makes an empty folder, and removes it with all that is in it. */
int folder_enter(void **state);
int folder_leave(void **state);
int files_in_folder(void);
const char *in_folder(const char *name); /* the path; valid for three more calls */

void put(const char *path, const void *bytes, size_t size);
bool holds(const char *path, const void *bytes, size_t size); /* exactly that */
int open_descriptors(void);

/* 100 000 bytes that follow no short period. */
const uint8_t *long_text(size_t *size);

#endif
