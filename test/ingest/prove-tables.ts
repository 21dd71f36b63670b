import { expect } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { suggestMapping } from '../../src/records/ingest/proposal/suggest-mapping.ts';
import { SEED } from '../seed.ts';
import { withDataset, withDirectory } from './dataset.ts';
import { type RandomTable, randomTable } from './random-tables.ts';

/** The number of tables that were read by the proposal alone, after a person was named, and after questions. */
export interface Readings {
  right: number;
  answered: number;
  asked: number;
}

interface Proposed {
  readonly table: RandomTable;
  readonly mapping: string;
}

const WORK = `SELECT p.name AS person, COALESCE(j.name, '') AS project, CAST(date AS VARCHAR) AS day, CAST(hours * 60 AS DOUBLE) AS minutes, billable
  FROM source.logged_time LEFT JOIN source.people AS p USING (people_id) LEFT JOIN source.projects AS j USING (project_id)`;

const BILLED = 'SELECT name AS person FROM source.people WHERE default_hourly_rate IS NOT NULL';

/** The most tables of one load. */
const LOADED_AT_ONCE = 25;

const PERSON = 'no column that is understood names a person';

/** Proves that random tables are read as they were written, or asked: never otherwise. @returns how many were which. */
export async function proveTables(count: number): Promise<Readings> {
  const readings: Readings = { right: 0, answered: 0, asked: 0 };
  const ready: Proposed[] = [];
  for (let at = 0; at < count; at += 1) {
    const table = randomTable(SEED, at);
    const mapping = await propose(table, readings);
    if (mapping !== undefined) ready.push({ table, mapping });
  }
  for (let at = 0; at < ready.length; at += LOADED_AT_ONCE) await proveLoaded(ready.slice(at, at + LOADED_AT_ONCE));
  return readings;
}

/** Returns the proposed mapping of a table, with the person that its question is about; undefined if it asks for more, or takes nothing. */
async function propose(table: RandomTable, readings: Readings): Promise<string | undefined> {
  const text = await withDirectory({ [table.name]: table.text }, (directory) =>
    suggestMapping(directory, inputResources),
  );
  const [open, ...others] = [...text.matchAll(/^ *open: (".*")$/gm)].flatMap(([, each = '""']) =>
    JSON.parse(each).split('; '),
  );
  const isPerson = open?.startsWith(PERSON) === true && others.length === 0;
  if ((open !== undefined && !isPerson) || !text.includes('logged_time')) {
    readings.asked += 1;
    return undefined;
  }
  readings[isPerson ? 'answered' : 'right'] += 1;
  const { columns } = table.person;
  const [id, name] =
    columns.length === 0
      ? [`{named: "${table.person.family}"}`, `{value: "${table.person.family}"}`]
      : [`{name: ${JSON.stringify(columns)}}`, JSON.stringify(columns)];
  return text
    .replace(/^ *open: .*\n/gm, '')
    .replaceAll('{named: ""}', id)
    .replaceAll('{value: ""}', name);
}

/** Loads tables at once, each of whose people have a family name of their own, and proves their work. */
async function proveLoaded(proposed: readonly Proposed[]): Promise<void> {
  const files = Object.fromEntries(proposed.map(({ table }) => [table.name, table.text]));
  const entries = proposed.map(({ mapping }) => mapping.slice(mapping.indexOf('\nfiles:\n') + '\nfiles:\n'.length));
  const mapping = parseMapping(`files:\n${entries.join('')}`, 'mapping.yaml', inputResources);
  const { work, billed } = await withDataset(
    files,
    async ({ rows }) => ({ work: await rows(WORK), billed: await rows(BILLED) }),
    { mapping },
  );
  for (const { table, mapping: text } of proposed) {
    const told = `${table.text}\n${text}`;
    const isOwn = ({ person }: { person?: unknown }) => String(person).endsWith(table.person.family);
    const found = work.filter(({ minutes }) => Number(minutes) !== 0).filter(isOwn);
    expect(table.isUnclear, `is a guess: ${told}`).toBe(false);
    expect(keysOf(table, found), told).toEqual(keysOf(table, table.work));
    for (const [at, { minutes }] of sorted(table, found).entries()) {
      const written = sorted(table, table.work)[at]?.minutes ?? 0;
      expect(Math.abs(Number(minutes) - written), `${minutes} is ${written}: ${told}`).toBeLessThanOrEqual(
        table.rounding,
      );
    }
    if (table.has.payRate && !table.has.billRate) expect(billed.filter(isOwn), told).toEqual([]);
  }
}

type Row = Readonly<Record<string, unknown>>;

/** Returns what a row says besides its hours: only what a column of the table tells. */
function keyOf({ has, person: { columns } }: RandomTable, row: Row): string {
  return [
    columns.length > 0 ? row['person'] : '',
    has.project ? row['project'] : '',
    row['day'],
    has.billable ? row['billable'] : '',
  ].join('|');
}

function sorted<Each extends Row>(table: RandomTable, rows: readonly Each[]): Each[] {
  return [...rows].sort(
    (a, b) => keyOf(table, a).localeCompare(keyOf(table, b)) || Number(a['minutes']) - Number(b['minutes']),
  );
}

function keysOf(table: RandomTable, rows: readonly Row[]): string[] {
  return sorted(table, rows).map((row) => keyOf(table, row));
}
