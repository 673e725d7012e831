// The rest of the demo's page: clash and cost, files, the keyboard, touch, dark and light, names of controls, and the
// million triangles.  demo.test.mjs has the tools of the pointer, and says how to run both.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { drag, hover, kinds, missing, mode, onPage, open, root, settle, shot, state } from './demo_support.mjs';

const cow = join(root, 'test/data/spot.obj');

async function loaded(page) {
  await page.waitForFunction(() => sightlineDemo.loaded?.done || sightlineDemo.loaded?.error);
  return state(page, 'app.loaded');
}

describe('the page of the demo', { skip: missing(), timeout: 1800000 }, () => {
  const at = onPage();
  let page;

  beforeEach(async () => {
    ({ page } = at);
    await page.evaluate(() => sightlineDemo.setMode('inspect'));
    await kinds(page, 'face');
  });

  it('draws where two parts clash, and how far they are apart', async () => {
    await mode(page, 'clash');
    const first = await state(page, 'app.clash');
    assert.ok(first.touching && first.segments > 0);
    await shot(page, 'clash');
    await page.focus('#view');
    for (let press = 0; press < 60 && (await state(page, 'app.clash.touching')); press++) await page.keyboard.press('x');
    const apart = await state(page, 'app.clash');
    assert.ok(!apart.touching && apart.distance > 0);
    await page.keyboard.press('x');
    await settle(page);
    assert.ok((await state(page, 'app.clash.distance')) > apart.distance);
    assert.match(await page.textContent('#answer'), /apart/);
    await shot(page, 'apart');
    await page.click('#clash-again');
    await settle(page);
    assert.ok(await state(page, 'app.clash.touching'));
    const middle = await state(page, 'app.marks.project(app.pairGizmo.object.position.toArray())');
    await drag(page, middle, [middle[0] + 20, middle[1]], [middle[0] + 260, middle[1] - 60]);
    assert.ok(!(await state(page, 'app.clash.touching')), 'dragged away');
  });

  it('shows what rays cost', async () => {
    await page.click('#tools [data-mode=cost]');
    await page.waitForFunction(() => sightlineDemo.cost.done === sightlineDemo.cost.tiles);
    const { low, high } = await state(page, 'app.cost');
    assert.ok(low > 0 && high > low);
    await shot(page, 'cost');
    await page.check('input[name=measure][value=depth]', { force: true });
    await page.waitForFunction(() => sightlineDemo.cost?.low === 0 && sightlineDemo.cost.done === sightlineDemo.cost.tiles);
    assert.ok((await state(page, 'app.cost.high')) >= 4);
    await page.check('input[name=measure][value=time]', { force: true });
    await mode(page, 'inspect');
    assert.ok(await page.isHidden('#heat'));
  });

  it('loads files in a worker, and says what is wrong with them', async () => {
    await page.setInputFiles('#file', cow);
    const plain = await loaded(page);
    assert.equal(plain.error, undefined);
    assert.equal(plain.triangles, 5856);
    assert.ok(plain.phases.length >= 2);
    await hover(page, 450, 320);
    assert.equal(await state(page, 'app.hover?.prim'), await page.evaluate(() => hitsAt(450, 320)[0]?.prim));
    await shot(page, 'file');
    // Dropped, and gzipped.
    const bytes = [...gzipSync(readFileSync(cow))];
    const transfer = await page.evaluateHandle((numbers) => {
      const data = new DataTransfer();
      data.items.add(new File([Uint8Array.from(numbers)], 'spot.obj.gz'));
      return data;
    }, bytes);
    await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer });
    assert.ok(await page.isVisible('#drop'));
    await page.dispatchEvent('body', 'drop', { dataTransfer: transfer });
    assert.ok(await page.isHidden('#drop'));
    assert.equal((await loaded(page)).triangles, 5856);
    await page.setInputFiles('#file', { name: 'bad.obj', mimeType: 'text/plain', buffer: Buffer.from('v 0 0 0\nf 1 2 3\n') });
    assert.match((await loaded(page)).error, /./);
    assert.match(await page.textContent('#answer'), /bad\.obj/);
    await page.click('#reset');
    await settle(page);
    assert.equal(await state(page, 'app.world.items.length'), 400);
  });

  it('can be used from the keyboard', async () => {
    await page.focus('#view');
    for (const [index, name] of ['inspect', 'through', 'select', 'move', 'clash', 'cost'].entries()) {
      await page.keyboard.press(String(index + 1));
      assert.equal(await page.getAttribute('#tools [aria-checked=true]', 'data-mode'), name);
    }
    await page.keyboard.press('1');
    await page.mouse.move(5, 5);
    const before = await state(page, 'app.camera.position.toArray()');
    await page.keyboard.press('ArrowLeft');
    await settle(page);
    assert.notDeepEqual(await state(page, 'app.camera.position.toArray()'), before);
    await page.mouse.move(434, 320);
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowRight');
    await settle(page);
    assert.equal(await state(page, 'app.pointer.x'), 450);
    assert.equal(await state(page, 'app.hover?.instance'), await page.evaluate(() => hitsAt(450, 320)[0]?.instance));
    assert.equal(await page.locator('#marks .cross').count(), 1);
    await page.keyboard.press('c');
    assert.ok(await page.isChecked('#clip-on'));
    await page.keyboard.press('c');
    await page.keyboard.press('3');
    await page.keyboard.press('Enter');
    for (let step = 0; step < 4; step++) await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowLeft');
    await page.keyboard.press('Enter');
    await settle(page);
    assert.ok((await state(page, 'app.selected.size')) >= 1);
    await page.keyboard.press('Escape');
    await page.focus('#tools [aria-checked=true]');
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.getAttribute('#tools [aria-checked=true]', 'data-mode'), 'move');
    await page.keyboard.press('1');
  });

  it('names its controls, and has contrast in dark and in light', async () => {
    const nameless = await page.$$eval('button, input, select, canvas:not([aria-hidden]), progress', (all) => all
      .filter((one) => !(one.getAttribute('aria-label') || one.textContent.trim() || [...(one.labels ?? [])].some((label) => label.textContent.trim())))
      .map((one) => one.outerHTML));
    assert.deepEqual(nameless, []);
    const backs = [];
    for (const colorScheme of ['dark', 'light']) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction((scheme) => (sightlineDemo.drawing.background.getHSL({}).l < 0.5) === (scheme === 'dark'), colorScheme);
      await settle(page);
      await shot(page, colorScheme);
      backs.push(await state(page, 'app.drawing.background.getHexString()'));
      const contrasts = await page.evaluate(() => {
        const style = getComputedStyle(document.documentElement);
        const light = (name) => {
          const text = style.getPropertyValue(name).trim();
          const [r, g, b] = [1, 3, 5].map((from) => parseInt(text.slice(from, from + 2), 16) / 255)
            .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
        return [['--text', '--panel'], ['--soft', '--panel'], ['--soft', '--field'], ['--soft', '--back'], ['--on-accent', '--accent'],
          ['--cool', '--panel'], ['--accent', '--panel']].map(([a, b]) => [a, b, contrast(a, b)]);
      });
      for (const [text, back, contrast] of contrasts) assert.ok(contrast >= 4.5, `${text} on ${back}, ${colorScheme}: ${contrast}`);
    }
    assert.notEqual(backs[0], backs[1]);
    await page.emulateMedia({ colorScheme: 'dark' });
  });

  it('works on a small screen by touch', async () => {
    const phone = await open(at.browser, at.server.address, { viewport: { width: 390, height: 760 }, hasTouch: true, isMobile: true });
    await kinds(phone, 'face');
    await phone.touchscreen.tap(195, 300);
    await settle(phone);
    assert.equal(await state(phone, 'app.hover?.instance'), await phone.evaluate(() => hitsAt(195, 300)[0]?.instance));
    await shot(phone, 'phone');
    await phone.tap('#tools [data-mode=through]');
    const [x, y] = await phone.evaluate(() => {
      for (let y = 300; y < 420; y += 12) {
        for (let x = 99; x < 300; x += 12) {
          if (document.elementFromPoint(x, y).id === 'view' && instancesAt(x, y).length >= 2) return [x, y];
        }
      }
      throw new Error('no part is behind another one');
    });
    await phone.touchscreen.tap(x, y);
    await phone.waitForFunction((at) => sightlineDemo.pointer.x === at, x);
    await settle(phone);
    const stack = await state(phone, 'app.stack.map((pick) => pick.instance)');
    assert.deepEqual(stack, await phone.evaluate(([x, y]) => instancesAt(x, y), [x, y]));
    await phone.locator('#deeper').scrollIntoViewIfNeeded();
    await phone.tap('#deeper');
    await phone.waitForFunction((instance) => sightlineDemo.through.instance === instance, stack[1]);
    const widest = await phone.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(widest <= 390, `no scrolling sideways: ${widest}`);
    assert.deepEqual(phone.errors, []);
    await phone.context().close();
  });

  it('draws more than a million triangles in 10,000 instances', async () => {
    const big = await open(at.browser, at.server.address, { instances: 10000 });
    await kinds(big, 'face');
    assert.equal(await state(big, 'app.world.items.length'), 10000);
    assert.ok((await state(big, 'app.world.triangleCount')) >= 1e6);
    assert.equal(await state(big, 'app.renderer.info.render.triangles'), await state(big, 'app.world.triangleCount'));
    await hover(big, 450, 320);
    assert.equal(await state(big, 'app.hover.instance'), await big.evaluate(() => hitsAt(450, 320)[0].instance));
    await big.check('#clip-on');
    await settle(big);
    await shot(big, 'million');
    assert.deepEqual(big.errors, []);
    await big.context().close();
  });
});
