/* parts/header.c: the header of a part file, written, read and compared line by line. */
#include "tools/parts/header.h"

#include "tools/cli/report.h"
#include "tools/output/checksum.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "sightline-part 1\n";
static const char last_key[] = "checksum ";

enum { HASH_DIGITS = 16, LAST_LINE = sizeof last_key - 1 + HASH_DIGITS + 1 };

static void header_append(part_header *header, const char *text, size_t size)
{
    header->failed = header->failed || header->size + size + LAST_LINE > PART_HEADER_MAX;
    char *more = header->failed ? NULL : realloc(header->text, header->size + size + 1);
    if (more == NULL) {
        header->no_memory = header->no_memory || !header->failed;
        header->failed = true;
        return;
    }
    memcpy(more + header->size, text, size);
    header->text = more;
    header->size += size;
    header->text[header->size] = '\0';
}

void part_header_begin(part_header *header)
{
    *header = (part_header){ .text = NULL };
    header_append(header, first_line, sizeof first_line - 1);
}

void part_header_add(part_header *header, const char *key, const char *value)
{
    header_append(header, key, strlen(key));
    header_append(header, " ", 1);
    const size_t begin = header->size;
    header_append(header, value, strlen(value));
    for (size_t i = begin; !header->failed && i < header->size; i++) {
        const unsigned char c = (unsigned char)header->text[i];
        header->text[i] = c < 32 || c == 127 ? '?' : (char)c;
    }
    header_append(header, "\n", 1);
}

void part_header_add_count(part_header *header, const char *key, uint64_t count)
{
    char value[32];
    snprintf(value, sizeof value, "%" PRIu64, count);
    part_header_add(header, key, value);
}

void part_header_add_hash(part_header *header, const char *key, uint64_t hash)
{
    char value[32];
    snprintf(value, sizeof value, "%016" PRIx64, hash);
    part_header_add(header, key, value);
}

/* The line that ends a header, over all that comes before it. */
static void print_last(const char *text, size_t size, char to[LAST_LINE + 1])
{
    checksum sum = checksum_begin(0);
    checksum_add(&sum, text, size);
    snprintf(to, LAST_LINE + 1, "%s%016" PRIx64 "\n", last_key, checksum_end(&sum));
}

int part_header_end(part_header *header)
{
    char last[LAST_LINE + 1] = "";
    if (!header->failed) {
        print_last(header->text, header->size, last);
    }
    header_append(header, last, LAST_LINE);
    return header->failed ? report_memory() : EXIT_DONE;
}

/* Reads a line and appends it; false at the end of the file. */
static bool read_line(part_header *header, FILE *stream, size_t *begin)
{
    *begin = header->size;
    char line[1024];
    size_t size = 0;
    for (int c = fgetc(stream); c != EOF; c = fgetc(stream)) {
        line[size++] = (char)c;
        if (c == '\n' || size == sizeof line) {
            header_append(header, line, size);
            size = 0;
        }
        if (c == '\n' || header->failed) {
            return c == '\n' && !header->failed;
        }
    }
    return false;
}

bool part_header_read(part_header *header, FILE *stream)
{
    char last[LAST_LINE + 1];
    size_t begin;
    *header = (part_header){ .text = NULL };
    if (!read_line(header, stream, &begin) || strcmp(header->text, first_line) != 0) {
        return false;
    }
    while (read_line(header, stream, &begin)) {
        if (strncmp(header->text + begin, last_key, sizeof last_key - 1) == 0) {
            print_last(header->text, begin, last);
            return strcmp(header->text + begin, last) == 0;
        }
    }
    return false;
}

void part_header_free(part_header *header)
{
    free(header->text);
    *header = (part_header){ .text = NULL };
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end != NULL ? end + 1 : line + strlen(line);
}

const char *part_header_find(const part_header *header, const char *key, size_t *size)
{
    const size_t length = strlen(key);
    for (const char *line = header->text; line != NULL && *line != '\0'; line = next_line(line)) {
        if (strncmp(line, key, length) == 0 && line[length] == ' ') {
            *size = strcspn(line + length + 1, "\n");
            return line + length + 1;
        }
    }
    return NULL;
}

bool part_header_count(const part_header *header, const char *key, uint64_t *count)
{
    size_t size;
    const char *text = part_header_find(header, key, &size);
    if (text == NULL || size == 0 || size > 19 || strspn(text, "0123456789") != size) {
        return false;
    }
    *count = strtoull(text, NULL, 10);
    return true;
}

bool part_header_is(const part_header *header, const char *key, const char *value)
{
    size_t size;
    const char *text = part_header_find(header, key, &size);
    return text != NULL && size == strlen(value) && memcmp(text, value, size) == 0;
}

static bool is_key(const char *line, const char *key)
{
    const size_t length = strlen(key);
    return strncmp(line, key, length) == 0 && line[length] == ' ';
}

/* Whether parts of one question differ in this line. */
static bool is_of_share(const char *line)
{
    static const char *const keys[] = { "part", "first", "count" };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (is_key(line, keys[i])) {
            return true;
        }
    }
    return false;
}

/* What is meant by a line whose value tells a reader nothing. */
static int report_line(const char *file, const char *line, const char *expected, const char *other)
{
    static const char *const hashes[][2] = { { "mesh", "its mesh is another" },
                                             { "questions", "its questions are others" },
                                             { "masks", "its masks are others" } };
    const int key = (int)strcspn(line, " \n"), size = (int)strcspn(line, "\n");
    for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
        if (is_key(line, hashes[i][0]) && is_key(expected, hashes[i][0])) {
            return report_input(file, 0,
                                "it answers something else than %s: %s; name files that belong "
                                "together",
                                other, hashes[i][1]);
        }
    }
    const int expected_size = (int)strcspn(expected, "\n");
    const int expected_key = (int)strcspn(expected, " \n");
    if (key != expected_key || strncmp(line, expected, (size_t)key) != 0) {
        return report_input(file, 0,
                            "it answers something else than %s: it says '%.*s' where that says "
                            "'%.*s'",
                            other, size, line, expected_size, expected);
    }
    const int skip = key < size ? key + 1 : key;
    return report_input(
        file, 0, "it answers something else than %s: %.*s is %.*s here and %.*s there", other, key,
        line, size - skip, line + skip, expected_size - skip, expected + skip);
}

int part_header_compare(const part_header *header, const char *file, const part_header *expected,
                        const char *other, bool shares)
{
    const char *line = header->text, *wanted = expected->text;
    while (*line != '\0' || *wanted != '\0') {
        const size_t size = strcspn(line, "\n");
        const bool same = size == strcspn(wanted, "\n") && memcmp(line, wanted, size) == 0;
        const bool free_to_differ =
            is_key(line, "checksum") || (!shares && is_of_share(line) && is_of_share(wanted));
        if (!same && !free_to_differ) {
            return report_line(file, line, wanted, other);
        }
        line = next_line(line);
        wanted = next_line(wanted);
    }
    return EXIT_DONE;
}
