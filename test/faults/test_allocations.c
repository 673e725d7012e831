/* Every allocation that the library makes, refused: the n-th of every case, for every n, once and
 * with all that follow it; of the caller's allocator, and of malloc. */
#include "test/faults/failing_malloc.h"
#include "test/faults/fault_case.h"
#include "test/support/environment/folder.h"
#include "test/support/test.h"

#include <unistd.h>

enum { LEAST = 9000 }; /* more where malloc is ours for all libraries */

static size_t injections;

/* What must hold whatever was refused. */
static void judge(const fault_case *one, sl_result result, const fault_run *run, bool refused,
                  uint64_t answer)
{
    const bool words = result == SL_OK || run->error.message[0] != '\0';
    const bool done = result == SL_OK && run->answer == answer;
    const bool fine = refused ? result == SL_OUT_OF_MEMORY && run->error.code == result : done;
    if (!words || !(fine || done)) {
        fail_msg("%s: %s, %s: %s", one->name, refused ? "refused" : "not refused",
                 sl_result_name(result), run->error.message);
    }
    injections += refused;
}

static uint64_t answer_of(const fault_case *one)
{
    fault_run run = { .answer = 0 };
    const sl_result result = one->run(one, &run);
    if (result != SL_OK) {
        fail_msg("%s: %s", one->name, run.error.message);
    }
    return run.answer;
}

static void refuse_each_of_the_hook(const fault_case *one, bool once, uint64_t answer)
{
    sli_failing_allocator memory = { .failed = true };
    for (size_t n = 0; memory.failed; n++) {
        fault_run run = { .memory = sli_failing_allocator_start(&memory, n) };
        memory.once = once;
        const sl_result result = one->run(one, &run);
        judge(one, result, &run, memory.failed, answer);
        assert_true(sli_failing_allocator_clean(&memory));
    }
}

static void refuse_each_of_malloc(const fault_case *one, bool once, uint64_t answer)
{
    bool refused = true;
    for (size_t n = 0; refused; n++) {
        fault_run run = { .answer = 0 };
        malloc_fails(n, once);
        const sl_result result = one->run(one, &run);
        refused = malloc_recovers();
        judge(one, result, &run, refused, answer);
        if (malloc_live() != 0) {
            fail_msg("%s: %ld blocks are lost", one->name, malloc_live());
        }
    }
}

static void refuse_in_all(void (*refuse)(const fault_case *, bool, uint64_t), bool hook)
{
    size_t count;
    const fault_case *cases = fault_cases(&count);
    for (size_t i = 0; i < count; i++) {
        if (hook && !cases[i].has_hook) {
            continue;
        }
        const uint64_t answer = answer_of(&cases[i]);
        refuse(&cases[i], true, answer);
        refuse(&cases[i], false, answer);
        if (cases[i].writes != NULL) {
            unlink(in_folder(cases[i].writes));
        }
    }
}

TEST(every_allocation_of_the_hook_may_fail)
{
    refuse_in_all(refuse_each_of_the_hook, true);
}

TEST(every_allocation_of_malloc_may_fail)
{
    refuse_in_all(refuse_each_of_malloc, false);
}

/* Nothing beside the path is left, nor any file where none was. */
TEST(no_file_is_left_where_memory_runs_out)
{
    size_t count;
    const fault_case *cases = fault_cases(&count);
    const int files = files_in_folder(), descriptors = open_descriptors();
    for (size_t i = 0; i < count; i++) {
        bool refused = cases[i].writes != NULL;
        for (size_t n = 0; refused; n++) {
            fault_run run = { .answer = 0 };
            malloc_fails(n, false);
            const sl_result result = cases[i].run(&cases[i], &run);
            refused = malloc_recovers();
            assert_int_equal(files_in_folder(), files + (result == SL_OK));
            assert_int_equal(open_descriptors(), descriptors);
            unlink(in_folder(cases[i].writes));
            injections += refused;
        }
    }
}

TEST(there_were_many)
{
    print_message("%zu allocations refused\n", injections);
    assert_true(injections >= LEAST);
}

static int leave(void **state)
{
    fault_cases_end();
    return folder_leave(state);
}

TEST_ONCE(folder_enter, leave);
