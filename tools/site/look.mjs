// look.mjs: looks at a built site in Chromium, at one page of each kind, and names what is wrong.
//
//     node tools/site/look.mjs SITE [FOLDER]      with FOLDER, pictures of the pages go there
//
// On a phone in light colours and on a desk in dark ones: what axe-core calls serious or critical, a page that is wider than
// the window, and what a script says on the console. On a phone without JavaScript: the width again, and that the navigation
// can be reached. And that the search finds something and leads there. It needs Chromium, and npm ci in this folder; where one
// of them is missing the status is 77.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [site, shots] = process.argv.slice(2).map((path) => resolve(path));
const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
const modules = createRequire(import.meta.url);
let chromium, axe;
try {
  ({ chromium } = modules('playwright-core'));
  axe = modules.resolve('axe-core');
} catch {}
if (!chromium || !axe || !existsSync(executablePath)) {
  console.error(`site: nothing looks at it: there is no ${chromium && axe ? executablePath : 'playwright-core or axe-core'}`);
  process.exit(77);
}
const SIZES = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } };
// One of each kind of page.
const PAGES = ['index', 'docs/start', 'docs/python', 'docs/picking', 'docs/for-games', 'docs/accuracy', 'docs/cli', 'docs/changelog', 'docs/python-reference',
  'docs/web-reference', 'docs/benchmarks', 'docs/notes/filters', 'docs/shapes', 'docs/examples/index', 'docs/examples/hello_ray.c', 'bvh/include/sightline/pick.h'];

let faults = 0;
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] });

async function open(page, options) {
  const context = await browser.newContext(options);
  const tab = await context.newPage();
  tab.setDefaultTimeout(120000);
  const says = (what) => {
    faults++;
    console.log(`${page}, ${options.name}: ${what}`);
  };
  tab.on('console', (message) => ['error', 'warning'].includes(message.type()) && says(message.text()));
  tab.on('pageerror', (error) => says(error.message));
  await tab.goto(pathToFileURL(join(site, `${page}.html`)).href);
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  if (wide > 0) says(`is ${wide} pixels wider than the window`);
  return { context, tab, says };
}

async function audit(page, size, colorScheme) {
  const { context, tab, says } = await open(page, { name: `${size} ${colorScheme}`, viewport: SIZES[size], colorScheme });
  if (shots) await tab.screenshot({ path: join(shots, `${page.replaceAll('/', '_')}-${size}-${colorScheme}.png`) });
  await tab.addScriptTag({ path: axe });
  const { violations } = await tab.evaluate(() => globalThis.axe.run({ preload: false }));
  for (const { id, impact, help, nodes } of violations) {
    if (['serious', 'critical'].includes(impact)) says(`${impact} ${id}: ${help}: ${nodes.length}, first ${nodes[0].target} ${nodes[0].html.slice(0, 120)}`);
  }
  await context.close();
}

async function withoutScripts(page, size) {
  const { context, tab, says } = await open(page, { name: `${size} without JavaScript`, viewport: SIZES[size], javaScriptEnabled: false });
  const menu = tab.locator('label.md-header__button[for=__drawer]');
  if (await menu.isVisible()) await menu.click();
  const links = tab.locator('nav a:visible');
  if (await links.count() < 8) says(`${await links.count()} links of the navigation can be seen`);
  await context.close();
}

async function search(size) {
  const { context, tab, says } = await open('docs/start', { name: `${size}, search`, viewport: SIZES[size] });
  if (size === 'phone') await tab.locator('label.md-header__button[for=__search]').click();
  await tab.locator('.md-search__input').pressSequentially('occluded');
  const found = tab.locator('.md-search-result__item a').first();
  await found.waitFor({ timeout: 30000 }).then(() => found.click(), () => says('nothing is found'));
  await tab.waitForURL(/h=occluded/, { timeout: 10000 }).catch(() => says(`leads to ${tab.url()}`));
  await context.close();
}

for (const page of PAGES) {
  await audit(page, 'phone', 'light');
  await audit(page, 'desk', 'dark');
  await withoutScripts(page, 'phone');
}
await search('phone');
await search('desk');
await browser.close();
console.log(`${PAGES.length} pages looked at, ${faults} faults`);
process.exit(faults > 0 ? 1 : 0);
