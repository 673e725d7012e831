/* scale.h: how much more than usual a test is to do. */
#ifndef TEST_SUPPORT_SCALE_H
#define TEST_SUPPORT_SCALE_H

#include <stddef.h>

/* The number in the environment variable SIGHTLINE_TEST_SCALE, at least 1; 1 where there is none. */
size_t test_scale(void);

#endif
