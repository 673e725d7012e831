/* input/query.c: --cull, --skip, --mask and --masks, for every subcommand that asks a tree. */
#include "tools/input/query.h"

#include "tools/cli/report.h"
#include "tools/output/npy.h"

#include <stdlib.h>

static const char *const cull_words[] = { "none", "back", "front", NULL };

/* --cull comes first, so that FILTER_GROUP can leave it out. */
const option_row query_rows[] = {
    OPTION_CHOICE_ROW("cull", query_options, cull, cull_words, "which sides of triangles to ignore",
                      .not_names = "culling backface backface-culling cull-back",
                      .fallback = "none"),
    OPTION_ROW(TEXT, "skip", query_options, skip, "N[,M]",
               "one or two triangles to ignore; of a scene INSTANCE:N[,INSTANCE:M]"),
    OPTION_ROW(
        COUNT, "mask", query_options, mask, "BITS",
        "consider only triangles, and of a scene instances, whose mask shares a bit with BITS",
        .min = 1, .max = 4294967295.0),
    OPTION_ROW(
        TEXT, "masks", query_options, masks, "FILE.npy",
        "for --mask: a mask for each triangle, whole numbers (N,), 0 meaning all bits; without "
        "it all bits are set",
        .file = OPTION_READ),
    { .name = NULL },
};

/* "N" or, in a scene, "INSTANCE:N"; false where it is neither.  *end: behind it. */
bool query_in_triangle(const char *text, sl_triangle_ref *to, char **end)
{
    unsigned long numbers[2] = { 0, 0 };
    int count = 0;
    for (const char *from = text; count < 2; from = *end + 1) {
        numbers[count] = strtoul(from, end, 10);
        if (from[0] < '0' || from[0] > '9' || numbers[count++] >= SL_NONE) {
            return false;
        }
        if (**end != ':') {
            break;
        }
    }
    *to = (sl_triangle_ref){ .prim = (uint32_t)numbers[count - 1],
                             .instance = count == 2 ? (uint32_t)numbers[0] : 0 };
    return true;
}

static int parse_skip(const invocation *call, const char *text, sl_triangle_ref skip[2],
                      size_t *count)
{
    const char *from = text;
    do {
        char *end;
        if (*count == 2 || !query_in_triangle(from, &skip[*count], &end) ||
            (*end != '\0' && *end != ',')) {
            return report_usage(call->command,
                                "--skip is '%s'; it must be one or two numbers of triangles, with "
                                "a comma between, or in a scene INSTANCE:TRIANGLE",
                                text);
        }
        ++*count;
        from = *end == ',' ? end + 1 : NULL;
    } while (from != NULL);
    return EXIT_DONE;
}

int query_in_make(const invocation *call, const query_options *options, sl_triangle_ref skip[2],
                  sl_options *query)
{
    *query = (sl_options){ .cull = (sl_cull)options->cull,
                           .mask = (uint32_t)options->mask,
                           .skip = skip };
    if (query->mask == 0 && options->masks != NULL) {
        return report_usage(call->command, "--masks needs --mask, the bits to look for");
    }
    return options->skip != NULL ? parse_skip(call, options->skip, skip, &query->skip_count)
                                 : EXIT_DONE;
}

int query_in_masks(const query_options *options, mesh_in *in)
{
    if (options->masks == NULL) {
        return EXIT_DONE;
    }
    if (in->mesh == NULL) {
        return report_input(options->masks, 0,
                            "masks are for the triangles of a mesh; a scene file "
                            "says the masks of its instances");
    }
    size_t count = 0;
    const size_t triangles = sl_mesh_soup(in->mesh).triangle_count;
    const int status = npy_load_u32(options->masks, 1, &in->masks, &count);
    return status == EXIT_DONE && count != triangles
               ? report_input(options->masks, 0,
                              "there are %zu masks for %zu triangles; write one "
                              "for each",
                              count, triangles)
               : status;
}

int query_in_build(const invocation *call, const sl_options *query, mesh_in *in)
{
    const int status = mesh_in_build(in);
    for (size_t i = 0; status == EXIT_DONE && i < query->skip_count; i++) {
        double corners[3][3];
        const sl_triangle_ref skip = query->skip[i];
        if (!sl_bvh_triangle(in->bvh, skip, corners)) {
            return report_usage(call->command,
                                "--skip names triangle %lu of instance %lu, which is not there",
                                (unsigned long)skip.prim, (unsigned long)skip.instance);
        }
    }
    return status;
}

int query_in_open(const invocation *call, const query_options *options, const mesh_options *mesh,
                  const common_options *common, mesh_in *in, sl_triangle_ref skip[2],
                  sl_options *query)
{
    *in = (mesh_in){ .mesh = NULL };
    int status = query_in_make(call, options, skip, query);
    status = status == EXIT_DONE ? mesh_in_load(in, call, 0, mesh, common) : status;
    status = status == EXIT_DONE ? query_in_masks(options, in) : status;
    return status == EXIT_DONE ? query_in_build(call, query, in) : status;
}
