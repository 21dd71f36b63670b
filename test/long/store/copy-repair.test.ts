import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fileWithoutRates } from '../../../src/store/generation/generation-files.ts';
import { openGenerations } from '../../../src/store/generation/generations.ts';
import { openPublished } from '../../../src/store/generation/open-generation.ts';
import { run } from '../../errors/gallery.ts';
import { priced } from '../../published/dataset.ts';
import { type LoadedCompany, loadCompany } from '../../sql/company.ts';

let company: LoadedCompany;
let other: LoadedCompany;
beforeEach(async () => {
  [company, other] = await Promise.all([
    loadCompany(priced),
    loadCompany(priced, { now: new Date('2026-06-15T12:00:00Z') }),
  ]);
});
afterEach(() => {
  for (const { remove } of [company, other]) remove();
});

/** Opens the generations as a server does when it starts, and closes them. @returns the faults that it told. */
async function startReading(): Promise<string[]> {
  const faults: string[] = [];
  const listener = { moved: () => undefined, failed: (message: string) => void faults.push(message) };
  const generations = await openGenerations(company.file, 256, { pollMs: 60_000, heldVersionMs: 0 }, listener);
  await generations.close();
  return faults;
}

const DAMAGES: readonly [string, () => void][] = [
  ['is missing', () => rmSync(fileWithoutRates(company.file))],
  ['is of another load', () => copyFileSync(fileWithoutRates(other.file), fileWithoutRates(company.file))],
];

it.each(DAMAGES)(
  'a server makes the copy without rates anew that %s; until then status fails',
  async (_why, damage) => {
    const copy = fileWithoutRates(company.file);
    const columns = async (file: string) => {
      const { withoutRates, close } = await openPublished(file, {});
      const found = await withoutRates.rows(
        "SELECT schema_name, table_name, column_name, comment FROM duckdb_columns() WHERE schema_name <> 'main' ORDER BY ALL",
      );
      const lines = await withoutRates.rows('SELECT * FROM marts.lines ORDER BY ALL');
      await close();
      return { found, lines };
    };
    const before = await columns(company.file);
    damage();
    const refused = await run(['status', '--database', company.file]);
    expect(refused).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('data version') });
    expect(refused.stderr).toContain(copy);
    expect(refused.stderr).toContain('plumbline serve makes it anew when it starts');
    expect(await startReading()).toEqual([]);
    expect(await columns(company.file)).toEqual(before);
    expect((await run(['status', '--database', company.file])).exitCode).toBe(0);
    expect(readdirSync(dirname(copy)).filter((name) => /next|part/.test(name))).toEqual([]);
  },
);

it('a server does not replace a file that is no copy, and tells of it', async () => {
  const copy = fileWithoutRates(company.file);
  writeFileSync(copy, 'my notes');
  expect(await startReading()).toEqual([
    `${copy} is not a database, so it is not replaced. Name another file with --database, or remove this one first.`,
  ]);
  expect(readFileSync(copy, 'utf8')).toBe('my notes');
});
