#include "test/cliffs/case.h"

#include "test/cliffs/draw.h"

#include <stdlib.h>
#include <string.h>

const char *case_files[CASE_FILES_MAX];
int case_file_count;

static const char *const mesh_names[] = { "sphere", "torus",   "terrain", "soup", "fan",
                                          "cones",  "slivers", "shells",  "flat", "cards",
                                          "city",   "stadium", "scales",  "pile", "comb" };
static const char *const quality_names[] = { "default", "fast", "high", "compact" };
static const char *const ray_names[] = { "camera",  "orthographic", "from-point", "around",
                                         "inside",  "surface",      "parallel",   "axis",
                                         "grazing", "along-edges",  "bounce" };
static const char *const aim_names[] = { "anywhere", "vertices", "midpoints", "centroids" };
static const char *const open_names[] = { "none", "start", "end", "both" };
static const char *const order_names[] = { "made", "shuffled" };
static const char *const call_names[] = {
    "closest",      "any",     "blocked",         "closest-segment", "any-from",
    "blocked-from", "nearest", "closest-columns", "any-columns",     "nearest-k",
    "within",       "inside",  "overlap-any",     "overlap-all"
};
static const char *const world_names[] = { "none", "tiled", "floor", "row", "scattered", "same" };
static const char *const place_names[] = { "moved",   "turned",    "quarters", "mirrored",
                                           "sheared", "stretched", "flattened" };
static const char *const form_names[] = { "floats", "doubles" };
static const char *const hint_names[] = { "none", "right", "wrong", "half" };
static const char *const select_names[] = { "all", "few", "most", "ignore" };
static const char *const contact_names[] = { "none",   "any",     "all", "distance",
                                             "sphere", "capsule", "box", "hull" };
static const char *const turn_names[] = { "none", "any" };
static const char *const other_names[] = { "tree", "instance" };

/* A field is one of names, or a number that is distributed evenly by its logarithm; or, that often
 * in a random case, its usual value. */
typedef struct field_row {
    const char *name;
    const char *const *names;
    double low, high; /* both may be drawn */
    double usual, how_often;
    bool whole;
} field_row;

static const field_row rows[CASE_FIELDS] = {
    [CASE_MESH] = { "mesh", mesh_names, 0, MESH_KINDS - 1, 0, 0, true },
    [CASE_TRIANGLES] = { "triangles", NULL, 12, 65536, 5000, 0.2, true },
    [CASE_THIN] = { "thin", NULL, 1e-5, 1, 0.01, 0.2, false },
    [CASE_MESH_SEED] = { "mesh-seed", NULL, 1, 999, 1, 0.5, true },
    [CASE_SIZE] = { "size", NULL, 1e-3, 1e5, 1, 0.7, false },
    [CASE_AT] = { "at", NULL, 10, 3e7, 0, 0.6, false },
    [CASE_QUALITY] = { "quality", quality_names, 0, QUALITY_KINDS - 1, 0, 0.85, true },
    [CASE_RAYS] = { "rays", ray_names, 0, RAY_KINDS - 1, 0, 0.3, true },
    [CASE_COUNT] = { "count", NULL, 1, 4096, 1024, 0.5, true },
    [CASE_WIDTH] = { "width", NULL, 8, 2048, 64, 0.1, true },
    [CASE_TILE] = { "tile", NULL, 1, 32, 8, 0.5, true },
    [CASE_AWAY] = { "away", NULL, 1e-3, 1e7, 3, 0.5, false },
    [CASE_SPREAD] = { "spread", NULL, 1e-6, 3, 0.5, 0.5, false },
    [CASE_LENGTH] = { "length", NULL, 1e-4, 1e3, 0, 0.6, false },
    [CASE_START] = { "start", NULL, -2, 2, 0, 0.8, false },
    [CASE_SPEED] = { "speed", NULL, 1e-6, 1e6, 1, 0.9, false },
    [CASE_ORDER] = { "order", order_names, 0, ORDER_KINDS - 1, 0, 0.7, true },
    [CASE_RAY_SEED] = { "ray-seed", NULL, 1, 999, 1, 0.3, true },
    [CASE_AIM] = { "aim", aim_names, 0, AIM_KINDS - 1, 0, 0.5, true },
    [CASE_OPEN] = { "open", open_names, 0, OPEN_KINDS - 1, 0, 0.5, true },
    [CASE_BESIDE] = { "beside", NULL, 0, 1, 0, 1, true },
    [CASE_CALL] = { "call", call_names, 0, BENCH_QUERIES - 1, 0, 0.3, true },
    [CASE_BATCH] = { "batch", NULL, 1, 4096, 4096, 0.6, true },
    [CASE_WORLD] = { "world", world_names, 0, WORLD_KINDS - 1, 0, 0, true },
    [CASE_INSTANCES] = { "instances", NULL, 1, 5000, 100, 0.2, true },
    [CASE_GAP] = { "gap", NULL, 1e-6, 1e3, 1, 0.3, false },
    [CASE_SCALES] = { "scales", NULL, 1, 1e7, 1, 0.6, false },
    [CASE_LARGE] = { "large", NULL, 1e-3, 1, 0, 0.5, false },
    [CASE_PLACES] = { "places", place_names, 0, PLACE_KINDS - 1, 0, 0.2, true },
    [CASE_CONDITION] = { "condition", NULL, 1, 0x1p19, 16, 0.2, false },
    [CASE_GRID] = { "grid", NULL, 1e-6, 16, 0, 0.7, false },
    [CASE_HOLES] = { "holes", NULL, 1e-2, 0.99, 0, 0.8, false },
    [CASE_NESTED] = { "nested", NULL, 0, 3, 0, 0.6, true },
    [CASE_WORLD_AT] = { "world-at", NULL, 10, 1e7, 0, 0.6, false },
    [CASE_WORLD_SEED] = { "world-seed", NULL, 1, 999, 1, 0.3, true },
    [CASE_FRAMES] = { "frames", NULL, 1, 64, 1, 0.3, true },
    [CASE_DRIFT] = { "drift", NULL, 1e-4, 10, 0.01, 0.2, false },
    [CASE_FORM] = { "form", form_names, 0, FORM_KINDS - 1, 0, 0.5, true },
    [CASE_HINTS] = { "hints", hint_names, 0, HINT_KINDS - 1, 0, 0.3, true },
    [CASE_SELECT] = { "select", select_names, 0, SELECT_KINDS - 1, 0, 0.8, true },
    [CASE_RADIUS] = { "radius", NULL, 1e-6, 10, 0.1, 0.2, false },
    [CASE_K] = { "k", NULL, 1, 16, 4, 0.5, true },
    [CASE_CONTACT] = { "contact", contact_names, 0, CONTACT_KINDS - 1, 0, 0, true },
    [CASE_OTHER] = { "other", mesh_names, 0, MESH_KINDS - 1, 0, 0, true },
    [CASE_OTHER_SIZE] = { "other-size", NULL, 1e-3, 1e3, 1, 0.5, false },
    [CASE_APART] = { "apart", NULL, 1e-6, 1e3, 0, 0.2, false },
    [CASE_TURNED] = { "turned", turn_names, 0, TURN_KINDS - 1, 0, 0, true },
    [CASE_OTHER_AS] = { "other-as", other_names, 0, OTHER_KINDS - 1, 0, 0.5, true },
    [CASE_MARGIN] = { "margin", NULL, 1e-5, 1, 0, 0.7, false },
};

