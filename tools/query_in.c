#include "tools/query_in.h"

#include "tools/command.h"
#include "tools/npy.h"
#include "tools/report.h"

#include <stdlib.h>

static const char *const cull_words[] = { "none", "back", "front", NULL };

/* --cull comes first, so that FILTER_GROUP can leave it out. */
const option_row query_rows[] = {
    { .name = "cull",
      .kind = OPTION_CHOICE,
      .offset = offsetof(query_options, cull),
      .choices = cull_words,
      .fallback = "none",
      .help = "sides of triangles that are not seen" },
    { .name = "skip",
      .kind = OPTION_TEXT,
      .offset = offsetof(query_options, skip),
      .value = "N[,M]",
      .help = "one or two triangles that are not there" },
    { .name = "mask",
      .kind = OPTION_COUNT,
      .offset = offsetof(query_options, mask),
      .value = "BITS",
      .min = 0,
      .max = 4294967295.0,
      .help = "only triangles whose mask shares a bit with this number are there" },
    { .name = "masks",
      .kind = OPTION_TEXT,
      .offset = offsetof(query_options, masks),
      .value = "FILE.npy",
      .help =
          "a mask for each triangle, whole numbers (N), for --mask; without it all bits are set" },
    { .name = NULL },
};

static int parse_skip(const invocation *call, const char *text, uint32_t skip[2])
{
    const char *from = text;
    for (int i = 0; i < 2; i++) {
        char *end;
        const unsigned long number = strtoul(from, &end, 10);
        if (from[0] < '0' || from[0] > '9' || number >= SL_NONE || (*end != '\0' && *end != ',') ||
            (i == 1 && *end == ',')) {
            return report_usage(call->command,
                                "--skip is '%s'; it must be one or two numbers of triangles, with "
                                "a comma between",
                                text);
        }
        skip[i] = (uint32_t)number;
        if (*end == '\0') {
            skip[1] = i == 0 ? SL_NONE : skip[1];
            break;
        }
        from = end + 1;
    }
    return EXIT_DONE;
}

static int load_masks(const char *path, const sl_mesh *mesh, uint32_t **masks)
{
    size_t count = 0;
    const int status = npy_load_u32(path, 1, masks, &count);
    if (status == EXIT_DONE && count != sl_mesh_triangle_count(mesh)) {
        return report_input(path, 0, "%zu masks for %zu triangles; one for each is needed", count,
                            sl_mesh_triangle_count(mesh));
    }
    return status;
}

int query_in_make(const invocation *call, const query_options *options, const sl_mesh *mesh,
                  sl_query *query, uint32_t **masks)
{
    *query = (sl_query){ .cull = (sl_cull)options->cull };
    *masks = NULL;
    if (options_given(call, "mask")) {
        query->flags |= SL_USE_MASK;
        query->mask = (uint32_t)options->mask;
    }
    if (options->masks != NULL && !options_given(call, "mask")) {
        return report_usage(call->command, "--masks needs --mask, the bits to look for");
    }
    int status = EXIT_DONE;
    if (options->skip != NULL) {
        query->flags |= SL_USE_SKIP;
        status = parse_skip(call, options->skip, query->skip);
    }
    if (status == EXIT_DONE && options->masks != NULL) {
        status = load_masks(options->masks, mesh, masks);
    }
    return status;
}
