/* Real meshes: the tables of scenes/MANIFEST.md, which say what each file holds.  The folder lies
 * beside the source tree; where it is absent, everything here is skipped.
 * With SIGHTLINE_SHOW set, every refusal is printed, for a person to read. */
#include "test/support/test.h"

#define SCENES SOURCE_DIR "/../shared/scenes/"

enum { ROOM = 4096, COLUMNS = 16 };

/* A row of a table: its cells, without the blanks around them. */
typedef struct row {
    char text[ROOM];
    char *cells[COLUMNS];
    int count;
} row;

static void split(row *out)
{
    out->count = 0;
    char *cell = out->text + 1;
    char *end = strchr(cell, '|');
    for (; end != NULL && out->count < COLUMNS; end = strchr(cell, '|')) {
        cell += strspn(cell, " ");
        char *last = end;
        while (last > cell && last[-1] == ' ') {
            last--;
        }
        *last = '\0';
        out->cells[out->count++] = cell;
        cell = end + 1;
    }
}

static bool ends_with(const char *name, const char *ending)
{
    const size_t length = strlen(name), wanted = strlen(ending);
    return length >= wanted && strcmp(name + length - wanted, ending) == 0;
}

static bool is_ours(const char *name)
{
    return ends_with(name, ".obj") || ends_with(name, ".ply") || ends_with(name, ".stl") ||
           ends_with(name, ".STL") || ends_with(name, ".off") || ends_with(name, ".gltf") ||
           ends_with(name, ".glb");
}

typedef struct table {
    const char *folder;              /* the heading's, with its slash */
    int triangles, vertices, bounds; /* which column */
} table;

/* Calls check for each file of the folder's table; returns how many there were. */
static int for_each_row(const table *columns, void (*check)(const table *, const row *))
{
    FILE *manifest = fopen(SCENES "MANIFEST.md", "r");
    if (manifest == NULL) {
        print_message("skipped: %sMANIFEST.md is not there\n", SCENES);
        return -1;
    }
    static row line;
    bool inside = false;
    int count = 0;
    while (fgets(line.text, sizeof line.text, manifest) != NULL) {
        if (line.text[0] == '#') {
            const size_t length = strlen(columns->folder);
            inside = strncmp(line.text + 3, columns->folder, length) == 0;
        }
        if (!inside || line.text[0] != '|') {
            continue;
        }
        split(&line);
        if (line.count > 0 && strcmp(line.cells[0], "file") != 0 &&
            strncmp(line.cells[0], "---", 3) != 0) {
            check(columns, &line);
            count++;
        }
    }
    fclose(manifest);
    return count;
}

static sl_result load(const table *columns, const row *line, sl_bad_triangles bad, sl_mesh **mesh,
                      sl_error *error)
{
    char path[1024];
    snprintf(path, sizeof path, SCENES "%s%s", columns->folder, line->cells[0]);
    sl_mesh_def def = { .bad = bad, .formats = sl_io_formats() };
    return sl_mesh_load(path, &def, mesh, error);
}

/* A message, and a place where the kind of error has one. */
static void check_error(const sl_error *error)
{
    assert_true(error->message[0] != '\0');
    assert_true(error->file[0] != '\0');
    assert_true(error->line > 0 || error->byte >= 0 || error->code == SL_NOT_FOUND);
    if (getenv("SIGHTLINE_SHOW") != NULL) {
        const char *name = strrchr(error->file, '/') + 1;
        print_message("%s:%lld:%lld: %s: %s\n", name, (long long)error->line,
                      (long long)error->byte, sl_result_name(error->code), error->message);
    }
}

/* "x y z .. x y z", printed with 6 digits, or "-". */
static void check_bounds(const char *cell, const sl_aabb *bounds)
{
    double wanted[6];
    if (sscanf(cell, "%lf %lf %lf .. %lf %lf %lf", &wanted[0], &wanted[1], &wanted[2], &wanted[3],
               &wanted[4], &wanted[5]) != 6) {
        assert_string_equal(cell, "-");
        return;
    }
    double extent = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        extent = fmax(extent, wanted[3 + axis] - wanted[axis]);
    }
    for (int i = 0; i < 6; i++) {
        const double found = (double)(i < 3 ? bounds->min[i] : bounds->max[i - 3]);
        const double allowed = 1e-5 * fabs(wanted[i]) + 1e-7 * extent;
        if (!(fabs(found - wanted[i]) <= allowed)) {
            fail_msg("bound %d: %.9g instead of %.9g", i, found, wanted[i]);
        }
    }
}

