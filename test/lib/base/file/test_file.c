/* Reading files: whatever kind of file it is, and whichever call of the system fails, there are all
 * bytes, or an error with a message. */
#include "lib/base/file/file.h"
#include "test/support/environment/failing_system.h"
#include "test/support/test.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static void check_reads(const char *path, const void *bytes, size_t size)
{
    for (int mapped = 0; mapped < 2; mapped++) {
        sli_failing_allocator memory;
        const sl_allocator hook = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
        sli_file file;
        assert_int_equal(mapped ? sli_file_map(path, &hook, &file, NULL)
                                : sli_file_read(path, 0, &hook, &file, NULL),
                         SL_OK);
        assert_int_equal(file.size, size);
        assert_non_null(file.bytes);
        assert_memory_equal(file.bytes, bytes, size);
        sli_file_close(&file);
        sli_file_close(&file);
        assert_true(sli_failing_allocator_clean(&memory));
    }
}

TEST_EACH(folder_enter, system_leave);

TEST(regular_files_are_read_and_mapped)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    for (size_t n = 0; n <= size; n = n * 7 + 1) {
        put(in_folder("a"), text, n);
        check_reads(in_folder("a"), text, n);
    }
    UNDONE(sli_file_close) sli_file file;
    assert_int_equal(sli_file_map(in_folder("a"), NULL, &file, NULL), SL_OK);
    assert_true(file.mapped);
}

TEST(short_reads_and_interrupts_are_nothing_special)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    put(in_folder("a"), text, 5000);
    system_moves_at_most(7);
    system_interrupts(true);
    check_reads(in_folder("a"), text, 5000);
}

TEST(a_call_that_is_always_interrupted_fails_in_the_end)
{
    sli_file file;
    sl_error error;
    put(in_folder("a"), "text", 4);
    system_interrupts_always(true);
    const sl_result read = sli_file_read(in_folder("a"), 0, NULL, &file, &error);
    const sl_result written = sli_file_write(in_folder("b"), "text", 4, NULL);
    system_interrupts_always(false);
    assert_int_equal(read, SL_IO);
    assert_non_null(strstr(error.message, "cannot open the file"));
    assert_int_equal(written, SL_IO);
}

TEST(files_that_do_not_tell_their_size_are_read_to_the_end)
{
    UNDONE(sli_file_close) sli_file file;
    assert_int_equal(sli_file_map("/proc/self/status", NULL, &file, NULL), SL_OK);
    assert_true(file.size > 100); /* stat says 0 */
    assert_memory_equal(file.bytes, "Name:", 5);
}

/* Runs a child that writes into the pipe, while the parent reads from it by the given name. */
static void read_from_pipe(const char *name, int as)
{
    size_t size;
    const uint8_t *text = long_text(&size); /* more than a pipe holds */
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        for (size_t done = 0; done < size;) {
            const ssize_t part = write(ends[1], text + done, size - done);
            done += part > 0 ? (size_t)part : 0;
        }
        _exit(0);
    }
    const int saved = dup(as);
    assert_true(dup2(ends[0], as) == as);
    close(ends[0]);
    close(ends[1]);
    UNDONE(sli_file_close) sli_file file;
    const sl_result result = sli_file_map(name, NULL, &file, NULL);
    if (saved >= 0) {
        dup2(saved, as);
        close(saved);
    } else {
        close(as);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(result, SL_OK);
    assert_false(file.mapped);
    assert_int_equal(file.size, size);
    assert_memory_equal(file.bytes, text, size);
}

TEST(pipes_and_standard_input_are_read_to_the_end)
{
    read_from_pipe("/dev/stdin", 0);
    read_from_pipe("/dev/fd/77", 77);
}

/* A child writes when there has been nothing to read for a while. */
TEST(a_read_that_would_block_is_waited_for)
{
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
    const pid_t child = fork();
    if (child == 0) {
        usleep(50000);
        _exit(write(ends[1], "late", 4) == 4 ? 0 : 1);
    }
    close(ends[1]);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    sli_file file;
    assert_int_equal(sli_file_read(name, 0, NULL, &file, NULL), SL_OK);
    assert_int_equal(file.size, 4);
    assert_memory_equal(file.bytes, "late", 4);
    sli_file_close(&file);
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
}

TEST(standard_input_continues_where_it_stands)
{
    put(in_folder("a"), "headbody", 8);
    const int saved = dup(0);
    const int descriptor = open(in_folder("a"), O_RDONLY, 0);
    dup2(descriptor, 0);
    close(descriptor);
    char head[4];
    assert_int_equal(read(0, head, 4), 4);
    UNDONE(sli_file_close) sli_file file;
    const sl_result result = sli_file_map("/dev/stdin", NULL, &file, NULL);
    dup2(saved, 0);
    close(saved);
    assert_int_equal(result, SL_OK);
    assert_int_equal(file.size, 4);
    assert_memory_equal(file.bytes, "body", 4);
}

