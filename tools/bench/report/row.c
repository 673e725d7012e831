/* bench/report/row.c: the cells of a row of bench, to a report and back from CSV. */
#include "tools/bench/report/row.h"

#include "tools/cli/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum cell_kind { CELL_TEXT, CELL_COUNT, CELL_REAL } cell_kind;

/* Where a cell lies in bench_row, and the flag that says whether it is there. */
typedef struct cell {
    cell_kind kind;
    size_t offset, size; /* size: of a text */
    size_t flag;         /* 0: always there (what lies at 0 is no flag) */
} cell;

#define ALWAYS      0
#define THERE(peer) offsetof(bench_row, peer.there)
#define SPREAD(X, title, name, flag)                                                               \
    X(title, CELL_REAL, name.median, flag)                                                         \
    X(title "_min", CELL_REAL, name.min, flag)                                                     \
    X(title "_max", CELL_REAL, name.max, flag)
#define BESIDE(X, name, ratio_title)                                                               \
    X(#name "_call", CELL_TEXT, name.call, THERE(name))                                            \
    SPREAD(X, #name, name.value, THERE(name))                                                      \
    SPREAD(X, ratio_title, name.ratio, THERE(name))
#define CELLS(X)                                                                                   \
    X("scene", CELL_TEXT, scene, ALWAYS)                                                           \
    X("triangles", CELL_COUNT, triangles, ALWAYS)                                                  \
    X("quality", CELL_TEXT, quality, ALWAYS)                                                       \
    X("kernel", CELL_TEXT, kernel, ALWAYS)                                                         \
    X("against", CELL_TEXT, against, ALWAYS)                                                       \
    X("rays", CELL_COUNT, rays, ALWAYS)                                                            \
    X("seed", CELL_COUNT, seed, ALWAYS)                                                            \
    X("row", CELL_TEXT, row, ALWAYS)                                                               \
    X("unit", CELL_TEXT, unit, ALWAYS)                                                             \
    X("count", CELL_COUNT, count, ALWAYS)                                                          \
    X("hits", CELL_REAL, hits, ALWAYS)                                                             \
    SPREAD(X, "ours", ours, ALWAYS)                                                                \
    SPREAD(X, "over_single", over_single, offsetof(bench_row, has_single))                         \
    BESIDE(X, peer, "ratio")                                                                       \
    X("agree", CELL_REAL, agree, THERE(peer))                                                      \
    BESIDE(X, medium, "medium_ratio")                                                              \
    BESIDE(X, high, "high_ratio")                                                                  \
    BESIDE(X, packed, "packed_ratio")                                                              \
    BESIDE(X, robust, "robust_ratio")

#define COLUMN(title, cell_kind, member, flag) { .name = title },
#define CELL(title, cell_kind, member, flag)                                                       \
    { cell_kind, offsetof(bench_row, member), sizeof((bench_row *)0)->member, flag },

const out_column bench_columns[BENCH_COLUMNS] = { CELLS(COLUMN) };
static const cell cells[] = { CELLS(CELL) };
_Static_assert(sizeof cells / sizeof cells[0] == BENCH_COLUMNS, "one cell for each column");

bool bench_row_is_same(const bench_row *a, const bench_row *b)
{
    return strcmp(a->scene, b->scene) == 0 && strcmp(a->quality, b->quality) == 0 &&
           strcmp(a->kernel, b->kernel) == 0 && strcmp(a->against, b->against) == 0 &&
           strcmp(a->row, b->row) == 0 && a->triangles == b->triangles && a->rays == b->rays &&
           a->seed == b->seed;
}

/* The peer's answers may differ in a few of a million. */
static out_value real_value(double real)
{
    return isnan(real) ? value_nothing() : value_rounded(real, real > 0.99 && real < 1 ? 8 : 4);
}

void bench_row_values(const bench_row *row, out_value values[BENCH_COLUMNS])
{
    const char *from = (const char *)row;
    for (int i = 0; i < BENCH_COLUMNS; i++) {
        const cell *c = &cells[i];
        const bool there = c->flag == ALWAYS || *(const bool *)(from + c->flag);
        values[i] = !there                  ? value_nothing()
                    : c->kind == CELL_TEXT  ? value_text(from + c->offset)
                    : c->kind == CELL_COUNT ? value_count(*(const uint64_t *)(from + c->offset))
                                            : real_value(*(const double *)(from + c->offset));
    }
}

/* The next cell of a line of CSV, its quotes taken off in place; *line goes behind it, and is NULL
 * at the end. */
static char *next_cell(char **line)
{
    char *from = *line, *to = *line, *start = *line;
    bool quoted = false;
    for (; *from != '\0' && (quoted || *from != ','); from++) {
        if (*from == '"' && quoted && from[1] == '"') {
            *to++ = *from++;
        } else if (*from == '"') {
            quoted = !quoted;
        } else {
            *to++ = *from;
        }
    }
    *line = *from == ',' ? from + 1 : NULL;
    *to = '\0';
    return start;
}

static bool parse_cell(const cell *c, const char *text, char *to)
{
    char *end = NULL;
    switch (c->kind) {
    case CELL_TEXT:
        snprintf(to + c->offset, c->size, "%s", text);
        return true;
    case CELL_COUNT:
        *(uint64_t *)(to + c->offset) = strtoull(text, &end, 10);
        break;
    case CELL_REAL:
        *(double *)(to + c->offset) = strtod(text, &end);
        break;
    }
    return end != text && *end == '\0';
}

bool bench_row_parse(char *line, bench_row *row)
{
    *row = (bench_row){ .hits = NAN, .agree = NAN };
    char *to = (char *)row;
    for (int i = 0; i < BENCH_COLUMNS; i++) {
        const cell *c = &cells[i];
        if (line == NULL) {
            return false;
        }
        const char *text = next_cell(&line);
        if (text[0] == '\0') {
            continue; /* nothing: what the row began with */
        }
        if (!parse_cell(c, text, to)) {
            return false;
        }
        if (c->flag != ALWAYS) {
            *(bool *)(to + c->flag) = true;
        }
    }
    return line == NULL && row->row[0] != '\0';
}

int bench_rows_add(bench_rows *rows, const bench_row *row)
{
    if (rows->count == rows->capacity) {
        const size_t capacity = rows->capacity == 0 ? 64 : 2 * rows->capacity;
        bench_row *all = realloc(rows->all, capacity * sizeof *all);
        if (all == NULL) {
            return report_memory();
        }
        rows->all = all;
        rows->capacity = capacity;
    }
    rows->all[rows->count++] = *row;
    return EXIT_DONE;
}
