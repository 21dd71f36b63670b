import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageDirectory } from '../src/config/package.ts';

const readJson = (name: string) => JSON.parse(readFileSync(join(packageDirectory, name), 'utf8'));

const { files, overrides, engines } = readJson('package.json') as {
  files: string[];
  overrides: Record<string, string>;
  engines: { node: string };
};

const packages = Object.entries<{ dev?: boolean; engines?: { node?: string } }>(readJson('package-lock.json').packages);

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
