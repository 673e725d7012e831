// The demo in headless Chromium: each interaction by its result, against an oracle that tries every triangle drawn.
//
//     node --test test/web/demo.test.mjs
//
// SIGHTLINE_WASM names the module, SIGHTLINE_WEB_MODULES the folder whose node_modules has playwright-core, and
// SIGHTLINE_SHOTS a folder for pictures.
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { clip, drag, hover, kinds, missing, mode, onPage, settle, shot, spiral, state } from './demo_support.mjs';

const skip = missing();
// Hovers, and compares the face there with the oracle's; how many positions had one.
async function compareFaces(page, positions) {
  let hits = 0;
  for (const [x, y] of positions) {
    await hover(page, x, y);
    const hit = await state(page, 'app.hover && { instance: app.hover.instance, prim: app.hover.prim, kind: app.hover.kind }');
    const [first, second] = await page.evaluate(([px, py]) => hitsAt(px, py), [x, y]);
    assert.equal(hit?.instance, first?.instance, `at ${x}, ${y}`);
    if (!first) continue;
    assert.equal(hit.kind, 'face');
    // Two triangles that share an edge may both be met there, as far as doubles can tell.
    if (hit.prim !== first.prim) assert.ok(hit.prim === second.prim && second.distance - first.distance < 1e-9);
    hits++;
  }
  return hits;
}

