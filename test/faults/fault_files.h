/* fault_files.h: a small mesh file of every format, in memory and in the folder of folder.h. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct fault_file {
    const char *name;
    const uint8_t *bytes;
    size_t size;
} fault_file;

/* Makes them, and writes them to the folder; all live as long as the program.  A glTF file names
 * another in the same folder, and one in a folder below. */
const fault_file *fault_files(size_t *count);
