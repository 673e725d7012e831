/* scale.h: how many more or fewer cases than usual a test tries, and whether with other random
 * numbers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number in the environment variable SIGHTLINE_TEST_SCALE, at least 1; 1 where there is none.
 */
size_t test_scale(void);

/* That many times `usual`; a tenth of it where the number is 0. */
size_t test_count(size_t usual);

/* The number is 0: as few cases as are of use, for emulators, which take
 * 40 times as long, and builds with sanitizers. */
bool test_is_brief(void);

/* usual, shifted by the number in SIGHTLINE_TEST_SEED, so that several long runs differ. */
uint64_t test_seed(uint64_t usual);