static void check_good(const table *columns, const row *line)
{
    if (!is_ours(line->cells[0])) {
        return;
    }
    OWN(sl_mesh) mesh = NULL;
    sl_error error = { 0 };
    const sl_result result = load(columns, line, SL_BAD_REFUSE, &mesh, &error);
    const bool four_dimensional = strncmp(line->cells[0], "off_4off", 8) == 0;
    const bool old = strstr(line->cells[0], "gltf_v1") != NULL;
    const bool not_finite = strstr(line->cells[0], "nan_inf") != NULL;
    if (four_dimensional || old || not_finite) {
        assert_int_equal(result, not_finite ? SL_NOT_FINITE : SL_UNSUPPORTED);
        check_error(&error);
    }
    if (four_dimensional || old) {
        return;
    }
    if (not_finite) {
        assert_int_equal(load(columns, line, SL_BAD_LEAVE_OUT, &mesh, &error), SL_OK);
        assert_true(sl_mesh_get_info(mesh).left_out > 0);
    } else if (result != SL_OK) {
        fail_msg("%s: %s", line->cells[0], error.message);
    }
    const sl_mesh_info info = sl_mesh_get_info(mesh);
    const unsigned long triangles = strtoul(line->cells[columns->triangles], NULL, 10);
    unsigned long vertices = strtoul(line->cells[columns->vertices], NULL, 10);
    /* Its 412 primitives share 54 sets of positions, which the manifest counts again for each. */
    if (strstr(line->cells[0], "strips_matrix") != NULL) {
        assert_int_equal(vertices, 104696);
        vertices = 3610;
    }
    if (info.triangle_count != triangles || info.vertex_count != vertices) {
        fail_msg("%s: %zu triangles, %zu vertices instead of %lu, %lu", line->cells[0],
                 info.triangle_count, info.vertex_count, triangles, vertices);
    }
    check_bounds(line->cells[columns->bounds], &info.bounds);
}

static void check_broken(const table *columns, const row *line)
{
    if (!is_ours(line->cells[0])) {
        return;
    }
    for (int bad = SL_BAD_REFUSE; bad <= SL_BAD_LEAVE_OUT; bad++) {
        char path[1024];
        snprintf(path, sizeof path, SCENES "%s%s", columns->folder, line->cells[0]);
        sli_failing_allocator memory;
        sl_mesh_def def = { .hooks.allocator = sli_failing_allocator_start(&memory, SLI_NEVER_FAIL),
                            .bad = (sl_bad_triangles)bad,
                            .formats = sl_io_formats() };
        sl_mesh *mesh = NULL;
        sl_error error = { 0 };
        const sl_result result = sl_mesh_load(path, &def, &mesh, &error);
        assert_true((mesh != NULL) == (result == SL_OK));
        if (result != SL_OK) {
            check_error(&error);
        }
        sl_mesh_destroy(mesh);
        assert_int_equal(memory.live_blocks, 0);
        assert_true(memory.peak_bytes <= (size_t)64 << 20);
    }
}

static void run(table columns, void (*check)(const table *, const row *), int at_least)
{
    const int count = for_each_row(&columns, check);
    if (count < 0) {
        skip();
    }
    assert_true(count >= at_least);
}

TEST(bench_meshes_have_their_counts_and_bounds)
{
    run((table){ "bench/", 2, 3, 7 }, check_good, 13);
}

TEST(all_formats_have_their_counts_and_bounds)
{
    run((table){ "formats/", 1, 2, 4 }, check_good, 60);
}

TEST(nasty_meshes_have_their_counts_and_bounds)
{
    run((table){ "nasty/", 1, 2, 7 }, check_good, 35);
}

TEST(broken_files_are_refused_in_words_or_loaded)
{
    run((table){ .folder = "broken/" }, check_broken, 100);
}
