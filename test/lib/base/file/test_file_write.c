/* Writing files: whichever call of the system fails, there is the whole new file, or what was there
 * before. */
#include "lib/base/file/file.h"
#include "test/support/environment/failing_system.h"
#include "test/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t mode_of(const char *path)
{
    struct stat about;
    assert_int_equal(stat(path, &about), 0);
    return about.st_mode & 07777;
}

TEST_EACH(folder_enter, system_leave);

TEST(a_new_file_holds_all_and_honours_the_umask)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    const mode_t before = umask(027);
    const sl_result result = sli_file_write(in_folder("new"), text, size, NULL);
    umask(before);
    assert_int_equal(result, SL_OK);
    assert_true(holds(in_folder("new"), text, size));
    assert_int_equal(mode_of(in_folder("new")), 0640);
    assert_int_equal(sli_file_write(in_folder("empty"), NULL, 0, NULL), SL_OK);
    assert_true(holds(in_folder("empty"), "", 0));
    assert_int_equal(files_in_folder(), 2);
}

TEST(short_writes_and_interrupts_are_nothing_special)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    system_moves_at_most(7);
    system_interrupts(true);
    const sl_result result = sli_file_write(in_folder("new"), text, 5000, NULL);
    system_moves_at_most(0);
    system_interrupts(false);
    assert_int_equal(result, SL_OK);
    assert_true(holds(in_folder("new"), text, 5000));
    assert_int_equal(files_in_folder(), 1);
}

TEST(a_file_that_is_replaced_keeps_its_mode)
{
    put(in_folder("a"), "a longer old text", 17);
    assert_int_equal(chmod(in_folder("a"), 0755), 0);
    assert_int_equal(sli_file_write(in_folder("a"), "new", 3, NULL), SL_OK);
    assert_true(holds(in_folder("a"), "new", 3));
    assert_int_equal(mode_of(in_folder("a")), 0755);
}

TEST(a_write_protected_file_stays)
{
    if (geteuid() == 0) {
        print_message("skipped: nothing is write-protected for root\n");
        skip();
    }
    sl_error error;
    put(in_folder("a"), "old", 3);
    assert_int_equal(chmod(in_folder("a"), 0444), 0);
    assert_int_equal(sli_file_write(in_folder("a"), "new", 3, &error), SL_IO);
    assert_string_equal(error.message, "cannot write the file: Permission denied");
    assert_true(holds(in_folder("a"), "old", 3));
}

