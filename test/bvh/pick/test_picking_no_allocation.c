/* Picks, lists, snaps and marks allocate nothing, nor do updates of selections once they have been
 * asked about such regions: real answers, while malloc has nothing to give. */
#include "test/support/environment/no_memory.h"
#include "test/support/query/fixed_picks.h"
#include "test/support/test.h"

TEST(picks_allocate_nothing)
{
    UNDONE(fixed_picks_free) fixed_picks f;
    fixed_picks_make(&f);
    no_memory_begin();
    const uint64_t hash = fixed_picks_run(&f);
    assert_int_equal(no_memory_end(), 0);
    assert_true(hash == fixed_picks_run(&f));
    for (int kind = 0; kind < 5; kind++) {
        assert_true(f.found[kind] > 10);
    }
}

TEST(selections_that_are_warm_allocate_nothing)
{
    UNDONE(fixed_picks_free) fixed_picks f;
    fixed_picks_make(&f);
    const uint64_t hash = fixed_picks_select(&f, NULL);
    no_memory_begin();
    const uint64_t again = fixed_picks_select(&f, NULL);
    assert_int_equal(no_memory_end(), 0);
    assert_true(hash == again);
}
