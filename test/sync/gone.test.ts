import { describe, expect, it } from 'vitest';
import { confirmGone, MAX_SINGLE_CHECKS } from '../../src/pull/gone.ts';
import { type MemoryOptions, makeRecords, openMemorySource } from './memory-source.ts';
import { NEVER } from './pulling.ts';

/** Asks about ids of roles, whose list holds 1 to 300. */
async function ask(ids: readonly number[], options: MemoryOptions = {}) {
  const { source, asked } = openMemorySource(makeRecords(300), options);
  return { gone: await confirmGone(source, 'roles', ids.map(String), NEVER), asked };
}

describe('confirmGone', () => {
  it('asks for a few records one by one', async () => {
    const { gone, asked } = await ask([7, 301, 300], { hasItems: true });
    expect(gone).toEqual(['301']);
    expect(asked).toHaveLength(5);
  });

  it('reads the list again for many', async () => {
    const ids = Array.from({ length: MAX_SINGLE_CHECKS + 1 }, (_, index) => 250 + index);
    const { gone, asked } = await ask(ids, { hasItems: true });
    expect(gone).toEqual(ids.filter((id) => id > 300).map(String));
    expect(asked).toHaveLength(4);
  });

  it('reads the list again if single records have no path', async () => {
    expect((await ask([7, 301])).gone).toEqual(['301']);
  });

  it('asks nothing about nothing', async () => {
    expect((await ask([])).asked).toEqual([]);
  });
});
