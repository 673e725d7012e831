/* Asks questions about numbers, first in doubles, then exactly those that were left unsure. */
#include "lib/geom/exact/arithmetic/tribool.h"

#include "lib/base/assert.h"

#include <stdint.h>

bool sli_any(const sli_questions *questions, int count)
{
    SL_ASSERT(count <= SLI_QUESTIONS_MAX);
    uint32_t open[SLI_QUESTIONS_MAX / 32] = { 0 };
    bool any_open = false;
    for (int i = 0; i < count; i++) {
        const sli_tribool found = questions->answer(questions->context, i);
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
    questions->make(questions->context, true);
    for (int i = 0; i < count; i++) {
        const bool is_open = (open[i / 32] >> i % 32 & 1) != 0;
        if (is_open && questions->answer(questions->context, i) == SLI_YES) {
            return true;
        }
    }
    return false;
}
