/* scratch.h: a folder of its own in which a fuzz target may write what it likes. */
#pragma once

/* Makes it, goes there, and fills it with a few small files: cube.obj, cube.slt, rays.txt,
 * points.txt.  It goes away when the program ends. */
void scratch_enter(void);

/* Makes it as it was. */
void scratch_clean(void);
