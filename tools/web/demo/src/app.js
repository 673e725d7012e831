// The page's state and its loop: a frame is drawn when something has changed, and the tool asks its questions in it.
import { PerspectiveCamera, Scene as Drawing, Spherical, Vector3, WebGLRenderer } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { info } from 'sightline';
import { clippedView, makeClip } from './clip.js';
import { followScheme, lightCamera, plane } from './look.js';
import { Marks } from './marks.js';

const NARROW = 760; // Pixels, as in style.css.
const show = (id, text) => { document.getElementById(id).textContent = text; };
const milliseconds = (time) => (time < 1 ? `${(1000 * time).toFixed(0)} µs` : `${time.toFixed(1)} ms`);

export class App {
  constructor(modes) {
    this.modes = modes;
    this.canvas = document.getElementById('view');
    this.renderer = new WebGLRenderer({ canvas: this.canvas, antialias: true, powerPreference: 'high-performance' });
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.drawing = new Drawing();
    this.camera = new PerspectiveCamera(40, 1, 0.05, 500);
    lightCamera(this.camera);
    this.drawing.add(this.camera);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener('change', () => this.request());
    this.marks = new Marks(this.camera);
    this.pointer = { x: 0, y: 0, inside: false, keyboard: false };
    this.times = new Map();
    this.frames = 0;
    this.asked = '';
    this.clip = makeClip(() => {
      this.applyClip();
      this.mode?.changed?.(this);
      this.request();
    });
    followScheme(this.drawing, () => this.request());
    addEventListener('resize', () => this.resize());
    this.resize();
  }

  resize() {
    this.renderer.setSize(innerWidth, innerHeight, false);
    this.camera.aspect = innerWidth / innerHeight;
    // The middle of the picture is that of what tools and settings leave free.
    const { left, right, top, bottom } = this.margins();
    this.camera.setViewOffset(innerWidth, innerHeight, (right - left) / 2, (bottom - top) / 2, innerWidth, innerHeight);
    this.mode?.changed?.(this);
    this.request();
  }

  /** Pixels that other things cover: tools and settings at the sides, on a narrow screen below. */
  margins() {
    const box = (name) => document.querySelector(name).getBoundingClientRect();
    if (innerWidth > NARROW) return { left: box('nav').right, right: innerWidth - box('aside').left, top: 0, bottom: 0 };
    return { left: 0, right: 0, top: box('footer').bottom, bottom: 0.34 * innerHeight + box('nav').height };
  }

  /** Draws a frame soon. */
  request() {
    this.pending ??= requestAnimationFrame((time) => this.frame(time));
  }

  frame(time) {
    this.pending = undefined;
    const start = performance.now();
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.marks.clear();
    if (this.world) this.update();
    const { x, y, keyboard } = this.pointer;
    if (keyboard) this.marks.cross(x, y);
    if (!this.mode?.still?.(this)) this.renderer.render(this.drawing, this.camera);
    // One frame after another: the time between them; else what this one took.
    const between = time - this.lastTime;
    show('frame', milliseconds(between < 100 ? between : performance.now() - start));
    this.lastTime = time;
    this.frames++;
  }

  // An error of a tool is said, and is one of the page; what can be drawn is still drawn.
  update() {
    try {
      this.mode?.update?.(this);
    } catch (error) {
      this.say(`That did not work: ${error.message}`);
      reportError(error);
    }
  }

  setWorld(world) {
    this.mode?.leave?.(this);
    this.world?.dispose();
    this.world = world;
    this.drawing.add(world.group);
    this.clip.set({ enabled: false, at: 0, reach: world.radius, center: world.center });
    this.home();
    show('triangles', world.triangleCount.toLocaleString('en'));
    show('count', world.items.length.toLocaleString('en'));
    show('built', milliseconds(world.sceneTime));
    this.showEngine();
    this.mode?.enter?.(this);
    this.request();
  }

