import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openFolderStore } from '../../src/cluster/lake/folder-store.ts';
import type { LakeStore } from '../../src/cluster/lake/lake-store.ts';
import { openS3Store } from '../../src/cluster/lake/s3-store.ts';
import { fail, startFakeBucket } from './fake-bucket.ts';

/** A store that a test may break. */
interface Opened {
  readonly store: LakeStore;
  /** The module, function and arguments that open it in another process. */
  readonly opener: readonly [module: string, name: string, ...args: string[]];
  /** Makes every request fail. */
  breakDown(): void;
  close(): Promise<void>;
}

const STORES: Readonly<Record<string, (folder: string) => Promise<Opened>>> = {
  'a folder': async (folder) => {
    const lake = join(folder, 'lake');
    mkdirSync(lake);
    const breakDown = () => {
      rmSync(lake, { recursive: true });
      // A file where the folder was: no right keeps the user root out of a folder.
      writeFileSync(lake, '');
    };
    const opener = ['folder-store.js', 'openFolderStore', lake] as const;
    return { store: openFolderStore(lake), opener, breakDown, close: async () => undefined };
  },
  'a bucket': async (folder) => {
    const bucket = await startFakeBucket();
    for (const [name, value] of Object.entries(bucket.environment)) vi.stubEnv(name, value);
    const breakDown = () => {
      bucket.fault = (_, response) => fail(response, 403, 'AccessDenied');
    };
    const args = ['s3://lake/acme', join(folder, 'scratch-')] as const;
    const opener = ['s3-store.js', 'openS3Store', ...args] as const;
    return { store: openS3Store(...args), opener, breakDown, close: bucket.close };
  },
};

const CONFLICT = { message: 'Another load is under way', hint: 'Wait.' };

describe.each(Object.keys(STORES))('a lake in %s', { tags: ['slow'] }, (kind) => {
  let folder: string;
  let opened: Opened;
  let store: LakeStore;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'plumbline-stores-'));
    opened = (await STORES[kind]?.(folder)) as Opened;
    ({ store } = opened);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  const write = (place: string, text = place) => store.write(place, async (path) => writeFileSync(path, text));
  const fileOf = (place: string, bytes = place.length) => ({ place, bytes, relation: 'core.people' });
  const readTexts = (paths: readonly string[]) => paths.map((path) => readFileSync(path, 'utf8'));

  it('gives back what was written, in the order asked for', async () => {
    for (const place of ['v1/a', 'v1/b/c', 'v2/a']) await write(place);
    const asked = ['v2/a', 'v1/a', 'v1/b/c'];
    expect(
      await store.read(
        asked.map((place) => fileOf(place)),
        async (paths) => readTexts(paths),
      ),
    ).toEqual(asked);
    expect(await store.read([], async (paths) => paths.length)).toBe(0);
  });

  it('replaces a file', async () => {
    await write('v1/a', 'old');
    await write('v1/a', 'newer');
    expect(await store.read([fileOf('v1/a', 5)], async (paths) => readTexts(paths))).toEqual(['newer']);
  });

  it('lists its topmost names, and removes a folder and no other', async () => {
    expect(await store.list()).toEqual([]);
    for (const place of ['v1/a', 'v1/b/c', 'v10/a']) await write(place);
    expect((await store.list()).sort()).toEqual(['v1', 'v10']);
    await store.remove('v1');
    expect(await store.list()).toEqual(['v10']);
    await store.remove('v1');
    expect(await store.list()).toEqual(['v10']);
  });

  it('says which file is missing or has another size', async () => {
    await write('v1/a');
    const hint = expect.stringContaining('Nothing was published.');
    const never = async () => expect.unreachable();
    await expect(store.read([fileOf('v1/a'), fileOf('v1/b')], never)).rejects.toMatchObject({
      code: 'cluster',
      message: `A file of core.people is missing: ${store.locate('v1/b')}`,
      hint,
    });
    await expect(store.read([fileOf('v1/a', 8)], never)).rejects.toMatchObject({
      code: 'cluster',
      message: `A file of core.people has 4 bytes instead of 8: ${store.locate('v1/a')}`,
      hint,
    });
  });

  it('passes on the error of the work that reads', async () => {
    await write('v1/a');
    const failing = store.read([fileOf('v1/a')], async () => {
      throw new RangeError('work');
    });
    await expect(failing).rejects.toThrow(RangeError);
  });

  it('is locked by one process at a time', async () => {
    const [module, name, ...args] = opened.opener;
    const code = `
      import { ${name} } from '${new URL(`../../dist/src/cluster/lake/${module}`, import.meta.url)}';
      const lock = await ${name}(...${JSON.stringify(args)}).lock('a_load', ${JSON.stringify(CONFLICT)});
      console.log('held');
      process.stdin.on('end', () => lock.close()).resume();`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    await expect(store.lock('a_load', CONFLICT)).rejects.toMatchObject({
      code: 'busy',
      message: expect.stringMatching(/^Another load is under way/),
    });
    await (await store.lock('b_load', CONFLICT)).close();
    holder.stdin.end();
    await once(holder, 'exit');
    const taken = await store.lock('a_load', CONFLICT);
    taken.assertHeld();
    await taken.close();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['write', () => write('v1/a')],
    ['read', () => store.read([fileOf('v1/a')], async () => undefined)],
    ['list', () => store.list()],
    ['remove', () => store.remove('v1')],
  ])('names the place that it fails to %s', async (verb, work) => {
    opened.breakDown();
    await expect(work()).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining(`Can't ${verb} ${store.locate(verb === 'list' ? '' : 'v1')}`),
      hint: expect.stringMatching(/./),
    });
  });
});
