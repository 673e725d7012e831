/* Result codes and errors: one list gives enum, names and words. */
#include "lib/base/error.h"
#include "test/support/test.h"

TEST(every_code_has_its_own_name_and_words)
{
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

TEST(codes_keep_their_numbers)
{
    assert_int_equal(SL_OK, 0);
    assert_int_equal(SL_OUT_OF_MEMORY, 2);
    assert_int_equal(SL_NO_THREADS_LEFT, 11);
    assert_string_equal(sl_result_name(SL_BAD_INDEX), "SL_BAD_INDEX");
    assert_string_equal(sl_result_message(SL_OUT_OF_MEMORY), "out of memory");
}

TEST(a_number_that_is_no_code_is_unknown)
{
    assert_string_equal(sl_result_name((sl_result)12345), "SL_UNKNOWN");
    assert_string_equal(sl_result_message((sl_result)-1), "unknown result");
}

TEST(an_error_says_what_and_where)
{
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

TEST(long_words_are_cut_to_fit)
{
    char name[1000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    sl_error error;
    sli_fail(&error, SL_IO, name, SLI_NO_LINE, SLI_NO_BYTE, "%s", name);
    assert_int_equal(strlen(error.file), sizeof error.file - 1);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

TEST(nobody_has_to_want_the_error)
{
    assert_int_equal(sli_fail(NULL, SL_IO, "a", 1, 2, "words"), SL_IO);
    assert_int_equal(sli_fail_memory(NULL), SL_OUT_OF_MEMORY);
    sl_error error;
    assert_int_equal(sli_fail_memory(&error), SL_OUT_OF_MEMORY);
    assert_string_equal(error.message, "out of memory");
    assert_string_equal(error.file, "");
    assert_int_equal(error.line, 0);
    assert_int_equal(error.byte, -1);
}
