/* sweep_peers: spheres that move, beside Bullet's sweeps of convex shapes and our own rays.
 *
 *     sweep_peers MESH... [-n COUNT]      default 20000
 *
 * Of each mesh the same spheres, of a two-hundredth of the diagonal, from points within its bounds
 * in random directions, by half of the diagonal: sl_bvh_sweep, one call after another;
 * sl_bvh_sweep_many; sl_bvh_closest along the same way; and btCollisionWorld::convexSweepTest of a
 * btSphereShape against a btBvhTriangleMeshShape.  The median of the rounds, in microseconds a
 * sphere, one thread.  Then how often each meets something, and how often the two disagree about
 * that. */
#include <sightline/sightline.h>

#include <btBulletCollisionCommon.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

namespace {

enum { ROUNDS = 5 };

struct bullet_mesh {
    btTriangleIndexVertexArray arrays;
    btBvhTriangleMeshShape shape;
    btCollisionObject object;
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher;
    btDbvtBroadphase broadphase;
    btCollisionWorld world;

    explicit bullet_mesh(const sl_soup &soup)
        : arrays((int)soup.triangle_count, (int *)(uintptr_t)soup.indices, 3 * sizeof(uint32_t),
                 (int)soup.vertex_count, (btScalar *)(uintptr_t)soup.xyz, 3 * sizeof(float)),
          shape(&arrays, true), dispatcher(&configuration),
          world(&dispatcher, &broadphase, &configuration)
    {
        object.setCollisionShape(&shape);
        world.addCollisionObject(&object);
    }
};

struct rounds {
    double us[ROUNDS];

    double median()
    {
        std::sort(us, us + ROUNDS);
        return us[ROUNDS / 2];
    }
};

template <typename work> double microseconds(size_t count, work &&fn)
{
    const auto started = std::chrono::steady_clock::now();
    fn();
    const std::chrono::duration<double, std::micro> taken =
        std::chrono::steady_clock::now() - started;
    return taken.count() / (double)count;
}

std::vector<sl_sweep> make_sweeps(const sl_aabb_d &box, size_t count, double *radius)
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(0, 1);
    std::normal_distribution<double> normal;
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        square += (box.max[axis] - box.min[axis]) * (box.max[axis] - box.min[axis]);
    }
    const double diagonal = std::sqrt(square);
    *radius = diagonal / 200;
    std::vector<sl_sweep> sweeps(count);
    for (sl_sweep &sweep : sweeps) {
        double dir[3], length = 0;
        std::memset(&sweep, 0, sizeof sweep);
        sweep.volume.kind = SL_VOLUME_SPHERE;
        sweep.volume.shape.sphere.radius = (float)*radius;
        for (int axis = 0; axis < 3; axis++) {
            dir[axis] = normal(random);
            length += dir[axis] * dir[axis];
        }
        for (int axis = 0; axis < 3; axis++) {
            sweep.volume.shape.sphere.centre[axis] =
                (float)(box.min[axis] + unit(random) * (box.max[axis] - box.min[axis]));
            sweep.dir[axis] = (float)(0.5 * diagonal * dir[axis] / std::sqrt(length));
        }
    }
    return sweeps;
}

void measure(const char *path, size_t count)
{
    sl_mesh *mesh = nullptr;
    sl_bvh *bvh = nullptr;
    sl_error error;
    if (sl_mesh_load(path, nullptr, &mesh, &error) != SL_OK ||
        sl_bvh_build(mesh, nullptr, &bvh, &error) != SL_OK) {
        std::fprintf(stderr, "%s: %s\n", path, error.message);
        std::exit(1);
    }
    double radius;
    const std::vector<sl_sweep> sweeps = make_sweeps(sl_bvh_bounds(bvh), count, &radius);
    const auto peer = std::make_unique<bullet_mesh>(sl_mesh_soup(mesh));
    btSphereShape ball((btScalar)radius);
    std::vector<sl_contact> contacts(count), many(count);
    std::vector<uint8_t> theirs(count);
    rounds single, array, ray, bullet;
    for (int round = 0; round < ROUNDS; round++) {
        single.us[round] = microseconds(count, [&] {
            for (size_t i = 0; i < count; i++) {
                sl_bvh_sweep(bvh, &sweeps[i], nullptr, &contacts[i]);
            }
        });
        array.us[round] = microseconds(count, [&] {
            sl_bvh_sweep_many(bvh, sl_sweeps_of(sweeps.data(), count, SL_FLOAT), nullptr,
                              many.data(), nullptr, nullptr);
        });
        ray.us[round] = microseconds(count, [&] {
            for (size_t i = 0; i < count; i++) {
                sl_ray way = sl_ray_make(sweeps[i].volume.shape.sphere.centre, sweeps[i].dir);
                sl_hit hit;
                way.tmax = 1;
                sl_bvh_closest(bvh, &way, nullptr, &hit);
            }
        });
        bullet.us[round] = microseconds(count, [&] {
            for (size_t i = 0; i < count; i++) {
                const float *c = sweeps[i].volume.shape.sphere.centre, *d = sweeps[i].dir;
                const btVector3 from(c[0], c[1], c[2]), to = from + btVector3(d[0], d[1], d[2]);
                const btTransform start(btQuaternion::getIdentity(), from);
                const btTransform end(btQuaternion::getIdentity(), to);
                btCollisionWorld::ClosestConvexResultCallback found(from, to);
                peer->world.convexSweepTest(&ball, start, end, found);
                theirs[i] = found.hasHit();
            }
        });
    }
    size_t met = 0, met_by_bullet = 0, differ = 0;
    for (size_t i = 0; i < count; i++) {
        const bool hit = contacts[i].prim != SL_NONE;
        met += hit;
        met_by_bullet += theirs[i];
        differ += hit != (theirs[i] != 0);
    }
    const double ours = single.median(), rays = ray.median(), bullets = bullet.median();
    std::printf("%s: %llu triangles\n", path,
                (unsigned long long)sl_bvh_get_info(bvh).triangle_count);
    std::printf("  single %.3f us, array %.3f us, ray %.3f us (%.2f of it), Bullet %.3f us (%.2f "
                "of ours)\n",
                ours, array.median(), rays, ours / rays, bullets, bullets / ours);
    std::printf("  of %zu: %zu meet something, of Bullet's %zu; %zu differ\n", count, met,
                met_by_bullet, differ);
    sl_bvh_destroy(bvh);
    sl_mesh_destroy(mesh);
}

} // namespace

int main(int argc, char **argv)
{
    size_t count = 20000;
    for (int i = 1; i < argc; i++) {
        if (std::strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
            count = (size_t)std::atol(argv[++i]);
        } else {
            measure(argv[i], count);
        }
    }
}
