// The gizmo of three.js on an object that stands for an instance; dragging it calls `moved` with the matrix.
import { Object3D } from 'three';
import { TransformControls } from 'three/addons/controls/TransformControls.js';

const SIZE = 0.8;

export class Gizmo {
  constructor(app, moved) {
    this.object = new Object3D();
    this.controls = new TransformControls(app.camera, app.canvas);
    this.controls.setSize(SIZE);
    this.controls.addEventListener('dragging-changed', (event) => { app.controls.enabled = !event.value; });
    this.controls.addEventListener('change', () => app.request());
    this.controls.addEventListener('objectChange', () => this.push());
    this.moved = moved;
    this.app = app;
  }

  push() {
    this.object.updateMatrix();
    this.moved(this.object.matrix);
    this.app.request();
  }

  attach(matrix) {
    matrix.decompose(this.object.position, this.object.quaternion, this.object.scale);
    this.app.drawing.add(this.object, this.controls.getHelper());
    this.controls.attach(this.object);
    this.controls.enabled = true;
    this.app.request();
  }

  detach() {
    this.controls.detach();
    this.controls.enabled = false;
    this.controls.getHelper().removeFromParent();
    this.object.removeFromParent();
    this.app.request();
  }

  /** Keys x, y and z move by a step along an axis, with Shift backwards. */
  key(event, step) {
    const axis = ['x', 'y', 'z'].indexOf(event.key.toLowerCase());
    if (axis < 0 || !this.controls.object) return false;
    this.object.position.setComponent(axis, this.object.position.getComponent(axis) + (event.shiftKey ? -step : step));
    this.push();
    return true;
  }
}
