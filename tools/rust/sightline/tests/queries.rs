//! Each query against another one, on a box whose answers are known.

use sightline::{Cull, Error, Instance, Mesh, Options, Pool, Ray, Segment, Tree, TriangleRef};

const IDENTITY: [[f64; 4]; 3] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0]];

/// The unit cube; its fronts are outside.
fn cube() -> Mesh {
    let corners: Vec<[f32; 3]> = (0..8).map(|i| [0, 1, 2].map(|axis| (i >> axis & 1) as f32)).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles: Vec<[u32; 3]> = quads.iter().flat_map(|q| [[q[0], q[1], q[2]], [q[0], q[2], q[3]]]).collect();
    Mesh::new(&corners, &triangles).unwrap()
}

fn moved_by(x: f64) -> [[f64; 4]; 3] {
    let mut transform = IDENTITY;
    transform[0][3] = x;
    transform
}

/// Rays from a grid of origins before the cube, some of which pass by, and one that is not finite.
fn rays() -> Vec<Ray> {
    let at = |i: i32| i as f32 / 8.0 - 0.5;
    let mut rays: Vec<Ray> =
        (0..256).map(|i| Ray::new([at(i % 16), at(i / 16), -1.0], [0.03125, 0.0625, 1.0])).collect();
    rays.push(Ray::new([f32::NAN; 3], [0.0, 0.0, 1.0]));
    rays
}

#[test]
fn the_library_has_the_version_of_the_crate() {
    let version = unsafe { std::ffi::CStr::from_ptr(sightline::sys::sl_version()) };
    assert_eq!(version.to_str(), Ok(env!("CARGO_PKG_VERSION")));
}

#[test]
fn things_go_from_thread_to_thread() {
    fn both<T: Send + Sync>() {}
    both::<Mesh>();
    both::<Tree>();
    both::<Pool>();
    both::<Error>();
}

#[test]
fn one_ray_is_answered_as_in_an_array() {
    let (mesh, pool) = (cube(), Pool::new(2).unwrap());
    let tree = Tree::build(&mesh, Some(&pool)).unwrap();
    drop(mesh); // the tree has its own copy
    let (rays, all) = (rays(), Options::default());
    let closest = tree.closest_many(&rays, &all, None);
    assert_eq!(closest, tree.closest_many(&rays, &all, Some(&pool)));
    let any = tree.any_many(&rays, &all, Some(&pool));
    let lists = tree.all_many(&rays, 1, &all, Some(&pool));
    for (i, ray) in rays.iter().enumerate() {
        let hits = tree.all(ray, &all);
        assert_eq!(tree.closest(ray, &all), hits.first().copied());
        assert_eq!(closest[i].is_miss(), hits.is_empty());
        assert!(hits.is_empty() || closest[i] == hits[0]);
        assert_eq!((any[i], tree.any(ray, &all)), (!hits.is_empty(), !hits.is_empty()));
        assert_eq!(lists.totals[i], hits.len() as u64);
        assert_eq!(lists.row(i), &hits[..hits.len().min(1)]);
    }
    assert!(any.contains(&true) && any.contains(&false));
}

#[test]
fn a_ray_through_the_cube_leaves_it() {
    let tree = Tree::build(&cube(), None).unwrap();
    let ray = Ray::new([0.25, 0.5, -1.0], [0.0, 0.0, 1.0]);
    let ts = |options: &Options| tree.all(&ray, options).iter().map(|hit| hit.t).collect::<Vec<f32>>();
    let all = Options::default();
    assert_eq!(ts(&all), [1.0, 2.0]);
    assert_eq!(ts(&Options { cull: Cull::Back, ..all }), [1.0]);
    assert_eq!(ts(&Options { cull: Cull::Front, ..all }), [2.0]);
    let first = tree.closest(&ray, &all).unwrap();
    let skip = [TriangleRef { instance: 0, prim: first.prim }];
    assert_eq!(ts(&Options { skip: &skip, ..all }), [2.0]);
    let far = |_: usize, hit: &sightline::Hit| hit.t > 1.5;
    assert_eq!(ts(&Options { filter: Some(&far), ..all }), [2.0]);
    assert_eq!(tree.closest(&ray, &Options { filter: Some(&far), ..all }).unwrap().t, 2.0);
}

#[test]
fn an_edge_is_crossed_once() {
    let tree = Tree::build(&cube(), None).unwrap();
    let ray = Ray::new([0.5, 0.5, -1.0], [0.0, 0.0, 1.0]); // along the diagonals of two faces
    let all = Options::default();
    assert_eq!(tree.all(&ray, &all).len(), 4);
    assert_eq!(tree.all(&ray, &Options { crossings: true, ..all }).len(), 2);
}

#[test]
fn ends_of_segments_are_open_on_request() {
    let tree = Tree::build(&cube(), None).unwrap();
    let (p, q, all) = ([0.25, 0.5, -1.0], [0.25, 0.5, 0.0], Options::default());
    let open = Options { open_end: true, ..all };
    assert!(tree.occluded(p, q, &all));
    assert!(!tree.occluded(p, q, &open));
    let segments = [Segment { p, q }];
    assert_eq!(tree.any_many(&segments, &all, None), [true]);
    assert_eq!(tree.any_many(&segments, &open, None), [false]);
    assert_eq!(tree.closest_many(&segments, &all, None)[0].t, 1.0);
}

