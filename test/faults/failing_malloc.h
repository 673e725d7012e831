/* failing_malloc.h: malloc and its kin, made to fail and counted.
 *
 * Where the C library is glibc and no sanitizer has its own malloc, the program's functions take
 * the place of the library's for the whole program: libpng and jansson are refused memory, too.
 * Elsewhere calls of ours alone are caught, by linking with --wrap (FAULTS_WRAP;
 * test/CMakeLists.txt). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Allocation number nth from now on fails, counted from 0; with all that follow it, unless once. */
void malloc_fails(size_t nth, bool once);

/* None fails any more.  True where one did. */
bool malloc_recovers(void);

/* Since malloc_fails: blocks taken and not given back. */
long malloc_live(void);
