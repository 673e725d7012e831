// A folder with the package, as npm packs and installs it, and what its tests use: npm's packages by test/web/package-lock.json.
//
// SIGHTLINE_PACKAGE names the folder that tools/web/package.mjs has made; build/web/package where it is not set.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('..', import.meta.url));
const made = process.env.SIGHTLINE_PACKAGE ?? join(here, '../../build/web/package');

const npm = (cwd, ...words) => execFileSync('npm', [...words, '--no-audit', '--no-fund'], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/** The folder that npm ci has filled: one for each lock, which all tests share. */
export function packages() {
  const lock = readFileSync(join(here, 'package-lock.json'));
  const folder = join(tmpdir(), `sightline-npm-${createHash('sha256').update(lock).digest('hex').slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  const filling = mkdtempSync(`${folder}-`);
  for (const name of ['package.json', 'package-lock.json', '.npmrc']) copyFileSync(join(here, name), join(filling, name));
  npm(filling, 'ci');
  renameSync(filling, folder);
  return folder;
}

/** { folder, tarball }, or { skip } with the reason why there is none.  The folder's end is the caller's. */
export function installed() {
  if (!existsSync(join(made, 'package.json'))) return { skip: `there is no package in ${made}: run tools/web/package.mjs` };
  let shared;
  try {
    shared = packages();
  } catch (error) {
    return { skip: `npm could not install what the tests use: ${String(error.stderr || error.message).split('\n')[0]}` };
  }
  const folder = mkdtempSync(join(shared, 'test-'));
  const [{ filename }] = JSON.parse(npm(folder, 'pack', made, '--json'));
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  mkdirSync(join(folder, 'node_modules'));
  // Without scripts, peers or the registry: the package has no dependencies.
  npm(folder, 'install', `./${filename}`, '--offline', '--legacy-peer-deps');
  return { folder, tarball: join(folder, filename), bin: (name) => join(shared, 'node_modules/.bin', name), remove: () => rmSync(folder, { recursive: true }) };
}
