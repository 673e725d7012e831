/* render/aov.c: arrays for NumPy: what the ray through the centre of each pixel hits, as .npy. */
#include "tools/cli/report.h"
#include "tools/output/npy.h"
#include "tools/render/render.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* All kinds of one pixel; floats and words share it. */
typedef union number {
    float f;
    uint32_t u;
} number;

/* Every array there is: its name, NumPy's letter for its numbers, how many a pixel has, and what
 * each of them is where nothing is hit. */
static const struct {
    const char *name;
    char letter;
    size_t count;
    number miss;
} kinds[] = {
    { "depth", 'f', 1, { .f = INFINITY } },   { "normal", 'f', 3, { .f = 0 } },
    { "point", 'f', 3, { .f = NAN } },        { "uv", 'f', 2, { .f = 0 } },
    { "prim", 'u', 1, { .u = SL_NONE } },     { "face", 'u', 1, { .u = SL_NONE } },
    { "instance", 'u', 1, { .u = SL_NONE } },
};
enum {
    KIND_DEPTH,
    KIND_NORMAL,
    KIND_POINT,
    KIND_UV,
    KIND_PRIM,
    KIND_FACE,
    KIND_INSTANCE,
    KIND_COUNT
};

struct aov {
    const picture *p;
    int fields[KIND_COUNT]; /* in the order in which they were named */
    size_t field_count;
    size_t words; /* of 4 bytes, in the record of a pixel */
    uint32_t *records;
};

/* The kind that the first word of a list names; -1: none. */
static int find_kind(const char *names, size_t size)
{
    for (int kind = 0; kind < KIND_COUNT; kind++) {
        if (strlen(kinds[kind].name) == size && strncmp(kinds[kind].name, names, size) == 0) {
            return kind;
        }
    }
    return -1;
}

/* False where a word is no kind, or one that was there before. */
static bool parse_names(aov *a, const char *names)
{
    bool seen[KIND_COUNT] = { false };
    for (const char *name = names;;) {
        const size_t size = strcspn(name, ",");
        const int kind = find_kind(name, size);
        if (kind < 0 || seen[kind]) {
            return false;
        }
        seen[kind] = true;
        a->fields[a->field_count++] = kind;
        a->words += kinds[kind].count;
        if (name[size] == '\0') {
            return true;
        }
        name += size + 1;
    }
}

int aov_check(const invocation *call, const char *names)
{
    return parse_names(&(aov){ .p = NULL }, names)
               ? EXIT_DONE
               : report_usage(call->command,
                              "--aov is '%s'; it must be one or more of depth, normal, point, "
                              "uv, prim, face and instance with commas between, each once",
                              names);
}

aov *aov_create(const char *names, const picture *p, int *status)
{
    aov *a = calloc(1, sizeof *a);
    if (a == NULL) {
        *status = report_memory();
        return NULL;
    }
    a->p = p;
    (void)parse_names(a, names);
    a->records = malloc((size_t)p->width * p->height * a->words * sizeof *a->records);
    *status = a->records != NULL ? EXIT_DONE : report_memory();
    if (*status != EXIT_DONE) {
        aov_destroy(a);
        return NULL;
    }
    return a;
}

void aov_destroy(aov *a)
{
    if (a != NULL) {
        free(a->records);
        free(a);
    }
}

static uint32_t face_of(const picture *p, const sl_hit *hit)
{
    const sl_mesh *mesh = mesh_in_mesh(p->in, hit->instance);
    return mesh != NULL ? sl_mesh_face(mesh, hit->prim) : hit->prim;
}

static void field_of_hit(const picture *p, int kind, const sl_ray *ray, const sl_hit *hit,
                         const hit_surface *surface, number *to)
{
    switch (kind) {
    case KIND_DEPTH:
        to[0].f = (float)render_depth(p->camera, ray, hit);
        break;
    case KIND_NORMAL:
    case KIND_POINT:
        for (int axis = 0; axis < 3; axis++) {
            to[axis].f = kind == KIND_NORMAL ? surface->normal[axis] : surface->point[axis];
        }
        break;
    case KIND_UV:
        to[0].f = hit->u;
        to[1].f = hit->v;
        break;
    case KIND_PRIM:
        to[0].u = hit->prim;
        break;
    case KIND_INSTANCE:
        to[0].u = hit->instance;
        break;
    default:
        to[0].u = face_of(p, hit);
        break;
    }
}

void aov_pixel(void *context, const tiles_pixel *pixel, int worker)
{
    (void)worker;
    const aov *a = context;
    const sl_hit *hit = &pixel->hits[0];
    hit_surface surface;
    const bool met = hit->prim != SL_NONE && mesh_in_surface(a->p->in, hit, &surface);
    uint32_t *record = a->records + ((size_t)pixel->y * a->p->width + pixel->x) * a->words;
    for (size_t i = 0; i < a->field_count; i++) {
        const int kind = a->fields[i];
        const number miss = kinds[kind].miss;
        number numbers[3] = { miss, miss, miss };
        if (met) {
            field_of_hit(a->p, kind, &pixel->rays[0], hit, &surface, numbers);
        }
        memcpy(record, numbers, kinds[kind].count * sizeof *record);
        record += kinds[kind].count;
    }
}

/* One field alone is a plain array (H, W) or (H, W, n); several are one array (H, W) of records. */
static size_t make_header(const aov *a, char header[NPY_HEADER_MAX])
{
    char type[256] = "[", whole[64];
    size_t used = 1;
    const int only = a->fields[0];
    for (size_t i = 0; i < a->field_count; i++) {
        const int kind = a->fields[i];
        char shape[32] = "";
        if (kinds[kind].count > 1) {
            snprintf(shape, sizeof shape, ", (%zu,)", kinds[kind].count);
        }
        used += (size_t)snprintf(type + used, sizeof type - used, "%s('%s', '<%c4'%s)",
                                 i > 0 ? ", " : "", kinds[kind].name, kinds[kind].letter, shape);
    }
    snprintf(type + used, sizeof type - used, "]");
    char more[32] = "";
    if (a->field_count == 1) {
        snprintf(type, sizeof type, "'<%c4'", kinds[only].letter);
        if (kinds[only].count > 1) {
            snprintf(more, sizeof more, ", %zu", kinds[only].count);
        }
    }
    snprintf(whole, sizeof whole, "(%u, %u%s)", (unsigned)a->p->height, (unsigned)a->p->width,
             more);
    return npy_header_make(header, 0, type, whole);
}

int aov_write(const aov *a, const char *path)
{
    char header[NPY_HEADER_MAX];
    const size_t size = make_header(a, header);
    out_file file;
    const int status = out_file_open(&file, path);
    if (status != EXIT_DONE) {
        return status;
    }
    fwrite(header, 1, size, file.stream);
    fwrite(a->records, sizeof *a->records, (size_t)a->p->width * a->p->height * a->words,
           file.stream);
    return out_file_close(&file);
}
