/* io_formats.h: runs the tests of mesh_case.h with the formats of sightline::io. */
#pragma once

#include "test/support/input/mesh_case.h"

#include <sightline/io.h>

/* To begin a group of tests with. */
static inline int with_io_formats(void **state)
{
    (void)state;
    sli_case_formats = sl_io_formats();
    return 0;
}