TEST(what_cannot_be_read_is_said_in_words)
{
    static const struct {
        const char *path, *words;
        sl_result result;
    } cases[] = {
        { "/nowhere/at/all", "cannot open the file: No such file or directory", SL_NOT_FOUND },
        { "/dev/null/x", "cannot open the file: Not a directory", SL_NOT_FOUND },
        { "/tmp", "cannot read the file: it is a directory; name a file in it", SL_IO },
        { "/dev/fd/201", "cannot open the file: Bad file descriptor", SL_IO },
        { "/dev/fd/", "cannot read the file: it is a directory; name a file in it", SL_IO },
        { "/dev/fd/1x", "cannot open the file: No such file or directory", SL_NOT_FOUND },
        { "/dev/fd/-1", "cannot open the file: No such file or directory", SL_NOT_FOUND },
        { "/dev/fd/99999999999", "cannot open the file: No such file or directory", SL_NOT_FOUND },
        { "", "cannot open the file: No such file or directory", SL_NOT_FOUND },
    };
    const int descriptors = open_descriptors();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int mapped = 0; mapped < 2; mapped++) {
            sl_error error;
            sli_file file;
            assert_int_equal(mapped ? sli_file_map(cases[i].path, NULL, &file, &error)
                                    : sli_file_read(cases[i].path, 0, NULL, &file, &error),
                             cases[i].result);
            assert_string_equal(error.message, cases[i].words);
            assert_string_equal(error.file, cases[i].path);
            sli_file_close(&file); /* is zeroed, so that is fine */
        }
    }
    assert_int_equal(open_descriptors(), descriptors);
}

TEST(a_file_over_the_limit_is_refused)
{
    sli_file file;
    sl_error error;
    put(in_folder("a"), "12345", 5);
    assert_int_equal(sli_file_read(in_folder("a"), 5, NULL, &file, NULL), SL_OK);
    sli_file_close(&file);
    assert_int_equal(sli_file_read(in_folder("a"), 4, NULL, &file, &error), SL_TOO_LARGE);
    assert_non_null(strstr(error.message, "limit of 4 bytes"));
    /* Endless, and of unknown size. */
    assert_int_equal(sli_file_read("/dev/zero", 1000000, NULL, &file, NULL), SL_TOO_LARGE);
}

TEST(memory_that_runs_out_while_reading_is_survived)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    put(in_folder("a"), text, size);
    static const char *const paths[] = { NULL, "/proc/self/maps" };
    for (int i = 0; i < 2; i++) {
        const char *path = paths[i] != NULL ? paths[i] : in_folder("a");
        sl_allocator hook;
        sli_failing_allocator memory = TEST_NO_FAILURE_YET;
        while (test_next_failure(&memory, &hook)) {
            UNDONE(sli_file_close) sli_file file;
            const sl_result result = sli_file_read(path, 0, &hook, &file, NULL);
            assert_int_equal(result, memory.failed ? SL_OUT_OF_MEMORY : SL_OK);
        }
    }
}

TEST(any_failing_call_while_reading_is_survived)
{
    size_t size;
    const uint8_t *text = long_text(&size);
    put(in_folder("a"), text, size);
    const int descriptors = open_descriptors();
    system_moves_at_most(40000);
    for (int mapped = 0; mapped < 2; mapped++) {
        int failures = 0;
        for (int n = 1;; n++) {
            sli_failing_allocator memory;
            const sl_allocator hook = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL);
            sli_file file;
            sl_error error;
            const char *path = in_folder("a");
            system_fails(n, EIO);
            const sl_result result = mapped ? sli_file_map(path, &hook, &file, &error)
                                            : sli_file_read(path, 0, &hook, &file, &error);
            const bool reached = system_calls() >= n;
            system_fails(0, 0);
            if (result == SL_OK) {
                assert_int_equal(file.size, size);
                assert_memory_equal(file.bytes, text, size);
            } else {
                assert_int_equal(result, SL_IO);
                assert_non_null(strstr(error.message, "Input/output error"));
                failures++;
            }
            sli_file_close(&file);
            assert_int_equal(memory.live_blocks, 0);
            assert_int_equal(open_descriptors(), descriptors);
            if (!reached) {
                break;
            }
        }
        /* open, fstat, and when reading: 3 reads that give something and one that gives the end */
        assert_int_equal(failures, mapped ? 2 : 6);
    }
}
