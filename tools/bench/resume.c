#define _POSIX_C_SOURCE 200809L /* ftruncate */
#include "tools/bench/journal.h"

#include "tools/cli/file_conflicts.h"
#include "tools/cli/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE_ROOM = 16384 };

static int keep(bench_journal *journal, const bench_row *row)
{
    if (journal->count == journal->capacity) {
        const size_t capacity = journal->capacity == 0 ? 64 : 2 * journal->capacity;
        bench_row *rows = realloc(journal->rows, capacity * sizeof *rows);
        if (rows == NULL) {
            return report_memory();
        }
        journal->rows = rows;
        journal->capacity = capacity;
    }
    journal->rows[journal->count++] = *row;
    return EXIT_DONE;
}

static bool is_header(const char *line)
{
    for (int i = 0; i < BENCH_COLUMNS; i++) {
        const size_t size = strlen(bench_columns[i].name);
        if (strncmp(line, bench_columns[i].name, size) != 0 ||
            line[size] != (i + 1 < BENCH_COLUMNS ? ',' : '\0')) {
            return false;
        }
        line += size + 1;
    }
    return true;
}

/* One line with its end, where it has one: how long it is, 0 at the end of the file.  Of a line
 * that is too long the beginning, which ends in no row. */
static size_t read_line(FILE *from, char line[LINE_ROOM])
{
    size_t size = 0;
    int c = 0;
    while (size + 1 < LINE_ROOM && c != '\n' && (c = getc(from)) != EOF) {
        line[size++] = (char)c;
    }
    line[size] = '\0';
    return size;
}

static int read_row(bench_journal *journal, char *line, uint64_t number)
{
    bench_row row;
    if (number == 1) {
        return is_header(line) ? EXIT_DONE
                               : report_input(journal->path, 1,
                                              "this is not what bench --csv writes; name another "
                                              "file");
    }
    return bench_row_parse(line, &row)
               ? keep(journal, &row)
               : report_input(journal->path, number, "this is no row of bench; take the line out");
}

/* A last line without an end is what an interrupt left; *end goes behind the last whole one. */
static int read_rows(bench_journal *journal, FILE *from, long *end)
{
    char line[LINE_ROOM];
    int status = EXIT_DONE;
    for (uint64_t number = 1; status == EXIT_DONE; number++) {
        const size_t size = read_line(from, line);
        const bool whole = size > 0 && line[size - 1] == '\n';
        const bool too_long = size + 1 == LINE_ROOM;
        if (size == 0 || (!whole && !too_long && number > 1)) {
            break;
        }
        line[size - whole] = '\0';
        *end += (long)size;
        status = read_row(journal, line, number);
    }
    return status;
}

int bench_journal_open(bench_journal *journal, const char *path)
{
    *journal = (bench_journal){ .path = path, .out = { .format = OUTPUT_CSV } };
    const int role = file_conflicts_write(path);
    if (role != EXIT_DONE) {
        return role;
    }
    FILE *file = fopen(path, "r+b");
    if (file == NULL && errno == ENOENT) {
        file = fopen(path, "w+b");
    }
    if (file == NULL) {
        return report_failure(path, "cannot be opened for writing: %s; name another file",
                              strerror(errno));
    }
    journal->out.file.stream = file;
    long end = 0;
    const int status = read_rows(journal, file, &end);
    if (status != EXIT_DONE) {
        return status;
    }
    /* The header once more, over the one that is there, then on behind the last whole row. */
    rewind(file);
    output_table_begin(&journal->out, "rows", bench_columns, BENCH_COLUMNS);
    if (end > 0 && (fseek(file, end, SEEK_SET) != 0 || ftruncate(fileno(file), end) != 0)) {
        return report_failure(path, "cannot be added to: %s; name another file", strerror(errno));
    }
    return EXIT_DONE;
}

const bench_row *bench_journal_find(const bench_journal *journal, const bench_row *row)
{
    for (size_t i = 0; i < journal->count; i++) {
        if (bench_row_is_same(&journal->rows[i], row)) {
            return &journal->rows[i];
        }
    }
    return NULL;
}

int bench_journal_add(bench_journal *journal, const bench_row *row)
{
    out_value values[BENCH_COLUMNS];
    if (journal->path == NULL) {
        return EXIT_DONE;
    }
    bench_row_values(row, values);
    output_row(&journal->out, values);
    return fflush(journal->out.file.stream) == 0
               ? EXIT_DONE
               : report_failure(journal->path, "writing failed: %s; choose another place",
                                strerror(errno));
}

int bench_journal_close(bench_journal *journal)
{
    int status = EXIT_DONE;
    FILE *file = journal->out.file.stream;
    if (file != NULL && fclose(file) != 0) {
        status = report_failure(journal->path, "writing failed: %s; choose another place",
                                strerror(errno));
    }
    free(journal->rows);
    *journal = (bench_journal){ 0 };
    return status;
}
