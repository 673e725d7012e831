/* VISIBLE of edges and vertices. */
#include "bvh/select/selection.h"

void sli_select_sights(sl_selection *s, const sl_tasks *tasks)
{
    (void)s;
    (void)tasks;
}
