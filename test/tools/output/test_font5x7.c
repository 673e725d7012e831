/* The font of pictures. */
#include "tools/output/font5x7.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* Each has dots of its own, within its five by seven. */
static void letters_differ(void **state)
{
    (void)state;
    for (int a = '!'; a <= '~'; a++) {
        int dots = 0;
        for (int row = 0; row < FONT_HEIGHT; row++) {
            assert_true(font_rows((char)a)[row] < 1 << FONT_WIDTH);
            dots += font_rows((char)a)[row] != 0;
        }
        assert_true(dots > 0);
        for (int b = ' '; b < a; b++) {
            const bool same = memcmp(font_rows((char)a), font_rows((char)b), FONT_HEIGHT) == 0;
            assert_true(!same || font_drop((char)a) != font_drop((char)b));
        }
    }
    assert_ptr_equal(font_rows('\n'), font_rows('?'));
    assert_ptr_equal(font_rows((char)200), font_rows('?'));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(letters_differ) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