/* As it will be after printing and reading. */
static double as_text(double x, bool whole)
{
    char text[32];
    snprintf(text, sizeof text, whole ? "%.0f" : "%.3g", x);
    return strtod(text, NULL);
}

static double field_high(case_field field)
{
    return field == CASE_MESH ? rows[field].high + case_file_count : rows[field].high;
}

static double field_random(case_field field, test_random *random)
{
    const field_row *row = &rows[field];
    const double high = field_high(field);
    if (draw_in(random, 0, 1) < row->how_often) {
        return row->usual;
    }
    if (row->names != NULL) {
        return row->low + floor(draw_in(random, 0, 1) * (high - row->low + 1));
    }
    if (field == CASE_START || field == CASE_NESTED) {
        return as_text(row->low + draw_in(random, 0, 1) * (high - row->low), row->whole);
    }
    const double x = row->low * pow(high / row->low, draw_in(random, 0, 1));
    return as_text(field == CASE_TILE ? exp2(floor(log2(x) + 0.5)) : x, row->whole);
}

/* Not so far that the mesh would shrink to a few points: floats there leave it at least 2^5 steps
 * from side to side. */
static void limit_far(cliff_case *c)
{
    c->field[CASE_AT] = fmin(c->field[CASE_AT], as_text(0x1p18 * c->field[CASE_SIZE], false));
}

/* All copies together have some 2^17 triangles. */
static void limit_world(cliff_case *c)
{
    const double most = floor(0x1p17 / c->field[CASE_INSTANCES]);
    c->field[CASE_TRIANGLES] = fmin(c->field[CASE_TRIANGLES], fmax(most, 12));
}

/* Triangles of a mesh that is held against another one. */
enum { CONTACT_TRIANGLES_MAX = 4096 };

/* Whether cases of a kind differ in a field; c: which of contact it is. */
static bool is_used(case_kind kind, const cliff_case *c, case_field field)
{
    if (kind != KIND_CONTACT) {
        return field < CASE_WORLD || (kind == KIND_WORLD && field < CASE_CONTACT);
    }
    if (field < CASE_RAYS || field == CASE_RAY_SEED || field == CASE_CONTACT) {
        return true;
    }
    return case_int(c, CASE_CONTACT) < CONTACT_SPHERE ? field > CASE_CONTACT
                                                      : field < CASE_CALL || field == CASE_RADIUS;
}

