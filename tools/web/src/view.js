// Views: a camera's two matrices, and the picture.
import { sl_view } from './layouts.js';
import { f32, place, u32 } from './memory.js';
import { mat4, number, putVec3, record, whole, word } from './numbers.js';

const CLIPS = ['gl', 'd3d', 'vulkan', 'reversed'];
const VIEW = ['view', 'projection', 'width', 'height', 'clip', 'origin'];
const view = place(sl_view.size);
const { at } = sl_view;

function putMatrix(index, elements) {
  for (let k = 0; k < 16; k++) f32[index + k] = elements[k];
}

/** Writes a view; returns where it is. */
export function putView(given) {
  const { view: world, projection, width, height, clip, origin } = record(given, 'view', VIEW);
  const worldElements = mat4(world, 'view.view');
  const projectionElements = mat4(projection, 'view.projection');
  u32[(view.p + at.camera_width) >> 2] = whole(Math.round(number(width, 'view.width')), 'view.width', 1);
  u32[(view.p + at.camera_height) >> 2] = whole(Math.round(number(height, 'view.height')), 'view.height', 1);
  u32[(view.p + at.camera_clip) >> 2] = word(clip, 'view.clip', CLIPS);
  putMatrix((view.p + at.camera_view) >> 2, worldElements);
  putMatrix((view.p + at.camera_projection) >> 2, projectionElements);
  putVec3((view.p + at.origin) >> 3, origin ?? [0, 0, 0], 'view.origin');
  return view.p;
}

const WEBGPU = 2001; // three.js, WebGPUCoordinateSystem

/** The view of a camera of three.js, as it is now.  The matrices that C takes are floats, so the view is about the eye, with
 * the eye as origin: what lies millions of units away is then where it is drawn. */
export function viewOf(camera, width, height) {
  const { matrixWorldInverse, projectionMatrix, coordinateSystem, reversedDepth } = record(camera, 'camera');
  const view = Float64Array.from(mat4(matrixWorldInverse, 'camera.matrixWorldInverse'));
  const projection = Float64Array.from(mat4(projectionMatrix, 'camera.projectionMatrix'));
  if (coordinateSystem === WEBGPU && reversedDepth !== true) return aboutEye(view, { projection, width, height, clip: 'd3d' });
  return aboutEye(view, { projection, width, height, clip: reversedDepth === true ? 'reversed' : 'gl' });
}

// The eye is the point that the view takes to 0: minus the inverse of its linear part times its translation.  What rounding
// leaves stays in the view.
function aboutEye(view, rest) {
  const column = (k) => [view[4 * k], view[4 * k + 1], view[4 * k + 2]];
  const [a, b, c, t] = [0, 1, 2, 3].map(column);
  const determinant = dot(a, cross(b, c));
  const eye = [cross(b, c), cross(c, a), cross(a, b)].map((row) => -dot(row, t) / determinant);
  if (!eye.every(Number.isFinite)) return { view, ...rest };
  const about = view.slice();
  for (let axis = 0; axis < 3; axis++) {
    about[12 + axis] = a[axis] * eye[0] + b[axis] * eye[1] + c[axis] * eye[2] + t[axis];
  }
  return { view: about, origin: eye, ...rest };
}

const dot = (p, q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p, q) => [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
