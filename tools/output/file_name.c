/* output/file_name.c: compares the ending of an output's name with what a subcommand writes. */
#include "tools/output/file_name.h"

#include "tools/cli/report.h"

#include <string.h>
#include <strings.h>

bool file_name_ends(const char *path, const char *ending)
{
    const size_t size = path != NULL ? strlen(path) : 0, wanted = strlen(ending);
    return size > wanted && strcasecmp(path + size - wanted, ending) == 0;
}

/* Whether an ending is one of a list with blanks between, in letters of either case. */
static bool is_in(const char *ending, const char *list)
{
    const size_t size = strlen(ending);
    for (const char *word = list; *word != '\0'; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        if (length == size && strncasecmp(word, ending, size) == 0) {
            return true;
        }
        word += length;
    }
    return false;
}

int file_name_check(const invocation *call, const char *option, const char *path,
                    const char *possible)
{
    static const char known[] =
        ".png .jpg .jpeg .bmp .gif .tga .tif .tiff .ppm .webp .exr .hdr .svg "
        ".pdf .obj .ply .stl .off .gltf .glb .fbx .dae .3ds .npy .npz .csv "
        ".json .txt .xml .html .slt .zip .gz";
    const char *slash = path != NULL ? strrchr(path, '/') : NULL;
    const char *name = slash != NULL ? slash + 1 : path;
    const char *ending = name != NULL ? strrchr(name, '.') : NULL;
    if (ending == NULL || ending == name || !is_in(ending, known) || is_in(ending, possible)) {
        return EXIT_DONE;
    }
    return report_usage(call->command, "'%s' names a format that --%s does not write; possible: %s",
                        path, option, possible);
}
