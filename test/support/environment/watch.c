#include "test/support/environment/watch.h"
#include "test/support/test.h"

static bool report(void *user, const char *phase, float fraction)
{
    test_watch *watch = user;
    assert_true(watch->phase == NULL || strcmp(watch->phase, phase) == 0);
    assert_true(fraction >= (watch->rises ? watch->last : 0) && fraction <= 1);
    watch->last = fraction;
    return watch->calls++ != watch->stop_at;
}

sl_progress test_watch_progress(test_watch *watch)
{
    return (sl_progress){ report, watch };
}