describe('the demo', { skip, timeout: 1800000 }, () => {
  const at = onPage();
  let page;

  beforeEach(async () => {
    ({ page } = at);
    await page.evaluate(() => {
      sightlineDemo.setMode('inspect');
      sightlineDemo.clip.set({ enabled: false, at: 0, axis: 2, flip: false });
      sightlineDemo.home();
    });
    await kinds(page, 'face', 'edge', 'vertex');
  });

  it('says what it is, and how fast', async () => {
    await shot(page, 'page');
    assert.match(await page.textContent('header'), /sightline.*triangles/s);
    assert.equal(await page.textContent('#count'), '400');
    await hover(page, 450, 320);
    assert.match(await page.textContent('#query'), /^[\d.]+ (µs|ms)$/);
    assert.match(await page.textContent('#frame'), /^[\d.]+ (µs|ms)$/);
    await page.click('#about-open');
    assert.ok(await page.isVisible('#about'));
    await shot(page, 'about');
    await page.keyboard.press('Escape');
    assert.ok(!(await page.isVisible('#about')));
  });

  it('hovers the face that is seen', async () => {
    await kinds(page, 'face');
    assert.ok((await compareFaces(page, spiral(24))) >= 12);
    await hover(page, 450, 320);
    assert.equal(await page.locator('#marks polygon.face').count(), 1);
    assert.match(await page.textContent('#label'), /face of/);
    await shot(page, 'face');
    await hover(page, 60, 620);
    assert.equal(await state(page, 'app.hover'), null);
  });

  for (const kind of ['edge', 'vertex']) {
    it(`hovers ${kind === 'edge' ? 'edges' : 'vertices'} within five pixels`, async () => {
      await kinds(page, kind);
      let found = 0;
      for (const [x, y] of spiral(24)) {
        await hover(page, x, y);
        const hit = await state(page, 'app.hover && { kind: app.hover.kind, at: app.marks.project(app.hover.point), instance: app.hover.instance }');
        if (!hit) continue;
        assert.equal(hit.kind, kind);
        assert.ok(Math.hypot(hit.at[0] - x, hit.at[1] - y) <= 5.01);
        assert.equal(await page.locator(kind === 'edge' ? '#marks line.edge' : '#marks circle.vertex').count(), 1);
        if (found === 0) await shot(page, kind);
        found++;
      }
      assert.ok(found >= 4, `${found} found`);
    });
  }

  it('snaps, and keeps what it has snapped to', async () => {
    await kinds(page, 'snap');
    await hover(page, 450, 320);
    const first = await state(page, 'app.snap && { kind: app.snap.kind, target: String(app.snap.target), at: app.marks.project(app.snap.point) }');
    assert.ok(first, 'the middle of the ball is a part');
    assert.ok(first.kind === 'face' || Math.hypot(first.at[0] - 450, first.at[1] - 320) <= 10.01);
    assert.equal(await page.locator('#marks .snap').count(), 1);
    let snapped = 0;
    for (const [x, y] of spiral(16)) {
      await hover(page, x, y);
      const one = await state(page, 'app.snap && { kind: app.snap.kind, target: String(app.snap.target) }');
      if (!one || one.kind === 'face') continue;
      await hover(page, x + 1, y);
      assert.equal(await state(page, 'app.snap.kept || String(app.snap.target)'), true);
      snapped++;
    }
    assert.ok(snapped >= 4);
    await shot(page, 'snap');
  });

  it('picks through with the wheel, in the order of depth', async () => {
    await mode(page, 'through');
    await hover(page, 450, 320);
    const expected = await page.evaluate(() => instancesAt(450, 320));
    assert.ok(expected.length >= 3);
    assert.deepEqual(await state(page, 'app.stack.map((pick) => pick.instance)'), expected);
    const camera = await state(page, 'app.camera.position.toArray()');
    for (let step = 1; step <= expected.length; step++) {
      await page.mouse.wheel(0, 100);
      await settle(page);
      await page.waitForFunction((instance) => sightlineDemo.through.instance === instance, expected[step % expected.length]);
    }
    await page.mouse.wheel(0, -100);
    await page.waitForFunction((instance) => sightlineDemo.through.instance === instance, expected.at(-1));
    await settle(page);
    await shot(page, 'through');
    assert.equal(await page.locator('#stack [aria-current]').count(), 1);
    await page.click('#shallower');
    await page.waitForFunction((instance) => sightlineDemo.through.instance === instance, expected.at(-2));
    assert.deepEqual(await state(page, 'app.camera.position.toArray()'), camera, 'the wheel does not zoom');
  });

  it('selects what is seen in a marquee; Shift adds, Alt takes away', async () => {
    await mode(page, 'select');
    const selected = () => state(page, '[...app.selected].sort((a, b) => a - b)');
    await drag(page, [400, 280], [440, 320]);
    const first = await selected();
    assert.deepEqual(first, await page.evaluate(() => seenIn([400, 280, 440, 320])));
    await page.keyboard.down('Shift');
    await drag(page, [500, 340], [520, 360]);
    await page.keyboard.up('Shift');
    const second = await page.evaluate(() => seenIn([500, 340, 520, 360]));
    assert.deepEqual(await selected(), [...new Set([...first, ...second])].sort((a, b) => a - b));
    await shot(page, 'marquee');
    await page.keyboard.down('Alt');
    await drag(page, [500, 340], [520, 360]);
    await page.keyboard.up('Alt');
    assert.deepEqual(await selected(), first.filter((instance) => !second.includes(instance)));
    await page.check('#select-through');
    await drag(page, [400, 280], [440, 320]);
    const through = await selected();
    assert.ok(first.every((instance) => through.includes(instance)) && through.length > first.length);
    await page.uncheck('#select-through');
    await page.keyboard.press('Escape');
    assert.deepEqual(await selected(), []);
  });

  it('selects by lasso and brush, and triangles', async () => {
    await mode(page, 'select');
    const selected = () => state(page, '[...app.selected].sort((a, b) => a - b)');
    await page.check('input[name=shape][value=lasso]', { force: true });
    await drag(page, [400, 280], [460, 280], [400, 340]);
    const lasso = await selected();
    const inside = await page.evaluate(() => seenIn([400, 280, 460, 340], (x, y) => x - 400 + (y - 280) <= 58));
    const around = await page.evaluate(() => seenIn([397, 277, 463, 343], (x, y) => x - 400 + (y - 280) <= 64));
    assert.ok(inside.every((instance) => lasso.includes(instance)), 'all that is well inside');
    assert.ok(lasso.every((instance) => around.includes(instance)), 'nothing that is well outside');
    await shot(page, 'lasso');
    await page.check('input[name=shape][value=brush]', { force: true });
    await page.fill('#brush-size', '12');
    await page.mouse.move(450, 320);
    await page.mouse.down();
    await page.mouse.up();
    await settle(page);
    assert.deepEqual(await selected(), await page.evaluate(() => seenIn([438, 308, 462, 332], (x, y) => (x - 450) ** 2 + (y - 320) ** 2 <= 144)));
    await page.check('input[name=what][value=triangles]', { force: true });
    await drag(page, [430, 300], [470, 330]);
    assert.match(await page.textContent('#answer'), /triangles selected/);
    await shot(page, 'brush');
    await page.check('input[name=what][value=instances]', { force: true });
    await page.check('input[name=shape][value=rectangle]', { force: true });
  });

  it('moves a part by the gizmo, and picks it where it is', async () => {
    await mode(page, 'move');
    const [instance] = await page.evaluate(() => instancesAt(450, 320));
    await page.mouse.click(450, 320);
    await settle(page);
    assert.equal(await state(page, 'app.held'), instance);
    const middle = () => state(page, `app.marks.project(app.middleOf(${instance}).toArray())`);
    const from = await middle();
    await shot(page, 'gizmo');
    await drag(page, from, [from[0] + 40, from[1] - 60], [from[0] + 10, 110]);
    assert.ok((await state(page, 'app.versions')) >= 2);
    const to = await middle();
    assert.ok(Math.hypot(to[0] - from[0], to[1] - from[1]) > 60, 'it has moved');
    await mode(page, 'inspect');
    await kinds(page, 'face');
    const around = spiral(40, to, 24);
    assert.ok((await compareFaces(page, around)) >= 1);
    assert.ok((await page.evaluate((positions) => positions.map(([x, y]) => instancesAt(x, y)[0]), around)).includes(instance));
    await mode(page, 'move');
    await page.click('#move-reset');
    await settle(page);
    assert.deepEqual((await middle()).map(Math.round), from.map(Math.round));
  });

  it('picks what the clipping plane leaves, wherever the camera is', async () => {
    await kinds(page, 'face');
    for (const [axis, flip, at] of [[2, false, 0], [2, true, 0.1], [0, false, 0.15], [0, true, 0.1], [1, false, -0.2]]) {
      await clip(page, { enabled: true, axis, flip, at });
      const hits = await compareFaces(page, spiral(10));
      assert.ok(hits >= 2, `axis ${axis}: ${hits}`);
      if (axis === 2) await shot(page, `clip-${flip}`);
    }
    // Along the plane, on the side that is cut away: the middle of the picture never meets what stays.
    await page.evaluate(() => {
      const { camera, controls, world } = sightlineDemo;
      camera.position.set(-0.4, 0, 3 * world.radius);
      controls.target.set(-0.8, 0, 0);
      controls.update();
    });
    await clip(page, { enabled: true, axis: 0, flip: true, at: 0 });
    assert.ok((await compareFaces(page, spiral(10, [540, 320], 60))) >= 2);
    await mode(page, 'select');
    await drag(page, [520, 300], [550, 320]);
    assert.deepEqual(await state(page, '[...app.selected].sort((a, b) => a - b)'), await page.evaluate(() => seenIn([520, 300, 550, 320])));
    await shot(page, 'clip-select');
  });
});
