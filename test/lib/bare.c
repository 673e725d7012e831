/* lib/base built without threads and without files (SL_NO_THREADS, SL_NO_FILES): pools have one
 * worker, and files are refused with a message.  A program of its own, with its own objects. */
#include "lib/base/file/file.h"
#include "lib/base/thread/thread.h"
#include "test/support/test.h"

static void add_up(void *context, size_t begin, size_t end, int worker)
{
    assert_int_equal(worker, 0);
    *(size_t *)context += end - begin;
}

TEST(every_pool_has_one_worker)
{
    for (int asked = 0; asked < 5; asked++) {
        OWN(sl_pool) pool = NULL;
        size_t sum = 0;
        assert_int_equal(sl_pool_create(asked, NULL, &pool, NULL), SL_OK);
        const sl_tasks *tasks = sl_pool_tasks(pool);
        assert_int_equal(tasks->worker_count, 1);
        tasks->parallel_for(tasks->user, 1000, 7, add_up, &sum);
        assert_int_equal(sum, 1000);
    }
}

TEST(files_are_refused_in_words)
{
    UNDONE(sli_file_close) sli_file file;
    sl_error error;
    assert_int_equal(sli_file_read("/dev/null", 0, NULL, &file, &error), SL_UNSUPPORTED);
    assert_string_equal(error.message, "this build has no files; use memory");
    assert_string_equal(error.file, "/dev/null");
    assert_int_equal(sli_file_map("/dev/null", NULL, &file, NULL), SL_UNSUPPORTED);
    assert_int_equal(sli_file_write("/dev/null", "x", 1, NULL), SL_UNSUPPORTED);
}
