/* volume_source.h: where many volumes come from: a file, or volume_kinds.h; a block at a time. */
#ifndef TOOLS_GENERATE_VOLUME_SOURCE_H
#define TOOLS_GENERATE_VOLUME_SOURCE_H

#include "tools/generate/options.h"
#include "tools/generate/volume_kinds.h"
#include "tools/input/lines.h"

typedef struct volumes_options {
    const char *volumes;       /* NULL: generated, or only one */
    generate_options generate; /* kind: an sl_volume_kind, or VOLUME_KIND_COUNT for all of them */
} volumes_options;

extern const option_row volumes_rows[];

/* Two groups: struct x { ...; volumes_options many; ... } and VOLUMES_GROUPS(struct x). */
#define VOLUMES_GROUPS(type)                                                                       \
    { .title = "Many volumes", .rows = volumes_rows, .offset = offsetof(type, many) },             \
        GENERATE_GROUP(type, many.generate)

typedef struct volume_source {
    const char *name;     /* of the kind, or "file" */
    const sl_volume *one; /* all there is */
    lines_in file;
    bool from_file;
    query_random random;
    sl_volume_kind kind;
    uint64_t next; /* index of the next one */
} volume_source;

/* EXIT_DONE, or the status of a reported error; close it either way. */
int volume_source_open_file(volume_source *source, const char *path);
void volume_source_generate(volume_source *source, const query_random *m, sl_volume_kind kind);
void volume_source_one(volume_source *source, const sl_volume *volume);

/* Up to capacity of them; *count is 0 at the end.  EXIT_DONE, or the status of a reported error. */
int volume_source_fill(volume_source *source, sl_volume *to, size_t capacity, size_t *count);

void volume_source_close(volume_source *source); /* a zeroed one is fine */

#endif
