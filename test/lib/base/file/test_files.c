/* lib/base/file/file.h, as far as it says the same on every system: POSIX and Windows.  What is
 * particular to POSIX is in test_file.c and test_file_write.c. */
#include "lib/base/file/file.h"
#include "test/support/test.h"

/* In the folder in which the test runs. */
#define PATH "sightline-test-files.bin"

static void holds(const char *path, const char *text)
{
    sli_file file;
    for (int mapped = 0; mapped < 2; mapped++) {
        const sl_result result = mapped == 1 ? sli_file_map(path, NULL, &file, NULL)
                                             : sli_file_read(path, 0, NULL, &file, NULL);
        assert_int_equal(result, SL_OK);
        assert_int_equal(file.mapped, mapped == 1 && text[0] != '\0');
        assert_int_equal(file.size, strlen(text));
        assert_memory_equal(file.bytes, text, strlen(text));
        sli_file_close(&file);
    }
}

TEST(what_is_written_is_read_and_mapped)
{
    /* Not taken for ends of lines or of files, whatever the system does to text. */
    static const char *const texts[] = { "one\r\ntwo\n", "\x1A end of an old text file", "",
                                         "new" };
    for (int i = 0; i < 4; i++) {
        assert_int_equal(sli_file_write(PATH, texts[i], strlen(texts[i]), NULL), SL_OK);
        holds(PATH, texts[i]);
    }
    assert_int_equal(remove(PATH), 0);
}

TEST(pieces_are_written_one_behind_the_other)
{
    const sli_piece pieces[3] = { { "a", 1 }, { "", 0 }, { "bc", 2 } };
    assert_int_equal(sli_file_write_pieces(PATH, pieces, 3, NULL), SL_OK);
    holds(PATH, "abc");
    assert_int_equal(remove(PATH), 0);
}

TEST(a_file_beyond_its_limit_is_too_large)
{
    sli_file file;
    assert_int_equal(sli_file_write(PATH, "12345", 5, NULL), SL_OK);
    assert_int_equal(sli_file_read(PATH, 4, NULL, &file, NULL), SL_TOO_LARGE);
    assert_null(file.bytes);
    assert_int_equal(sli_file_read(PATH, 5, NULL, &file, NULL), SL_OK);
    sli_file_close(&file);
    assert_int_equal(remove(PATH), 0);
}

TEST(what_is_not_there_is_not_found)
{
    sli_file file;
    sl_error error;
    assert_int_equal(sli_file_read("sightline-no-such-file", 0, NULL, &file, &error), SL_NOT_FOUND);
    assert_string_equal(error.file, "sightline-no-such-file");
    assert_non_null(strstr(error.message, "cannot open the file: "));
    assert_int_equal(sli_file_map("sightline-no-such-file", NULL, &file, NULL), SL_NOT_FOUND);
    assert_int_equal(sli_file_write("sightline-no-such-folder/x", "x", 1, NULL), SL_NOT_FOUND);
}

TEST(a_folder_is_no_file)
{
    sli_file file;
    assert_int_equal(sli_file_read(".", 0, NULL, &file, NULL), SL_IO);
    assert_int_equal(sli_file_write(".", "x", 1, NULL), SL_IO);
    assert_int_equal(sli_file_write("", "x", 1, NULL), SL_NOT_FOUND);
}

static bool there_is_room(void *context, size_t size)
{
    return size <= *(size_t *)context;
}

static sl_result read_below(const char *name, size_t room)
{
    UNDONE(sli_file_close) sli_file file;
    const sl_result result =
        sli_file_read_below("./beside.gltf", name, 1000, there_is_room, &room, NULL, &file, NULL);
    return result;
}

TEST(a_file_that_another_names_is_in_its_folder_or_below)
{
    assert_int_equal(sli_file_write(PATH, "12345", 5, NULL), SL_OK);
    assert_int_equal(read_below(PATH, 5), SL_OK);
    assert_int_equal(read_below(PATH, 4), SL_TOO_LARGE);
    assert_int_equal(read_below("sightline-no-such-file", 5), SL_NOT_FOUND);
    static const char *const outside[] = { "../x", "/x", "" };
    for (int i = 0; i < 3; i++) {
        assert_int_equal(read_below(outside[i], 5), SL_UNSUPPORTED);
    }
    static const char *const around[] = { "no-folder/../" PATH, "no-folder//" PATH };
    for (int i = 0; i < 2; i++) {
        assert_int_not_equal(read_below(around[i], 5), SL_OK);
    }
#if defined(_WIN32)
    static const char *const of_windows[] = { "..\\x",        "C:\\x",        "C:" PATH,
                                              PATH ":stream", PATH "::$DATA", "... /x",
                                              ". ./x",        PATH ".",       PATH " " };
    for (int i = 0; i < 9; i++) {
        assert_int_equal(read_below(of_windows[i], 5), SL_UNSUPPORTED);
    }
    assert_int_not_equal(read_below("NUL", 5), SL_OK);
#endif
    assert_int_equal(remove(PATH), 0);
}
