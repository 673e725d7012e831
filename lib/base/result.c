/* result.c: the names and messages of sl_result, from the one list in base.h. */
#include <sightline/base.h>

const char *sl_result_name(sl_result result)
{
    switch (result) {
#define RESULT_NAME(code, number, words)                                                           \
    case code:                                                                                     \
        return #code;
        SL_RESULT_LIST(RESULT_NAME)
#undef RESULT_NAME
    }
    return "SL_UNKNOWN";
}

const char *sl_result_message(sl_result result)
{
    switch (result) {
#define RESULT_WORDS(code, number, words)                                                          \
    case code:                                                                                     \
        return words;
        SL_RESULT_LIST(RESULT_WORDS)
#undef RESULT_WORDS
    }
    return "unknown result";
}
