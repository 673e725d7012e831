/* needs.h: what a test needs but may not have; it is then skipped with a message. */
#ifndef TEST_SUPPORT_NEEDS_H
#define TEST_SUPPORT_NEEDS_H

/* A library that was built with files. */
void test_needs_files(void);

/* Real meshes, and the time for them: emulators set SIGHTLINE_TEST_SCENES=0. */
void test_needs_scenes(void);

#endif
