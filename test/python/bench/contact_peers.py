"""Mesh against mesh in each of the libraries that contact.py compares, each in a process of its own.

A call that takes too long is given up with its process, and so is one that ends it: there is no answer then.
"""

import multiprocessing
import time

import numpy as np


class Ours:
    def __init__(self, module, vertices, faces):
        self.module = module
        self.tree = module.Tree(vertices, faces)

    def place(self, other, matrix, limit):
        return self.module.Scene([(other.tree, matrix)])

    def any(self, placed):
        return self.tree.clashes(placed, threads=1)

    def all(self, placed):
        return self.tree.clash(placed, threads=1).total

    def distance(self, placed):
        return float(self.tree.distance(placed, threads=1).distance)


class Coal:
    """BVHModelOBBRSS: collide with 1 contact and with all, distance."""

    def __init__(self, coal, vertices, faces):
        self.coal = coal
        self.model = coal.BVHModelOBBRSS()
        self.model.beginModel(len(faces), len(vertices))
        points = coal.StdVec_Vec3s()
        for vertex in vertices.astype(np.float64):
            points.append(vertex)
        triangles = coal.StdVec_Triangle()
        for a, b, c in faces.tolist():
            triangles.append(coal.Triangle(a, b, c))
        self.model.addSubModel(points, triangles)
        self.model.endModel()

    def place(self, other, matrix, limit):
        return other, self.coal.Transform3s(matrix[:3, :3].copy(), matrix[:3, 3].copy())

    def _collide(self, placed, most):
        other, place = placed
        request, result = self.coal.CollisionRequest(), self.coal.CollisionResult()
        request.num_max_contacts = most
        self.coal.collide(self.model, self.coal.Transform3s(), other.model, place, request, result)
        return result

    def any(self, placed):
        return self._collide(placed, 1).isCollision()

    def all(self, placed):
        return self._collide(placed, 1 << 20).numContacts()

    def distance(self, placed):
        other, place = placed
        request, result = self.coal.DistanceRequest(), self.coal.DistanceResult()
        return self.coal.distance(self.model, self.coal.Transform3s(), other.model, place, request, result)


class Fcl:
    """python-fcl's BVHModel: collide with 1 contact and with all, distance.

    Without contact points, of which a pair of triangles may have several.
    """

    def __init__(self, fcl, vertices, faces):
        self.fcl = fcl
        self.model = fcl.BVHModel()
        self.model.beginModel(len(vertices), len(faces))
        self.model.addSubModel(vertices.astype(np.float64), faces)
        self.model.endModel()
        self.here = fcl.CollisionObject(self.model, fcl.Transform())

    def place(self, other, matrix, limit):
        return self.fcl.CollisionObject(other.model, self.fcl.Transform(matrix[:3, :3], matrix[:3, 3]))

    def _collide(self, placed, most):
        request = self.fcl.CollisionRequest(num_max_contacts=most, enable_contact=False)
        result = self.fcl.CollisionResult()
        return self.fcl.collide(self.here, placed, request, result), result

    def any(self, placed):
        return self._collide(placed, 1)[0] > 0

    def all(self, placed):
        return self._collide(placed, 1 << 20)[0]

    def distance(self, placed):
        return self.fcl.distance(self.here, placed, self.fcl.DistanceRequest(), self.fcl.DistanceResult())


class Manifold:
    """min_gap, whose cost is that of all pairs of triangles within its limit: with four times the size of igea, all."""

    any = all = None

    def __init__(self, manifold3d, vertices, faces):
        mesh = manifold3d.Mesh(vert_properties=vertices.astype(np.float32), tri_verts=faces.astype(np.uint32))
        mesh.merge()
        self.solid = manifold3d.Manifold(mesh)

    def place(self, other, matrix, limit):
        return other.solid.transform(matrix[:3].copy()), limit

    def distance(self, placed):
        return None if self.solid.is_empty() else self.solid.min_gap(*placed)


class Mujoco:
    """mj_geomDistance of the convex hulls, a thousandth as large, since its tolerances are lengths."""

    any = all = None

    def __init__(self, mujoco, vertices, faces):
        self.mujoco = mujoco
        self.points = " ".join(f"{x:.9g}" for x in vertices.ravel() / 1000)

    def place(self, other, matrix, limit):
        at = " ".join(f"{x:.17g}" for x in matrix[:3, 3] / 1000)
        model = self.mujoco.MjModel.from_xml_string(
            f'<mujoco><asset><mesh name="a" vertex="{self.points}"/><mesh name="b" vertex="{other.points}"/></asset>'
            f'<worldbody><geom type="mesh" mesh="a"/><geom type="mesh" mesh="b" pos="{at}"/></worldbody></mujoco>'
        )
        data = self.mujoco.MjData(model)
        self.mujoco.mj_kinematics(model, data)
        return model, data, limit / 1000

    def distance(self, placed):
        model, data, limit = placed
        return 1000 * self.mujoco.mj_geomDistance(model, data, 0, 1, limit, None)


MAKERS = {"sightline_bvh": Ours, "coal": Coal, "fcl": Fcl, "manifold3d": Manifold, "mujoco": Mujoco}


def _serve(name, pipe):
    """Answers (question, a, b, matrix, limit), meshes being those that were sent before, by number."""
    module = __import__(name)
    made = []
    while True:
        task = pipe.recv()
        if task[0] == "make":
            made.append(MAKERS[name](module, *task[1:]))
            continue
        if task[0] == "made":
            pipe.send(len(made))
            continue
        question, a, b, matrix, limit = task
        placed = made[a].place(made[b], matrix, limit)
        started = time.process_time()
        answer = getattr(made[a], question)(placed)
        pipe.send((time.process_time() - started, answer))


class Peer:
    """A library in a process of its own."""

    def __init__(self, name, seconds):
        self.name, self.seconds = name, seconds
        self.meshes = []
        self.process = None

    def answers(self, question):
        return getattr(MAKERS[self.name], question) is not None

    def set_meshes(self, *meshes):
        """Meshes, each vertices and faces, instead of those before."""
        self.meshes = meshes
        self.close()

    def close(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.process = None

    def _start(self):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=_serve, args=(self.name, theirs), daemon=True)
        self.process.start()
        theirs.close()
        for mesh in self.meshes:
            self.pipe.send(("make", *mesh))
        self.pipe.send(("made",))
        self.pipe.recv()

    def ask(self, question, a, b, matrix, limit):
        """Seconds of its process and the answer, of meshes a and b; None and None where there is none in time.

        limit: a distance beyond the answer.
        """
        try:
            if self.process is None:
                self._start()
            self.pipe.send((question, a, b, matrix, limit))
            if self.pipe.poll(self.seconds):
                return self.pipe.recv()
        except (EOFError, OSError):
            pass
        self.close()
        return None, None
