// The clipping plane, and what it does to questions: nothing but the view's projection changes.  Row z of a projection
// says where the near plane and the far plane are.  Where the eye is on the side that is cut away, the near plane is
// laid into the clipping plane, otherwise the far plane is; everything that asks by a view (rays, picks, snaps,
// selections) then sees what is drawn.  Lengyel, "Oblique View Frustum Depth Projection and Clipping" (2005).
import { Plane, Vector3 } from 'three';
import { viewOf } from 'sightline';
import { plane } from './look.js';

const inEye = new Plane();

// Makes the picture twice as wide and high, with position (x, y) in its middle.
function recentre(projection, x, y, width, height) {
  const shift = [(2 * x) / width - 1, 1 - (2 * y) / height];
  for (let column = 0; column < 4; column++) {
    for (let row = 0; row < 2; row++) {
      const at = 4 * column + row;
      projection[at] = (projection[at] - shift[row] * projection[4 * column + 3]) / 2;
    }
  }
}

// How fast the ray through a position of the picture nears the half-space that stays.
function speed({ projectionMatrix: { elements } }, x, y, width, height) {
  const { normal } = inEye;
  const right = ((2 * x) / width - 1 + elements[8]) / elements[0], up = (1 - (2 * y) / height + elements[9]) / elements[5];
  return normal.x * right + normal.y * up - normal.z;
}

/**
 * The view of a perspective camera that sees what the plane leaves, and by how much positions in its picture differ
 * from those in the canvas.  The ray through the middle of a picture has to meet the near plane; where the camera's
 * own does not, the picture is one around that corner of the canvas whose ray does most.
 */
export function clippedView(camera, width, height, reach, enabled) {
  const view = viewOf(camera, width, height);
  if (!enabled) return { view, dx: 0, dy: 0 };
  inEye.copy(plane).applyMatrix4(camera.matrixWorldInverse);
  const cut = [inEye.normal.x, inEye.normal.y, inEye.normal.z, inEye.constant];
  const projection = Float64Array.from(camera.projectionMatrix.elements);
  // Small enough that the plane that is not laid there is beyond everything, or before it.
  const scale = camera.near / reach;
  const behind = inEye.constant < 0;
  for (let column = 0; column < 4; column++) {
    const w = projection[4 * column + 3];
    projection[4 * column + 2] = behind ? scale * cut[column] - w : w - scale * cut[column];
  }
  let dx = 0, dy = 0, factor = 1;
  if (behind && speed(camera, width / 2, height / 2, width, height) < 1e-3) {
    const corners = [[0, 0], [width, 0], [0, height], [width, height]];
    const best = (a, b) => speed(camera, ...b, width, height) - speed(camera, ...a, width, height);
    const [x, y] = corners.sort(best)[0];
    recentre(projection, x, y, width, height);
    [dx, dy, factor] = [width - x, height - y, 2];
  }
  return { view: { ...view, projection, width: factor * width, height: factor * height }, dx, dy };
}

/** The controls of the panel; `changed` is called after each change. */
export function makeClip(changed) {
  const control = (id) => document.getElementById(`clip-${id}`);
  const clip = { enabled: false, axis: 2, flip: false, at: 0, reach: 1, center: new Vector3() };
  const apply = () => {
    const normal = new Vector3().setComponent(clip.axis, clip.flip ? 1 : -1);
    const point = clip.center.clone().addScaledVector(normal, clip.at * (clip.flip ? 1 : -1) * clip.reach);
    plane.setFromNormalAndCoplanarPoint(normal, point);
    changed();
  };
  // Between which t a ray is on the side that stays; dir has unit length.  An empty range where it never is.
  clip.range = (origin, dir) => {
    const at = plane.distanceToPoint(origin), speed = plane.normal.dot(dir);
    const t = -at / speed;
    if (at >= 0) return [0, speed < 0 ? t : Infinity];
    return speed > 0 ? [t, Infinity] : [0, 0];
  };
  clip.set = (values) => {
    Object.assign(clip, values);
    control('on').checked = clip.enabled;
    control('axis').value = clip.axis;
    control('flip').checked = clip.flip;
    control('at').value = clip.at;
    apply();
  };
  control('on').addEventListener('change', (event) => clip.set({ enabled: event.target.checked }));
  control('axis').addEventListener('change', (event) => clip.set({ axis: Number(event.target.value), enabled: true }));
  control('flip').addEventListener('change', (event) => clip.set({ flip: event.target.checked, enabled: true }));
  control('at').addEventListener('input', (event) => clip.set({ at: Number(event.target.value), enabled: true }));
  return clip;
}
