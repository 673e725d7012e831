/* fuzz.h: what libFuzzer calls with one input after the other; 0 always.  A fault is a trap, a
 * report of a sanitizer, or fuzz_fail. */
#pragma once

#include "test/support/own.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says what is wrong, and stops. */
static inline void fuzz_fail(const char *what)
{
    fprintf(stderr, "fuzz: %s\n", what);
    abort();
}

static inline void fuzz_expect(bool good, const char *what)
{
    if (!good) {
        fuzz_fail(what);
    }
}
