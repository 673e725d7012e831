/* info_of.h: infos by value, for tests that look at one number of them. */
#pragma once

#include <sightline/bvh.h>
#include <sightline/instances.h>
#include <sightline/mesh_repair.h>
#include <sightline/rays.h>
#include <sightline/select.h>

static inline sl_mesh_info mesh_info_of(const sl_mesh *mesh)
{
    sl_mesh_info info;
    sl_mesh_get_info(mesh, &info);
    return info;
}

static inline sl_bvh_info bvh_info_of(const sl_bvh *bvh)
{
    sl_bvh_info info;
    sl_bvh_get_info(bvh, &info);
    return info;
}

static inline sl_boundary_info boundary_info_of(const sl_boundary *boundary)
{
    sl_boundary_info info;
    sl_boundary_get_info(boundary, &info);
    return info;
}

static inline sl_selection_info selection_info_of(const sl_selection *selection)
{
    sl_selection_info info;
    sl_selection_get_info(selection, &info);
    return info;
}