/* Takes a case to what a search may look at. */
static void limit_case(case_kind kind, cliff_case *c)
{
    limit_far(c);
    if (kind == KIND_WORLD) {
        limit_world(c);
        c->field[CASE_WORLD] = fmax(c->field[CASE_WORLD], WORLD_NONE + 1);
    } else {
        if (kind == KIND_CONTACT) {
            c->field[CASE_TRIANGLES] = fmin(c->field[CASE_TRIANGLES], CONTACT_TRIANGLES_MAX);
            c->field[CASE_CONTACT] = fmax(c->field[CASE_CONTACT], CONTACT_NONE + 1);
            for (case_field field = 0; field < CASE_FIELDS; field++) {
                c->field[field] = is_used(kind, c, field) ? c->field[field] : rows[field].usual;
            }
        }
        c->field[CASE_CALL] = fmod(c->field[CASE_CALL], CALL_MESH_KINDS);
    }
}

cliff_case case_random(case_kind kind, test_random *random)
{
    const case_field first = kind == KIND_MESH ? CASE_WORLD : CASE_CONTACT;
    cliff_case c;
    for (case_field field = 0; field < CASE_FIELDS; field++) {
        c.field[field] =
            field < first || kind == KIND_CONTACT ? field_random(field, random) : rows[field].usual;
    }
    limit_case(kind, &c);
    return c;
}

/* Half of the numbers move by a factor of at most 4, the others anywhere. */
static double field_change(case_field field, double x, test_random *random)
{
    const field_row *row = &rows[field];
    if (row->names != NULL || field == CASE_TILE || field == CASE_START || field == CASE_NESTED ||
        x == 0 || draw_in(random, 0, 1) < 0.5) {
        return field_random(field, random);
    }
    const double next = x * exp2(4 * draw_in(random, 0, 1) - 2);
    return as_text(fmin(fmax(next, row->low), row->high), row->whole);
}

cliff_case case_change(const cliff_case *c, test_random *random)
{
    const case_kind kind = case_kind_of(c);
    cliff_case next = *c;
    for (uint32_t changes = 1 + test_random_below(random, 3); changes > 0;) {
        const case_field field = test_random_below(random, CASE_FIELDS);
        if (is_used(kind, c, field)) {
            next.field[field] = field_change(field, next.field[field], random);
            changes--;
        }
    }
    limit_case(kind, &next);
    return next;
}

static const char *name_of(case_field field, int value)
{
    return field == CASE_MESH && value >= MESH_KINDS ? case_files[value - MESH_KINDS]
                                                     : rows[field].names[value];
}

void case_print(const cliff_case *c, char text[CASE_TEXT_MAX])
{
    size_t used = 0;
    for (case_field field = 0; field < CASE_FIELDS && used < CASE_TEXT_MAX; field++) {
        const double x = c->field[field];
        const char *gap = used > 0 ? " " : "";
        int size = 0;
        if (field != CASE_MESH && x == rows[field].usual) {
            continue;
        }
        if (rows[field].names != NULL) {
            size = snprintf(text + used, CASE_TEXT_MAX - used, "%s%s=%s", gap, rows[field].name,
                            name_of(field, (int)x));
        } else {
            size =
                snprintf(text + used, CASE_TEXT_MAX - used, "%s%s=%.9g", gap, rows[field].name, x);
        }
        used += (size_t)size;
    }
}

/* The number of a name; for meshes, a name that is no kind is a file.  -1: there is none. */
static int number_of(case_field field, const char *name)
{
    for (int i = 0; i <= (int)rows[field].high; i++) {
        if (strcmp(name, rows[field].names[i]) == 0) {
            return i;
        }
    }
    if (field != CASE_MESH) {
        return -1;
    }
    int file = 0;
    while (file < case_file_count && strcmp(name, case_files[file]) != 0) {
        file++;
    }
    if (file == CASE_FILES_MAX) {
        return -1;
    }
    if (file == case_file_count) {
        case_files[case_file_count++] = strdup(name);
    }
    return MESH_KINDS + file;
}

static bool read_word(char *word, cliff_case *out)
{
    char *value = strchr(word, '=');
    if (value == NULL) {
        return false;
    }
    *value++ = '\0';
    for (case_field field = 0; field < CASE_FIELDS; field++) {
        if (strcmp(word, rows[field].name) != 0) {
            continue;
        }
        if (rows[field].names != NULL) {
            out->field[field] = number_of(field, value);
            return out->field[field] >= 0;
        }
        char *end;
        out->field[field] = strtod(value, &end);
        return *end == '\0' && end != value && isfinite(out->field[field]);
    }
    return false;
}

bool case_read(const char *text, cliff_case *out)
{
    for (case_field field = 0; field < CASE_FIELDS; field++) {
        out->field[field] = rows[field].usual;
    }
    return case_overlay(text, out);
}

bool case_overlay(const char *text, cliff_case *out)
{
    char copy[CASE_TEXT_MAX];
    snprintf(copy, sizeof copy, "%s", text);
    for (char *word = strtok(copy, " \n"); word != NULL; word = strtok(NULL, " \n")) {
        if (!read_word(word, out)) {
            fprintf(stderr, "cliffs: not understood: %s\n", word);
            return false;
        }
    }
    return true;
}