#[test]
fn points_are_near_and_inside() {
    let (tree, pool) = (Tree::build(&cube(), None).unwrap(), Pool::new(0).unwrap());
    let (points, all) = ([[0.5, 0.5, 0.75], [0.5, 0.5, 2.0], [f32::INFINITY; 3]], Options::default());
    let nearest = tree.nearest_many(&points, 0.5, &all, Some(&pool));
    assert_eq!((nearest[0].distance, nearest[0].point), (0.25, [0.5, 0.5, 1.0]));
    assert_eq!(tree.nearest(points[0], 0.5, &all), Some(nearest[0]));
    assert_eq!(tree.nearest(points[1], 0.5, &all), None);
    assert_eq!(tree.nearest(points[1], f32::INFINITY, &all).unwrap().distance, 1.0);
    let inside = tree.inside_many(&points, 1, &all, Some(&pool));
    assert_eq!(inside.totals, [1, 0, 0]);
    assert_eq!((inside.row(0), inside.row(1)), (&[0][..], &[][..]));
    assert_eq!(tree.inside(points[0], &all), [0]);
}

#[test]
fn instances_stand_where_transforms_say() {
    let tree = Tree::build(&cube(), None).unwrap();
    let row: Vec<Instance> = (0..20).map(|i| Instance::new(&tree, moved_by(2.0 * f64::from(i)))).collect();
    let world = Tree::over(&row, None).unwrap();
    assert_eq!((world.bounds().min, world.bounds().max), ([0.0; 3], [39.0, 1.0, 1.0]));
    let (ray, all) = (Ray::new([-1.0, 0.25, 0.5], [1.0, 0.0, 0.0]), Options::default());
    let hits = world.all(&ray, &all); // more than there is room for at first
    let found: Vec<(u32, f32)> = hits.iter().map(|hit| (hit.instance, hit.t)).collect();
    assert_eq!(found, (0..40).map(|i| (i / 2, 1.0 + i as f32)).collect::<Vec<_>>());
    assert_eq!(world.inside([4.5, 0.5, 0.5], &all), [2]);
    let nested = [Instance::new(&world, moved_by(100.0)), Instance::new(&tree, IDENTITY)];
    let both = Tree::over(&nested, None).unwrap();
    assert_eq!(both.closest(&ray, &all).unwrap().instance, 20);
    let ignored = Options { ignore: &[sightline::InstanceRange { first: 20, count: 1 }], ..all };
    assert_eq!(both.closest(&ray, &ignored).unwrap().t, 101.0);
}

#[test]
fn a_tree_keeps_those_below_it() {
    let (ray, all) = (Ray::new([-1.0, 0.25, 0.5], [1.0, 0.0, 0.0]), Options::default());
    let world = {
        let (left, right) = (Tree::build(&cube(), None).unwrap(), Tree::build(&cube(), None).unwrap());
        let two = [Instance::new(&left, moved_by(0.0)), Instance::new(&right, moved_by(2.0))];
        let pair = Tree::over(&two, None).unwrap();
        Tree::over(&[Instance::new(&pair, IDENTITY), Instance::new(&left, moved_by(4.0))], None).unwrap()
    };
    let other = world.clone();
    let hits = std::thread::spawn(move || other.all(&ray, &Options::default())).join().unwrap();
    assert_eq!(hits, world.all(&ray, &all));
    assert_eq!(hits.iter().map(|hit| ray.at(hit.t)[0]).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
}

#[test]
fn errors_say_what_and_where() {
    let bad = Mesh::new(&[[0.0; 3]; 3], &[[0, 1, 7]]).unwrap_err();
    assert_eq!((bad.code, bad.name), (sightline::sys::SL_BAD_INDEX, "SL_BAD_INDEX"));
    assert!(bad.to_string().contains('7'), "{bad}");
    assert_eq!(Mesh::load("there is none.obj").unwrap_err().name, "SL_NOT_FOUND");
    let text = Mesh::from_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n").unwrap_err();
    assert_eq!(text.line, Some(4), "{text}");
    let tree = Tree::build(&cube(), None).unwrap();
    let flat = Tree::over(&[Instance::new(&tree, [[0.0; 4]; 3])], None).unwrap_err();
    assert_eq!(flat.name, "SL_BAD_DATA", "{flat}");
    assert_eq!(Mesh::load("a\0b").unwrap_err().name, "SL_INVALID_ARGUMENT");
}

#[test]
fn nothing_is_no_error() {
    let none = Tree::build(&Mesh::new(&[], &[]).unwrap(), None).unwrap();
    let all = Options::default();
    assert!(none.closest(&Ray::new([0.0; 3], [1.0, 0.0, 0.0]), &all).is_none());
    assert!(none.closest_many(&[] as &[Ray; 0], &all, None).is_empty());
    assert!(none.nearest_many(&[], 1.0, &all, None).is_empty());
    assert!(Tree::over(&[], None).unwrap().inside([0.0; 3], &all).is_empty());
}
