#include "test/support/environment/watch.h"
#include "test/support/test.h"

static bool report(void *user, const char *stage, float fraction)
{
    (void)stage;
    test_watch *watch = user;
    assert_true(fraction >= 0 && fraction <= 1);
    return watch->calls++ != watch->stop_at;
}

sl_progress test_watch_progress(test_watch *watch)
{
    return (sl_progress){ report, watch };
}
