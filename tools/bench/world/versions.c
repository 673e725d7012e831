/* bench/world/versions.c: a world that moves as its users are told to keep it (docs/scenes.md): two
 * versions of the scene that take turns, each in the memory of the one before the last. */
#include "tools/bench/world/parts.h"
#include "tools/cli/report.h"

int bench_next_version(bench_versions *versions, const sl_instance *instances, size_t count,
                       const sl_tasks *tasks)
{
    sl_scene_def def = sl_default_scene_def();
    sl_scene *next = NULL;
    sl_error error;
    def.hooks.tasks = tasks;
    def.previous = versions->now;
    def.recycle = versions->before;
    if (sl_scene_build(instances, count, &def, &next, &error) != SL_OK) {
        return report_error(&error);
    }
    versions->before = versions->now;
    versions->now = next;
    return EXIT_DONE;
}

void bench_versions_free(bench_versions *versions)
{
    sl_scene_destroy(versions->now);
    sl_scene_destroy(versions->before);
    *versions = (bench_versions){ .now = NULL };
}
