/* Decides tests about numbers, first in doubles, then exactly those that were left unsure. */
#include "lib/geom/exact/arithmetic/tribool.h"

#include "lib/base/assert.h"

#include <stdint.h>

bool sli_any(const sli_tests *tests, int count)
{
    SL_ASSERT(count <= SLI_TESTS_MAX);
    uint32_t open[SLI_TESTS_MAX / 32] = { 0 };
    bool any_open = false;
    for (int i = 0; i < count; i++) {
        const sli_tribool found = tests->answer(tests->context, i);
        if (found == SLI_YES) {
            return true;
        }
        if (found == SLI_UNSURE) {
            open[i / 32] |= (uint32_t)1 << i % 32;
            any_open = true;
        }
    }
    if (!any_open) {
        return false;
    }
    tests->make(tests->context, true);
    for (int i = 0; i < count; i++) {
        const bool is_open = (open[i / 32] >> i % 32 & 1) != 0;
        if (is_open && tests->answer(tests->context, i) == SLI_YES) {
            return true;
        }
    }
    return false;
}
