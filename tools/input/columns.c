/* input/columns.c: the header of CSV, for rays.c. */
#include "tools/input/columns.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_number(const char *cell, size_t size)
{
    char *end;
    (void)strtof(cell, &end);
    return size > 0 && end == cell + size;
}

/* The quote that closes the cell which begins with one at from, if only blanks come between it and
 * the next cell; else NULL. */
static const char *closing_quote(char separator, const char *from)
{
    const char *at = from + 1;
    while (*at != '\0' && (*at != '"' || at[1] == '"')) {
        at += *at == '"' ? 2 : 1;
    }
    if (*at == '\0') {
        return NULL;
    }
    const char *after = at + 1;
    while (separator == ',' && is_blank(*after)) {
        after++;
    }
    return *after == '\0' || *after == separator || is_blank(*after) ? at : NULL;
}

/* The end of a cell that begins at from; *size leaves out blanks and quotes. */
static const char *end_of_cell(char separator, const char *from, const char **cell, size_t *size)
{
    const char *at = from;
    const char *quote = *from == '"' ? closing_quote(separator, from) : NULL;
    if (quote != NULL) {
        *cell = from + 1;
        *size = (size_t)(quote - *cell);
        return quote + 1;
    }
    *cell = at;
    while (*at != '\0' && *at != separator && !(separator == ' ' && is_blank(*at))) {
        at++;
    }
    *size = (size_t)(at - *cell);
    while (*size > 0 && is_blank((*cell)[*size - 1])) {
        (*size)--;
    }
    return at;
}

bool columns_next_cell(const csv_columns *c, const char **at, const char **cell, size_t *size)
{
    const char *from = *at;
    while (from != NULL && is_blank(*from)) {
        from++;
    }
    if (from == NULL || (*from == '\0' && c->separator == ' ')) {
        return false;
    }
    from = end_of_cell(c->separator, from, cell, size);
    if (c->separator == ',') {
        from = strchr(from, ',');
        from = from != NULL ? from + 1 : NULL;
    }
    *at = from;
    return true;
}

static char separator_of(const char *line)
{
    return strchr(line, ',') != NULL ? ',' : ' ';
}

bool columns_is_header(const char *line)
{
    const csv_columns any = { .separator = separator_of(line) };
    const char *cell;
    size_t size;
    int cells = 0;
    for (const char *at = line; columns_next_cell(&any, &at, &cell, &size); cells++) {
        if (size == 0 || is_number(cell, size)) {
            return false;
        }
    }
    return cells > 0;
}

/* The cell of this name in the header, or -1; *twice becomes true where there are two. */
static int find_cell(const csv_columns *c, const char *header, const char *name, bool *twice)
{
    const char *cell;
    size_t size;
    int index = 0, found = -1;
    for (const char *at = header; columns_next_cell(c, &at, &cell, &size); index++) {
        if (size == strlen(name) && strncasecmp(cell, name, size) == 0) {
            *twice = *twice || found >= 0;
            found = found < 0 ? index : found;
        }
    }
    return found;
}

const char *columns_find(csv_columns *c, const char *header, const column_names *names, bool *twice)
{
    const char *cell;
    size_t size;
    *twice = false;
    *c = (csv_columns){ .found = true, .separator = separator_of(header) };
    for (const char *at = header; columns_next_cell(c, &at, &cell, &size);) {
        c->cell_count++;
    }
    for (int i = 0; i < names->count; i++) {
        c->cell[i] = -1;
        for (size_t set = 0; set < names->set_count && c->cell[i] < 0; set++) {
            c->cell[i] = find_cell(c, header, names->names[set][i], twice);
            if (*twice) {
                return names->names[set][i];
            }
        }
        if (c->cell[i] < 0 && i < names->needed) {
            return names->names[0][i];
        }
    }
    return NULL;
}
