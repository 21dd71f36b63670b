import type { Database } from '../../base/database/index.ts';
import { additiveMeasures, digestMeasures } from '../../numbers/report/catalogue/index.ts';
import { writeTable } from '../../numbers/write/index.ts';
import { askData } from '../ask/open-data.ts';
import { readCatalogues } from '../generation/own-reports.ts';
import type { StateRecord } from './state-record.ts';

const REPORT = 'pivot';

/** The columns that name a row of the totals. They hold no text of a client, so no cell needs quotes. */
const KEYS = ['project_id', 'month'];

type TotalsOf = Pick<StateRecord, 'day' | 'end_date' | 'kept_at'>;

/**
 * Computes the control totals of a state as CSV: all measures that add up, by project and month over all days, with the
 * end of its period as the cutoff, or its day.
 * @param names The measures; those that the program doesn't know are left out. Default: all.
 */
export async function computeTotals(
  database: Database,
  { day, end_date, kept_at }: TotalsOf,
  names?: readonly string[],
): Promise<string> {
  const catalogues = readCatalogues();
  const known = additiveMeasures(catalogues.full, REPORT).map(({ name }) => name);
  const wanted = names?.map(presentName);
  const measures = known.filter((name) => wanted?.includes(name) ?? true);
  const [span] = await database.rows<{ first: string | null; last: string | null }>(
    'SELECT min(date) AS first, max(date) AS last FROM marts.ledger',
  );
  const sent = {
    group_by: 'project,month',
    measures: measures.join(','),
    fields: [...KEYS, ...measures].join(','),
    start_date: span?.first ?? day,
    end_date: span?.last ?? day,
    cutoff_date: end_date ?? day,
  };
  return askData({ database, now: new Date(kept_at), today: day }, async ({ table }) => {
    const pieces: string[] = [];
    for await (const piece of writeTable('csv', await table(REPORT, sent)))
      pieces.push(typeof piece === 'string' ? piece : Buffer.from(piece).toString('utf8'));
    return pieces.join('');
  });
}

/** A cell of the control totals that the present program computes otherwise; null for a row that is missing. */
export interface DifferingCell {
  readonly measure: string;
  /** The project and the month, as project_id=501, month=2026-03-01. */
  readonly row: string;
  readonly kept: string | null;
  readonly computed: string | null;
}

/** Returns the name that a measure has now, which may have had another one when a state was kept. */
function presentName(name: string): string {
  const { measures } = readCatalogues().full;
  if (measures.has(name)) return name;
  return [...measures.values()].find(({ formerly }) => formerly?.includes(name))?.name ?? name;
}

/** The measures of control totals, by whether this program computes them as the state was kept. */
interface MeasuresOfTotals {
  /** Those that are compared. */
  readonly same: readonly string[];
  /** Those whose definition has changed since, so that another number is no fault. */
  readonly changed: readonly string[];
}

/** Returns the measures of the control totals of a state. @param record Its description, with the SHA-256 of each definition. */
export function measuresOfTotals(totals: string, { measures }: Pick<StateRecord, 'measures'>): MeasuresOfTotals {
  const present = digestMeasures(readCatalogues().full);
  const names = readHeader(totals).slice(KEYS.length);
  const isSame = (name: string) => measures[name] === undefined || measures[name] === present[presentName(name)];
  return { same: names.filter(isSame), changed: names.filter((name) => !isSame(name)) };
}

/** Compares the totals of a state with those computed again, cell by cell, of the measures that both have. */
export function compareTotals(kept: string, computed: string): DifferingCell[] {
  if (kept === computed) return [];
  const [before, after] = [readTotals(kept), readTotals(computed)];
  const computedNames = readHeader(computed);
  const rows = new Set([...before.keys(), ...after.keys()]);
  return [...rows].flatMap((row) =>
    readHeader(kept)
      .slice(KEYS.length)
      .flatMap((measure, index) => {
        const place = computedNames.indexOf(presentName(measure)) - KEYS.length;
        if (place < 0) return [];
        const [one, other] = [before.get(row)?.[index] ?? null, after.get(row)?.[place] ?? null];
        return one === other ? [] : [{ measure, row, kept: one, computed: other }];
      }),
  );
}

function readHeader(totals: string): string[] {
  return totals.slice(0, Math.max(0, totals.indexOf('\r\n'))).split(',');
}

/** Reads the values of each row by its keys. */
function readTotals(totals: string): Map<string, string[]> {
  const [, ...lines] = totals.split('\r\n').filter((line) => line !== '');
  return new Map(
    lines.map((line) => {
      const cells = line.split(',');
      return [KEYS.map((name, index) => `${name}=${cells[index]}`).join(', '), cells.slice(KEYS.length)];
    }),
  );
}
