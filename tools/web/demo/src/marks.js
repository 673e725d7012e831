// What lies over the picture: marks at places of the world, regions, the pointer of the keyboard, and the label.
import { Vector3 } from 'three';

const SVG = 'http://www.w3.org/2000/svg';
const symbols = {
  vertex: 'M-6 -6h12v12h-12z', midpoint: 'M0 -7L7 6H-7z', edge: 'M-6 -6L6 6M-6 6L6 -6', crossing: 'M-6 -6L6 6M-6 6L6 -6',
  centre: 'M-7 0a7 7 0 1 0 14 0a7 7 0 1 0 -14 0', face: 'M-7 0H7M0 -7V7',
};

export class Marks {
  constructor(camera) {
    this.camera = camera;
    this.svg = document.getElementById('marks');
    this.label = document.getElementById('label');
  }

  /** Where a point of the world appears, in pixels; null behind the eye. */
  project(point) {
    const at = new Vector3(point[0], point[1], point[2]).applyMatrix4(this.camera.matrixWorldInverse);
    if (at.z > -this.camera.near) return null;
    at.applyMatrix4(this.camera.projectionMatrix);
    return [((at.x + 1) / 2) * innerWidth, ((1 - at.y) / 2) * innerHeight];
  }

  clear() {
    this.svg.replaceChildren();
    this.label.hidden = true;
  }

  add(tag, attributes) {
    const element = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    this.svg.append(element);
  }

  /** A polygon through points of the world, flat numbers x, y, z. */
  polygon(corners, name) {
    const points = [];
    for (let i = 0; i < corners.length; i += 3) points.push(this.project(corners.slice(i, i + 3)));
    if (points.every(Boolean)) this.add('polygon', { points: points.join(' '), class: name });
  }

  segment(a, b, name) {
    const [from, to] = [this.project(a), this.project(b)];
    if (from && to) this.add('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: name });
  }

  dot(point, name) {
    const at = this.project(point);
    if (at) this.add('circle', { cx: at[0], cy: at[1], r: 6, class: name });
  }

  symbol(point, kind) {
    const at = this.project(point);
    if (at) this.add('path', { d: symbols[kind] ?? symbols.face, transform: `translate(${at})`, class: 'snap' });
  }

  /** The outline of a region of the picture. */
  region({ rectangle, lasso, brush }) {
    if (rectangle) {
      const [x0, y0, x1, y1] = rectangle;
      this.add('path', { d: `M${x0} ${y0}H${x1}V${y1}H${x0}z`, class: 'region' });
    } else if (lasso) {
      this.add('polygon', { points: lasso.join(' '), class: 'region' });
    } else {
      this.add('circle', { cx: brush.x, cy: brush.y, r: brush.radius, class: 'region' });
    }
  }

  cross(x, y) {
    this.add('path', { d: `M${x - 14} ${y}h10M${x + 4} ${y}h10M${x} ${y - 14}v10M${x} ${y + 4}v10`, class: 'cross' });
  }

  /** Says something beside a position of the picture; the first line in bold. */
  say(x, y, [first, ...rest]) {
    const bold = document.createElement('b');
    bold.textContent = first;
    this.label.replaceChildren(bold, ...rest.map((line) => `\n${line}`));
    this.label.hidden = false;
    const { offsetWidth, offsetHeight } = this.label;
    const left = x + 18 + offsetWidth < innerWidth ? x + 18 : x - 18 - offsetWidth;
    const top = y + 18 + offsetHeight < innerHeight ? y + 18 : y - 18 - offsetHeight;
    this.label.style.transform = `translate(${Math.max(4, left)}px, ${Math.max(4, top)}px)`;
  }
}

/** Three numbers of a point for people. */
export function place(point) {
  return Array.from(point, (value) => Number(value.toPrecision(5))).join(', ');
}
