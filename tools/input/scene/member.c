/* input/scene/member.c: the members of an object of a scene file: known names, numbers, and names
 * of files; and complaints about them, which name the place: instances[3], meshes["bolt"]. */
#include "tools/input/scene/reader.h"

#include "tools/cli/spelling.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

REPORT_PRINTF(3, 4)
int scene_complain(const scene_reader *r, const char *where, const char *format, ...)
{
    char words[600];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(words, sizeof words, format, arguments);
    va_end(arguments);
    return report_input(r->path, 0, "%s%s%s", where, where[0] != '\0' ? ": " : "", words);
}

/* An unknown name is probably a misspelt one, and must not be ignored silently. */
int scene_check_keys(const scene_reader *r, const json_t *object, const char *where,
                     const char *what, const char *const *known)
{
    const char *key;
    json_t *ignored;
    json_object_foreach((json_t *)object, key, ignored)
    {
        spelling best = spelling_start(key, strlen(key));
        size_t i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0) {
            spelling_try(&best, known[i++]);
        }
        if (known[i] == NULL) {
            char list[256];
            report_list(list, sizeof list, known, "", " and ");
            return best.closest != NULL
                       ? scene_complain(r, where,
                                        "\"%.60s\" does not belong in %s; did you mean \"%s\"?",
                                        key, what, best.closest)
                       : scene_complain(r, where, "\"%.60s\" does not belong in %s, which has %s",
                                        key, what, list);
        }
    }
    return EXIT_DONE;
}

bool scene_is_missing(const json_t *object, const char *key)
{
    return json_object_get(object, key) == NULL;
}

/* count numbers of an array; wanted says what they are. */
int scene_read_numbers(const scene_reader *r, const json_t *object, const char *where,
                       const char *key, size_t count, const char *wanted, double *out)
{
    const json_t *array = json_object_get(object, key);
    if (!json_is_array(array)) {
        return scene_complain(r, where, "\"%s\" is no array; it must be %s", key, wanted);
    }
    if (json_array_size(array) != count) {
        return scene_complain(r, where, "\"%s\" has %zu elements; it must be %s", key,
                              json_array_size(array), wanted);
    }
    for (size_t i = 0; i < count; i++) {
        const json_t *number = json_array_get(array, i);
        if (!json_is_number(number)) {
            return scene_complain(r, where, "\"%s\"[%zu] is no number; it must be %s", key, i,
                                  wanted);
        }
        out[i] = json_number_value(number);
    }
    return EXIT_DONE;
}

/* A whole number of 32 bits; what is absent stays as it is. */
int scene_read_u32(const scene_reader *r, const json_t *object, const char *where, const char *key,
                   uint32_t *out)
{
    const json_t *number = json_object_get(object, key);
    if (number == NULL) {
        return EXIT_DONE;
    }
    const json_int_t value = json_integer_value(number);
    if (!json_is_integer(number) || value < 0 || value > (json_int_t)UINT32_MAX) {
        return scene_complain(r, where, "\"%s\" must be a whole number from 0 to 4294967295", key);
    }
    *out = (uint32_t)value;
    return EXIT_DONE;
}

/* The file that a scene file means: from its own folder. */
int scene_find_path(const scene_reader *r, const char *where, const json_t *object,
                    char to[SCENE_PATH_SIZE])
{
    const char *name = json_string_value(json_object_get(object, "file"));
    if (name == NULL || name[0] == '\0' ||
        strlen(name) != json_string_length(json_object_get(object, "file"))) {
        return scene_complain(r, where, "\"file\" is %s; it must be the name of a file",
                              scene_is_missing(object, "file") ? "missing" : "wrong");
    }
    const char *slash = strrchr(r->path, '/');
    const bool absolute = name[0] == '/' || (name[0] != '\0' && name[1] == ':');
    const int folder = absolute || slash == NULL ? 0 : (int)(slash - r->path) + 1;
    const int size = snprintf(to, SCENE_PATH_SIZE, "%.*s%s", folder, r->path, name);
    return size < SCENE_PATH_SIZE
               ? EXIT_DONE
               : scene_complain(r, where, "\"file\" is longer than %d bytes with its folder",
                                SCENE_PATH_SIZE);
}

bool scene_is_there(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

int scene_check_there(const scene_reader *r, const char *where, const char *path)
{
    struct stat about;
    if (stat(path, &about) != 0) {
        return scene_complain(r, where, "'%s': %s; check the name", path,
                              errno == ENOENT ? "no such file" : report_why(errno));
    }
    return S_ISREG(about.st_mode)
               ? EXIT_DONE
               : scene_complain(r, where, "'%s' is no regular file; name one", path);
}
