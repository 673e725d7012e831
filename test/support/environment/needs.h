/* needs.h: what a test needs but may not have; it is then skipped with a message. */
#pragma once

/* A library that was built with files. */
void test_needs_files(void);

/* Kernels that answer arrays together, not item after item. */
void test_needs_batches(void);

/* Real meshes, and the time for them: emulators set SIGHTLINE_TEST_SCENES=0. */
void test_needs_scenes(void);
