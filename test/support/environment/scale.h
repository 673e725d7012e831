/* scale.h: how much more or less than usual a test is to do, and whether with other numbers. */
#ifndef TEST_SUPPORT_SCALE_H
#define TEST_SUPPORT_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The number in the environment variable SIGHTLINE_TEST_SCALE, at least 1; 1 where there is none. */
size_t test_scale(void);

/* The number is 0: as little as shows something, for emulators, which take 40 times as long. */
bool test_is_brief(void);

/* usual, moved by the number in SIGHTLINE_TEST_SEED: for long runs beside each other. */
uint64_t test_seed(uint64_t usual);

#endif
