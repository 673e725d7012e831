#include "test/support/environment/needs.h"
#include "test/support/test.h"

void test_needs_files(void)
{
#if defined(SL_NO_FILES)
    print_message("this build has no files: skipped\n");
    skip();
#endif
}

void test_needs_batches(void)
{
#if defined(SL_SMALL)
    print_message("this build has small kernels: skipped\n");
    skip();
#endif
}

void test_needs_scenes(void)
{
    const char *scenes = getenv("SIGHTLINE_TEST_SCENES");
    test_needs_files();
    if (scenes != NULL && strcmp(scenes, "0") == 0) {
        print_message("SIGHTLINE_TEST_SCENES says no real meshes: skipped\n");
        skip();
    }
}
