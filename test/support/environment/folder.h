/* folder.h: a temporary folder for a test, and checks of the files in it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* cmocka's set-up and tear-down: makes an empty folder, and removes it with all that is in it. */
int folder_enter(void **state);
int folder_leave(void **state);
int files_in_folder(void);
const char *in_folder(const char *name); /* the path; valid for three more calls */

void put(const char *path, const void *bytes, size_t size);
bool holds(const char *path, const void *bytes, size_t size); /* exactly that */
int open_descriptors(void);

/* 100 000 bytes that follow no short period. */
const uint8_t *long_text(size_t *size);
