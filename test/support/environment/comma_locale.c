#include "test/support/environment/comma_locale.h"

#include <locale.h>
#include <stddef.h>

const char *comma_locale(void)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE",       "fr_FR.UTF-8",
                                         "nl_NL.UTF-8", "ru_RU.UTF-8", "German_Germany.1252" };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *chosen = setlocale(LC_ALL, names[i]);
        const char *found =
            chosen != NULL && localeconv()->decimal_point[0] == ',' ? names[i] : NULL;
        setlocale(LC_ALL, "C");
        if (found != NULL) {
            return found;
        }
    }
    return NULL;
}
