import { expect, it } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { findStates, type States } from '../../src/store/ask/find-states.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';

/** Returns the parameter and the reference that are looked up in a history without states. */
function askFor(sent: Readonly<Record<string, string>>, report?: string): Promise<unknown> {
  const unknown = (reference: string, field: string) => {
    throw new AppError('unknown', `${field}=${reference}`);
  };
  const none: States = {
    present: async () => unknown('', 'present'),
    find: async (reference, field) => unknown(reference, field),
    read: async (reference, field) => unknown(reference, field),
    compare: async (reference) => unknown(reference, 'from'),
  };
  return findStates(none, readCatalogues(), { report, sent }, {});
}

it.each<[Readonly<Record<string, string>>, string | undefined, string]>([
  [{ as_of: 'gone' }, 'projects', 'as_of=gone'],
  [{ baseline: 'gone' }, 'projects', 'baseline=gone'],
  [{ from: 'gone', to: 'other' }, 'changes', 'from=gone'],
  [{ to: 'gone' }, 'changes', 'to=gone'],
  [{ line_id: 's:1:1:2026-03-02', as_of: 'gone' }, undefined, 'as_of=gone'],
  [{ line_id: 'b:1:1:2026-03-02', baseline: 'gone' }, undefined, 'baseline=gone'],
])('looks up %j of %s under the parameter that names it', async (sent, report, looked) => {
  await expect(askFor(sent, report)).rejects.toThrow(new AppError('unknown', looked));
});

it.each([
  new AppError('unknown', 'as_of: No state was kept on or before 2026-01-01', { hint: 'The first is of 2026-04-03.' }),
  new AppError('unknown', 'as_of: There is no kept state "x"', { hint: 'The latest are merger@1.' }),
  new AppError('storage', 'The kept state merger@1 is not as it was kept', { hint: 'merger@1' }),
])('tells a reader of a part of no other state: %s', async (error) => {
  const fail = () => Promise.reject(error);
  const none: States = { present: fail, find: fail, read: fail, compare: fail };
  for (const [report, sent] of [
    ['projects', { as_of: 'x' }],
    ['projects', { baseline: 'x' }],
    ['changes', { from: 'x' }],
  ] as const) {
    const asked = findStates(none, readCatalogues(), { report, sent }, { part: { client_id: [7] } });
    const told = await asked.catch((thrown: AppError) => [thrown.code, thrown.message, thrown.hint].join(' '));
    expect(told).toMatch(new RegExp(`^${error.code} .*Ask those who keep states`));
    expect(told).not.toMatch(/merger|2026-04-03/);
  }
  const ofAll = findStates(none, readCatalogues(), { report: 'projects', sent: { as_of: 'x' } }, {});
  await expect(ofAll).rejects.toBe(error);
});
