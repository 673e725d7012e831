/* nearest/scene.h: 'nearest' and 'within' of a scene. */
#ifndef TOOLS_NEAREST_SCENE_H
#define TOOLS_NEAREST_SCENE_H

#include "tools/nearest/nearest.h"

/* The rest of the subcommand, where job->in is a scene that is built.  Its exit status. */
int nearest_scene(nearest_job *job, const invocation *call);

#endif
