import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageDirectory } from '../src/base/config/package.ts';

const readJson = (name: string) => JSON.parse(readFileSync(join(packageDirectory, name), 'utf8'));

/** The versions of packages by their names. */
type Versions = Readonly<Record<string, string>>;

interface LockedPackage {
  readonly dev?: boolean;
  readonly engines?: { readonly node?: string };
  readonly dependencies?: Versions;
  readonly devDependencies?: Versions;
  readonly optionalDependencies?: Versions;
}

/** The most packages that the first command of README installs, those for other systems included. */
const MAX_PROGRAM_PACKAGES = 350;

const { files, overrides, engines, devDependencies } = readJson('package.json') as {
  files: string[];
  overrides: Versions;
  engines: { node: string };
  devDependencies: Versions;
};

const locked = readJson('package-lock.json').packages as Readonly<Record<string, LockedPackage>>;
const packages = Object.entries(locked);

/** Returns the folder in which a package in a folder finds another, or undefined: the lock has no optional peers. */
function findPackage(name: string, from: string): string | undefined {
  const own = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (own in locked) return own;
  return from === '' ? undefined : findPackage(name, from.slice(0, Math.max(0, from.lastIndexOf('node_modules/') - 1)));
}

/** Returns the folders of all packages that `npm ci --workspaces=false` installs. */
function programPackages(): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (from: string, names: Versions = {}) => {
    for (const name of Object.keys(names)) {
      const folder = findPackage(name, from);
      if (folder === undefined || found.has(folder)) continue;
      found.add(folder);
      add(folder, { ...locked[folder]?.dependencies, ...locked[folder]?.optionalDependencies });
    }
  };
  add('', { ...locked['']?.dependencies, ...locked['']?.devDependencies });

  return found;
}

describe('the package', () => {
  it('has the files that its page for operators links', () => {
    const links = [
      ...readFileSync(join(packageDirectory, 'docs', 'operate.md'), 'utf8').matchAll(/\]\(\.\.\/([^)#]*)/g),
    ];
    // The image is built from the repository.
    const outside = links.map(([, path = '']) => path).filter((path) => path !== 'Dockerfile');
    expect(outside.length).toBeGreaterThan(1);
    for (const path of outside) {
      expect(existsSync(join(packageDirectory, path)), path).toBe(true);
      expect(files, path).toContain(path.split('/')[0]);
    }
  });

  it('is built and run with few packages, none of which only the tests need', () => {
    const ofProgram = programPackages();
    expect(ofProgram).toContain('node_modules/typescript');
    expect(ofProgram.size).toBeLessThanOrEqual(MAX_PROGRAM_PACKAGES);
    const ofTests = Object.keys(readJson('test/package.json').devDependencies);
    expect(ofTests).toContain('vitest');
    expect(ofTests.filter((name) => name in devDependencies || ofProgram.has(`node_modules/${name}`))).toEqual([]);
  });

  it('has each package of the tests once, beside those of the program', () => {
    expect(packages.map(([path]) => path).filter((path) => path.startsWith('test/'))).toEqual([]);
  });

  it('overrides only what is for development: whoever installs it gets no override', () => {
    const used = packages.filter(([path, { dev }]) => !dev && (path.split('node_modules/').at(-1) ?? '') in overrides);
    expect(used.map(([path]) => path)).toEqual([]);
  });

  it('needs no later Node than it says, in none of its packages', () => {
    const least = /^>=(\d+)/.exec(engines.node)?.[1];
    const later = packages.filter(([, { dev, engines: needed }]) => {
      const majors = [...(needed?.node ?? '').matchAll(/(?:^|\|\|)[ >=^~v]*(\d+)/g)].map(([, major]) => Number(major));
      return !dev && majors.length > 0 && Math.min(...majors) > Number(least);
    });
    expect(later.map(([path]) => path)).toEqual([]);
  });
});
