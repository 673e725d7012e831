/* The font of pictures. */
#include "test/support/test.h"
#include "tools/output/font5x7.h"

/* Each has dots of its own, within its five by seven. */
TEST(letters_differ)
{
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
