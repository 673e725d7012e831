/* spelling.c: "did you mean", for options (options.c) and subcommands (main.c).
 * Source   Wagner and Fischer, The String-to-String Correction Problem (1974). */
#include "tools/cli/spelling.h"

#include <string.h>

/* The number of letters to change, add or remove to get from a to b.  Names are short; longer ones
 * count as not alike. */
static size_t letters_apart(const char *a, size_t a_size, const char *b)
{
    enum { LENGTH_MAX = 24 };
    const size_t b_size = strlen(b);
    if (a_size > LENGTH_MAX || b_size > LENGTH_MAX) {
        return LENGTH_MAX;
    }
    size_t row[LENGTH_MAX + 1];
    for (size_t j = 0; j <= b_size; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t best = diagonal + (a[i - 1] != b[j - 1]);
            best = row[j] + 1 < best ? row[j] + 1 : best;
            best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_size];
}

spelling spelling_start(const char *word, size_t size)
{
    /* Three letters; of short words two, behind the same first one. */
    enum { TOO_FAR = 6, SHORT = 4, TOO_FAR_SHORT = 5 };
    return (
        spelling){ .word = word, .size = size, .distance = size > SHORT ? TOO_FAR : TOO_FAR_SHORT };
}

bool spelling_is_in(const char *words, const char *word, size_t size)
{
    while (words != NULL && *words != '\0') {
        const size_t length = strcspn(words, " ");
        if (length == size && strncmp(words, word, size) == 0) {
            return true;
        }
        words += length;
        words += strspn(words, " ");
    }
    return false;
}

/* Of equally distant names the one with the same first letter. */
void spelling_try(spelling *s, const char *name)
{
    const size_t apart = 2 * letters_apart(s->word, s->size, name) + (name[0] != s->word[0]);
    if (apart < s->distance) {
        s->distance = apart;
        s->closest = name;
    }
}

void spelling_take(spelling *s, const char *name)
{
    s->distance = 0;
    s->closest = name;
}
