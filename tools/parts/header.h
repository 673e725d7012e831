/* parts/header.h: the text that a part file begins with: which questions it answers, of what, and
 * which share of them.
 *
 * Lines of "key value", the last one a checksum of those before it.  Two parts go together where
 * all lines but "part", "first" and "count" are equal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { PART_HEADER_MAX = 1 << 16 };

typedef struct part_header {
    char *text; /* from malloc; size bytes and a final 0 */
    size_t size;
    bool failed;    /* no memory, or too long */
    bool no_memory; /* which of them */
} part_header;

/* Writing: begin, add, end.  A value ends with its line: control characters in it become '?'. */
void part_header_begin(part_header *header);
void part_header_add(part_header *header, const char *key, const char *value);
void part_header_add_count(part_header *header, const char *key, uint64_t count);
void part_header_add_hash(part_header *header, const char *key, uint64_t hash);
int part_header_end(part_header *header); /* EXIT_DONE, or EXIT_FAILED after a report */

/* From where the stream stands, which is then behind it.  False where there is none that is whole.
 * Nothing is reported; ferror and no_memory tell of errors. */
bool part_header_read(part_header *header, FILE *stream);

void part_header_free(part_header *header); /* a zeroed one is fine */

/* The value of a key, up to the end of its line; NULL where there is none. */
const char *part_header_find(const part_header *header, const char *key, size_t *size);
bool part_header_count(const part_header *header, const char *key, uint64_t *count);

/* Whether key has this value. */
bool part_header_is(const part_header *header, const char *key, const char *value);

/* Reports how the header of a file differs from the one that is expected, if it does: EXIT_DONE, or
 * EXIT_BAD_INPUT.  other: what it is compared with, such as "this run" or the name of a file.
 * shares: those lines, too, that parts of one question differ in. */
int part_header_compare(const part_header *header, const char *file, const part_header *expected,
                        const char *other, bool shares);
