#define _POSIX_C_SOURCE 200809L /* getline, ftruncate */
#include "tools/bench_journal.h"

#include "tools/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* A last line without an end is what an interrupt left; *end goes behind the last whole one. */
static int read_rows(bench_journal *journal, FILE *from, long *end)
{
    char *line = NULL;
    size_t room = 0;
    int status = EXIT_DONE;
    for (uint64_t number = 1; status == EXIT_DONE; number++) {
        const ssize_t size = getline(&line, &room, from);
        const bool whole = size > 0 && line[size - 1] == '\n';
        if (!whole && (size <= 0 || number > 1)) {
            break;
        }
        bench_row row;
        line[size - whole] = '\0';
        *end += size;
        if (number == 1 && !is_header(line)) {
            status = report_input(journal->path, 1,
                                  "this is not what bench --csv writes; name another file");
        } else if (number > 1) {
            status = bench_row_parse(line, &row)
                         ? keep(journal, &row)
                         : report_input(journal->path, number,
                                        "this is no row of bench; take the line out");
        }
    }
    free(line);
    return status;
}

int bench_journal_open(bench_journal *journal, const char *path)
{
    *journal = (bench_journal){ .path = path, .out = { .format = OUTPUT_CSV } };
    FILE *file = fopen(path, "r+");
    if (file == NULL && errno == ENOENT) {
        file = fopen(path, "w+");
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