  showEngine() {
    const { version, kernel, memory } = info();
    show('memory', `${(memory / 1048576).toFixed(0)} MB`);
    show('kernel', `sightline ${version}, ${kernel}`);
  }

  /** The whole scene. */
  home() {
    const { center, extent } = this.world;
    const { left, right, top, bottom } = this.margins();
    const free = Math.min(innerWidth - left - right, innerHeight - top - bottom) / innerHeight;
    const tan = Math.tan((this.camera.fov * Math.PI) / 360) * Math.min(1, free);
    this.look(center, (1.2 * extent) / Math.sin(Math.atan(tan)));
  }

  /** Looks at a point, from where the camera is, at a distance. */
  look(center, distance) {
    const from = this.camera.position.clone().sub(this.controls.target);
    if (from.lengthSq() < 1e-9) from.set(0.55, 0.4, 1);
    this.controls.target.copy(center);
    this.camera.position.copy(center).addScaledVector(from.normalize(), distance);
    this.camera.near = distance / 500;
    this.camera.far = distance + 4 * this.world.radius;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.request();
  }

  /** Turns the camera about its target by angles, and changes its distance by a factor. */
  turn(right, up, factor = 1) {
    const { target } = this.controls;
    const at = new Spherical().setFromVector3(this.camera.position.clone().sub(target));
    at.theta += right;
    at.phi += up;
    at.radius *= factor;
    at.makeSafe();
    this.camera.position.setFromSpherical(at).add(target);
    this.controls.update();
    this.request();
  }

  setMode(name) {
    if (this.mode === this.modes[name]) return;
    this.mode?.leave?.(this);
    this.modeName = name;
    this.mode = this.modes[name];
    for (const section of document.querySelectorAll('aside section')) section.hidden = section.dataset.mode !== name;
    for (const button of document.querySelectorAll('#tools button')) {
      const chosen = button.dataset.mode === name;
      button.setAttribute('aria-checked', chosen);
      button.tabIndex = chosen ? 0 : -1;
    }
    this.say('');
    if (this.world) this.mode.enter?.(this);
    this.request();
  }

  applyClip() {
    this.renderer.localClippingEnabled = this.clip.enabled;
    const planes = this.clip.enabled ? [plane] : null;
    this.drawing.traverse(({ material }) => {
      if (!material?.isMeshLambertMaterial || material.clippingPlanes === planes) return;
      material.needsUpdate = Boolean(material.clippingPlanes) !== Boolean(planes);
      material.clippingPlanes = planes;
    });
  }

  /** The view that sees what is drawn; positions of the canvas lie at (x + dx, y + dy) in its picture. */
  view() {
    this.camera.updateMatrixWorld();
    const reach = 2 * (this.world.radius + this.camera.position.distanceTo(this.world.center));
    return clippedView(this.camera, innerWidth, innerHeight, reach, this.clip.enabled);
  }

  /** What a question answers; how long it took is shown, smoothed, since browsers' clocks are coarse. */
  ask(name, question) {
    const start = performance.now();
    const answer = question();
    const time = performance.now() - start;
    const before = this.times.get(name);
    const smooth = before === undefined ? time : before + 0.1 * (time - before);
    this.times.set(name, smooth);
    this.asked = name;
    show('query-name', name);
    show('query', milliseconds(smooth));
    return answer;
  }

  pick(x, y, def) {
    const { view, dx, dy } = this.view();
    const { scene, topologies } = this.world;
    return this.ask('Pick', () => scene.pick(view, x + dx, y + dy, { topologies, ...def }));
  }

  /** Says the tool's answer in the panel, and to screen readers. */
  say(text) {
    const answer = document.getElementById('answer');
    if (answer.textContent !== text) answer.textContent = text;
  }

  /** Where an instance's middle is in the world. */
  middleOf(instance) {
    return new Vector3().setFromMatrixPosition(this.world.items[instance].matrix);
  }
}
