/* inside/scene.h: 'inside' of a scene. */
#ifndef TOOLS_INSIDE_SCENE_H
#define TOOLS_INSIDE_SCENE_H

#include "tools/inside/inside.h"

/* The rest of the subcommand, where job->in is a scene that is built.  Its exit status. */
int inside_scene(inside_job *job, const invocation *call);

#endif
