import { AppError } from '../../base/index.ts';
import { sha256Of } from './log/digest.ts';

/** The longest label, reason or other text of people about a kept state. Unit: characters. */
export const MAX_STATE_TEXT_CHARACTERS = 1000;

export function isStateText(value: unknown): value is string {
  return typeof value === 'string' && [...value].length <= MAX_STATE_TEXT_CHARACTERS;
}

export interface KeptFile {
  readonly name: string;
  readonly bytes: number;
  /** In hexadecimal. */
  readonly sha256: string;
}

/** Something that a reader of a closing should know, with what it affects. */
export interface StateWarning {
  readonly name: string;
  readonly message: string;
  /** With 4 decimals; null where it is not about hours. */
  readonly hours: string | null;
  readonly people: number | null;
  /** In the currency, a sum of costs; null if unknown. */
  readonly amount: string | null;
  /** In the currency; only of unlogged hours, null if unknown. */
  readonly fees?: string | null;
  /** In the currency, what unlogged hours would earn by contract; null if unknown, absent from states of earlier versions. */
  readonly revenue?: string | null;
}

export type StateKind = 'kept' | 'automatic' | 'soft' | 'hard';

/** Description of a kept state, in the file closing.json beside its files. Times as YYYY-MM-DDTHH:MM:SSZ. */
export interface StateRecord {
  /** Null for a state that a retention keeps, without a name. */
  readonly name: string | null;
  readonly number: number | null;
  /** The period of a closing; null for other states. */
  readonly start_date: string | null;
  readonly end_date: string | null;
  readonly kind: StateKind;
  readonly label: string | null;
  readonly reason: string | null;
  readonly kept_at: string;
  readonly kept_by: string;
  /** Random, made at the first keeping: states of other companies are refused. */
  readonly company_id: string;
  readonly data_version: string;
  readonly loaded_at: string;
  readonly synced_at: string | null;
  /** The day, in the company's time zone, up to which the state is complete. */
  readonly day: string;
  readonly currency: string;
  readonly minor_units: number;
  readonly time_zone: string;
  readonly program_version: string;
  readonly data_format: number;
  /** A digest of the definitions of tables and models. */
  readonly models: string;
  /** The SHA-256 of what each measure is computed from, by name. */
  readonly measures: Readonly<Record<string, string>>;
  readonly warnings: readonly StateWarning[];
  /** The sum of the lines of a closing, as sumLines; versions before 0.4.0 have kept none. */
  readonly line_sum?: string;
  /** The sum of what decides beside them, as sumTerms; versions before 0.5.0 have kept none. */
  readonly terms_sum?: string;
  /** All files but closing.json. */
  readonly files: readonly KeptFile[];
}

export function formatRecord(record: StateRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/**
 * Parses closing.json.
 * @param sha256 The SHA-256 that the log of events has of it.
 * @throws AppError storage if it is another text than the one that was written.
 */
export function parseRecord(path: string, text: string, sha256: string): StateRecord {
  const found = sha256Of(text);
  if (found === sha256) return JSON.parse(text) as StateRecord;
  throw new AppError('storage', `${path} is not the file that was kept: its SHA-256 is ${found} instead of ${sha256}`, {
    hint: 'Put the file of a backup in its place, or read another state. plumbline verify checks all.',
  });
}
