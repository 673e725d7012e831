/* selection_oracle.h: what a region selects of a world, every triangle, side, corner and pixel on
 * its own: regions in fractions (region_oracle.h), and what is seen by one ray or one line of sight
 * each, of which all hits are looked at.
 * Threads  one at a time. */
#pragma once

#include <sightline/select.h>

typedef struct selection_oracle selection_oracle;

/* query NULL: everything.  What is given is read by what follows. */
selection_oracle *selection_oracle_make(const sl_bvh *scene, const sl_view *view,
                                        const sl_options *options,
                                        const sl_topology *const *topologies);
void selection_oracle_free(selection_oracle *oracle);

/* Decides everything of a mode anew.  Returns how many triangles were left open
 * (region_oracle_gave_up), which are compared with nothing. */
uint64_t selection_oracle_ask(selection_oracle *oracle, const sl_region *region,
                              sl_select_mode mode);

/* Of how many things, counts and totals a selection of a unit says something else. */
uint64_t selection_oracle_differences(const selection_oracle *oracle, sl_select_unit unit,
                                      const sl_selection *selection);
