import { resolve } from 'node:path';
import type { Database } from '../../database/database.ts';
import { type ComparedStates, findCompared, readReferences } from '../../history/compared-states.ts';
import { type ReadableState, readAsOf } from '../../history/read-as-of.ts';
import type { Baseline } from '../../report/catalogue/definitions.ts';
import { attachBaseline } from '../../report/run/run.ts';
import { readCompany } from '../../report/source/read-company.ts';
import type { Flag, Flags } from '../command.ts';

export const AS_OF_FLAG: Flag = {
  name: 'as-of',
  argument: 'S',
  help: 'Read a kept state instead: its name, name@number, its data version, or a day for the newest state on or before it.',
};

/** The data that a command reads: a kept state, or the present data. */
interface AskedState extends Pick<ReadableState, 'file' | 'fill'> {
  readonly asOf: ReadableState['asOf'] | undefined;
  /** The kept states that it is compared with. */
  readonly from?: ComparedStates | undefined;
  /** The kept state whose plan is compared. */
  readonly baseline?: ReadableState | undefined;
}

/**
 * Finds the data that a command is to read.
 * @throws AppError as readAsOf
 */
export async function readAskedState(database: string, flags: Flags): Promise<AskedState> {
  const { 'as-of': reference, baseline: planned } = flags;
  const baseline = typeof planned === 'string' ? await readAsOf(resolve(database), planned, 'baseline') : undefined;
  return { ...(await readState(database, typeof reference === 'string' ? reference : undefined, 'as_of')), baseline };
}

/**
 * Attaches the kept state whose plan is compared, if there is one, until the database is closed.
 * @throws AppError as attachBaseline
 */
export async function attachAsked(
  database: Database,
  { asOf, baseline: asked }: AskedState,
): Promise<Baseline | undefined> {
  if (!asked) return undefined;
  const { baseline } = await attachBaseline(database, asked, { ...(await readCompany(database)), asOf });
  return baseline;
}

/**
 * Finds the two states that a report is to compare.
 * @throws AppError as readAsOf, and usage for --as-of
 */
export async function readComparedStates(database: string, flags: Flags): Promise<AskedState> {
  const given = ['from', 'to', 'as-of', 'baseline'].flatMap((name) => {
    const text = flags[name];
    return typeof text === 'string' ? [[name.replaceAll('-', '_'), text]] : [];
  });
  const references = readReferences(Object.fromEntries(given));
  const from =
    references.from === undefined ? undefined : await findCompared(resolve(database), references.from, cutoffOf(flags));
  const later = await readState(database, references.to, 'to');
  return from ? { ...later, fill: (given, takes) => later.fill(from.fill(given, takes), takes), from } : later;
}

function cutoffOf({ 'cutoff-date': cutoff }: Flags): Readonly<Record<string, string>> {
  return typeof cutoff === 'string' ? { cutoff_date: cutoff } : {};
}

async function readState(database: string, reference: string | undefined, field: string): Promise<AskedState> {
  if (reference === undefined) return { file: database, asOf: undefined, fill: (sent) => sent };
  return readAsOf(resolve(database), reference, field);
}
