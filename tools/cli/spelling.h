/* spelling.h: the known name that is most like a word that is not known, for "did you mean". */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct spelling {
    const char *word; /* as it was typed; size characters of it */
    size_t size;
    const char *closest; /* the best name so far; NULL: none is like it */
    size_t distance;
} spelling;

spelling spelling_start(const char *word, size_t size);

/* One of the names that are known. */
void spelling_try(spelling *s, const char *name);

/* The name that is meant for certain. */
void spelling_take(spelling *s, const char *name);

/* Whether a word is one of words, which are separated by blanks; NULL: there are none. */
bool spelling_is_in(const char *words, const char *word, size_t size);
