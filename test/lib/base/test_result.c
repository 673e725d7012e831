/* Result codes and errors: one list gives enum, names and words. */
#include "lib/base/error.h"

#include <sightline/base.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* cmocka wants the four above first */
#include <cmocka.h>

static void every_code_has_its_own_name_and_words(void **state)
{
    (void)state;
    static const sl_result codes[] = {
#define CODE(code, number, words) code,
        SL_RESULT_LIST(CODE)
#undef CODE
    };
    const size_t count = sizeof codes / sizeof codes[0];
    assert_int_equal(count, 12);
    for (size_t i = 0; i < count; i++) {
        assert_string_not_equal(sl_result_name(codes[i]), "SL_UNKNOWN");
        for (size_t j = 0; j < i; j++) {
            assert_int_not_equal(codes[i], codes[j]);
            assert_string_not_equal(sl_result_name(codes[i]), sl_result_name(codes[j]));
            assert_string_not_equal(sl_result_message(codes[i]), sl_result_message(codes[j]));
        }
    }
}

static void codes_keep_their_numbers(void **state)
{
    (void)state;
    assert_int_equal(SL_OK, 0);
    assert_int_equal(SL_OUT_OF_MEMORY, 2);
    assert_int_equal(SL_NO_THREADS_LEFT, 11);
    assert_string_equal(sl_result_name(SL_BAD_INDEX), "SL_BAD_INDEX");
    assert_string_equal(sl_result_message(SL_OUT_OF_MEMORY), "out of memory");
}

static void a_number_that_is_no_code_is_unknown(void **state)
{
    (void)state;
    assert_string_equal(sl_result_name((sl_result)12345), "SL_UNKNOWN");
    assert_string_equal(sl_result_message((sl_result)-1), "unknown result");
}

static void an_error_says_what_and_where(void **state)
{
    (void)state;
    sl_error error;
    memset(&error, 0xFF, sizeof error);
    assert_int_equal(sli_fail(&error, SL_BAD_DATA, "a.obj", 12, 345, "found '%s'", "x"),
                     SL_BAD_DATA);
    assert_int_equal(error.code, SL_BAD_DATA);
    assert_int_equal(error.line, 12);
    assert_int_equal(error.byte, 345);
    assert_string_equal(error.file, "a.obj");
    assert_string_equal(error.message, "found 'x'");
}

static void long_words_are_cut_to_fit(void **state)
{
    (void)state;
    char name[1000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    sl_error error;
    sli_fail(&error, SL_IO, name, SLI_NO_LINE, SLI_NO_BYTE, "%s", name);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static void nobody_has_to_want_the_error(void **state)
{
    (void)state;
    assert_int_equal(sli_fail(NULL, SL_IO, "a", 1, 2, "words"), SL_IO);
    assert_int_equal(sli_fail_memory(NULL), SL_OUT_OF_MEMORY);
    sl_error error;
    assert_int_equal(sli_fail_memory(&error), SL_OUT_OF_MEMORY);
    assert_string_equal(error.message, "out of memory");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.byte, -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_has_its_own_name_and_words),
        cmocka_unit_test(codes_keep_their_numbers),
        cmocka_unit_test(a_number_that_is_no_code_is_unknown),
        cmocka_unit_test(an_error_says_what_and_where),
        cmocka_unit_test(long_words_are_cut_to_fit),
        cmocka_unit_test(nobody_has_to_want_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
