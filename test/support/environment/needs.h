/* needs.h: what a test needs and may not have; where that is missing it is skipped, in words. */
#ifndef TEST_SUPPORT_NEEDS_H
#define TEST_SUPPORT_NEEDS_H

/* A library with files. */
void test_needs_files(void);

/* Real meshes, and the time for them: none with SIGHTLINE_TEST_SCENES=0, for emulators. */
void test_needs_scenes(void);

#endif