TEST(links_stay_and_their_targets_are_written)
{
    struct stat about;
    assert_int_equal(mkdir(in_folder("deep"), 0777), 0);
    put(in_folder("deep/target"), "old", 3);
    assert_int_equal(symlink("deep/target", in_folder("link")), 0);
    assert_int_equal(symlink(in_folder("link"), in_folder("link2")), 0);
    assert_int_equal(symlink("deep/not there yet", in_folder("dangling")), 0);
    assert_int_equal(sli_file_write(in_folder("link2"), "new", 3, NULL), SL_OK);
    assert_true(holds(in_folder("deep/target"), "new", 3));
    assert_int_equal(lstat(in_folder("link"), &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(sli_file_write(in_folder("dangling"), "newer", 5, NULL), SL_OK);
    assert_true(holds(in_folder("deep/not there yet"), "newer", 5));
}

TEST(a_ring_of_links_is_an_error)
{
    sl_error error;
    assert_int_equal(symlink("b", in_folder("a")), 0);
    assert_int_equal(symlink("a", in_folder("b")), 0);
    assert_int_equal(sli_file_write(in_folder("a"), "x", 1, &error), SL_IO);
    assert_non_null(strstr(error.message, "symbolic links"));
}

TEST(what_cannot_be_written_is_said_in_words)
{
    static const struct {
        const char *path, *words;
        sl_result result;
    } cases[] = {
        { "/dev/full",
          "cannot write the file: the disk is full; free space or choose another place", SL_IO },
        { "/tmp", "cannot write the file: it is a directory; name a file in it", SL_IO },
        { "/nowhere/a", "cannot create a temporary file in its folder: No such file or directory",
          SL_NOT_FOUND },
        { "/dev/null/a", "cannot write the file: Not a directory", SL_NOT_FOUND },
        { "/dev/fd/201", "cannot write the file: Bad file descriptor", SL_IO },
        { "", "cannot write the file: No such file or directory", SL_NOT_FOUND },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sl_error error;
        assert_int_equal(sli_file_write(cases[i].path, "x", 1, &error), cases[i].result);
        assert_string_equal(error.message, cases[i].words);
        assert_string_equal(error.file, cases[i].path);
    }
    assert_int_equal(sli_file_write("/dev/null", "x", 1, NULL), SL_OK);
}

TEST(a_name_that_is_too_long_is_an_error)
{
    static char path[10000];
    memset(path, 'a', sizeof path - 1);
    assert_int_equal(sli_file_write(path, "x", 1, NULL), SL_IO);
    for (size_t i = 0; i < sizeof path - 1; i += 2) {
        path[i] = '.';
        path[i + 1] = '/';
    }
    path[sizeof path - 1] = '\0';
    assert_int_equal(sli_file_write(path, "x", 1, NULL), SL_IO);
}

TEST(standard_output_is_written_where_it_stands)
{
    put(in_folder("out"), "", 0);
    fflush(stdout);
    const int saved = dup(1);
    const int descriptor = open(in_folder("out"), O_WRONLY, 0);
    dup2(descriptor, 1);
    close(descriptor);
    const ssize_t head = write(1, "head ", 5);
    const sl_result result = sli_file_write("/dev/stdout", "body", 4, NULL);
    dup2(saved, 1);
    close(saved);
    assert_int_equal(head, 5);
    assert_int_equal(result, SL_OK);
    assert_true(holds(in_folder("out"), "head body", 9));
    assert_int_equal(files_in_folder(), 1);
}

TEST(temporary_names_of_others_are_in_nobodys_way)
{
    char name[100];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, ".sightline-%ld-%d.tmp", (long)getpid(), i);
        put(in_folder(name), "theirs", 6);
    }
    assert_int_equal(sli_file_write(in_folder("a"), "ours", 4, NULL), SL_OK);
    assert_true(holds(in_folder("a"), "ours", 4));
    assert_true(holds(in_folder(name), "theirs", 6));
    assert_int_equal(files_in_folder(), 4);
}

/* old: NULL, or what the file holds before. */
static void write_with_each_call_failing(const char *old)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    const int descriptors = open_descriptors();
    int failures = 0;
    system_moves_at_most(40000);
    for (int n = 1;; n++) {
        sl_error error;
        unlink(in_folder("a"));
        if (old != NULL) {
            put(in_folder("a"), old, strlen(old));
        }
        system_fails(n, ENOSPC);
        const sl_result result = sli_file_write(in_folder("a"), text, size, &error);
        const bool reached = system_calls() >= n;
        system_fails(0, 0);
        if (result == SL_OK) {
            assert_true(holds(in_folder("a"), text, size));
        } else {
            assert_int_equal(result, SL_IO);
            assert_non_null(strstr(error.message, "the disk is full"));
            assert_true(old != NULL ? holds(in_folder("a"), old, strlen(old))
                                    : files_in_folder() == 0);
            failures++;
        }
        assert_int_equal(files_in_folder(), result == SL_OK || old != NULL);
        assert_int_equal(open_descriptors(), descriptors);
        if (!reached) {
            break;
        }
    }
    /* stat, readlink, (faccessat,) open, 3 writes, close, rename; setting the owner may fail */
    assert_int_equal(failures, old != NULL ? 9 : 8);
}

TEST(any_failing_call_while_writing_leaves_what_was_there)
{
    write_with_each_call_failing(NULL);
    write_with_each_call_failing("what was there");
}
