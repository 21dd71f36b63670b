import { type Database, quoteText } from '../../../base/database/index.ts';
import { AppError, formatForeign } from '../../../base/index.ts';
import { formatNameQuestion, type NameQuestion, type NearName } from '../mapping/near-names.ts';
import { nearestField } from '../mapping/nearest-field.ts';
import type { ForeignRecord } from '../reading/merge-spool.ts';
import type { LoadCounts } from '../records/loading.ts';
import { type OffendingValue, type RejectedRow, readOffendingValues } from '../records/offending-values.ts';
import type { ControlTotals } from './file-totals.ts';
import type { NoteKind } from './load-notes.ts';
import { describeDifferences } from './own-controls.ts';

export interface ResourceSummary extends LoadCounts {
  readonly resource: string;
  readonly files: number;
}

/** The count of one reason for setting aside; a record with two reasons counts under both. */
export interface ReasonSummary {
  readonly resource: string;
  /** The list of the items set aside; null for whole records. */
  readonly list: string | null;
  readonly reason: string;
  readonly count: number;
  readonly example: {
    readonly file: string;
    /** The position of the record in its file, from 1. */
    readonly position: number;
    readonly id: string | null;
    /** The list and position of an item, from 1: contracts[2]. */
    readonly item: string | null;
  };
  /** The values in the example that the reason refers to. */
  readonly values: readonly OffendingValue[];
  /** The unknown field of the resource that may be the missing one. */
  readonly nearest?: string | undefined;
}

export interface IngestSummary {
  readonly resources: readonly ResourceSummary[];
  readonly reasons: readonly ReasonSummary[];
  /** Unknown fields; fields of items as list.field. */
  readonly unknownFields: readonly { readonly resource: string; readonly fields: readonly string[] }[];
  readonly ignoredFiles: readonly string[];
  /** Files that aren't UTF-8, with their encodings. */
  readonly encodings: readonly string[];
  /** Sentences on fields to which several files give different values. */
  readonly conflicts: readonly string[];
  /** Names that hardly differ, and have different ids. */
  readonly nearNames: readonly NearName[];
  /** Names that are those of one record whose id isn't made of them: its id is taken. */
  readonly foundNames: readonly NearName[];
  /** Names that may be those of several records, and people with one e-mail and several names. */
  readonly nameQuestions: readonly NameQuestion[];
  /** The totals of each file; empty without a mapping. */
  readonly controls: readonly ControlTotals[];
  /** The records outside the files that rows of files describe; absent if there are none. */
  readonly foreign?: readonly ForeignRecord[];
  /** The mapping file that the load went by; absent without one. */
  readonly mappingFile?: string | undefined;
  /** The settings that the dataset lacks, in a sentence; absent if it has them all. */
  readonly assumedSettings?: string | undefined;
}

/** The longest id of a record that a reason shows. Unit: characters. */
export const MAX_ID_CHARACTERS = 100;

/** The most reasons listed in the error of a strict load. */
const MAX_LISTED_REASONS = 20;

/** The most questions on names listed in an error. Unit: questions. */
export const MAX_LISTED_QUESTIONS = 100;

/** The longest offending value that a reason shows. Unit: characters. */
export const MAX_VALUE_CHARACTERS = 100;

export async function readSummary(database: Database): Promise<IngestSummary> {
  const reasons = await database.rows<Omit<ReasonSummary, 'values'> & RejectedRow>(`
    SELECT resource, list, reason, count(*) AS count, min(number) AS row,
      first({'file': file, 'position': position, 'id': record_id, 'item': item} ORDER BY number) AS example
    FROM (
      SELECT resource, regexp_extract(item, '^[a-z_]+') AS list, unnest(reasons) AS reason, file, position, record_id, item,
        rowid AS number
      FROM source.rejected
    )
    GROUP BY resource, list, reason
    ORDER BY min(number), reason`);
  const values = await readOffendingValues(database, reasons);
  const unknownFields = await database.rows<{ resource: string; fields: string[] }>(`
    SELECT resource, list(name ORDER BY rowid) AS fields
    FROM source.load_notes
    WHERE kind = 'unknown field'
    GROUP BY resource
    ORDER BY min(rowid)`);
  const unknownOf = new Map(unknownFields.map(({ resource, fields }) => [resource, fields]));
  return {
    resources: await database.rows<ResourceSummary>(`
      SELECT resource, files, read, loaded, set_aside AS "setAside", duplicates, items_set_aside AS "itemsSetAside",
        rounded_values AS "roundedValues"
      FROM source.load_counts`),
    reasons: reasons.map(({ row: _, ...reason }, index) => {
      const [field = '', problem] = reason.reason.split(': ');
      const isMissing = problem === 'missing' && reason.list === null;
      const nearest = isMissing ? nearestField(field, unknownOf.get(reason.resource) ?? []) : undefined;
      return { ...reason, values: values[index] ?? [], nearest };
    }),
    unknownFields,
    ignoredFiles: await readNotes(database, 'ignored file'),
    encodings: await readNotes(database, 'encoding'),
    conflicts: await readNotes(database, 'conflict'),
    nearNames: [],
    foundNames: [],
    nameQuestions: [],
    controls: [],
  };
}

async function readNotes(database: Database, kind: NoteKind): Promise<string[]> {
  const rows = await database.rows<{ name: string }>(
    `SELECT name FROM source.load_notes WHERE kind = ${quoteText(kind)} ORDER BY rowid`,
  );
  return rows.map(({ name }) => name);
}

/** @throws AppError input with all names that only a person can give to a record. */
export function assertNamesKnown({ nameQuestions }: IngestSummary): void {
  if (nameQuestions.length === 0) return;
  const more = nameQuestions.length - MAX_LISTED_QUESTIONS;
  throw new AppError('input', 'Names could be those of one record or of several:', {
    items: [
      ...nameQuestions.slice(0, MAX_LISTED_QUESTIONS).map(formatNameQuestion),
      ...(more > 0 ? [`and ${more} more names`] : []),
    ],
    hint: 'Write a line for each into mapping.yaml, which load --suggest-mapping begins. Where people share an e-mail, leave its column out. Nothing was loaded.',
  });
}

/**
 * Rejects a load in which anything is set aside, or which has other totals than a file itself.
 * @throws AppError input with the counts by resource and reason, each with its first example.
 */
export function requireNothingSetAside({ resources, reasons, conflicts, controls }: IngestSummary): void {
  if (conflicts.length > 0)
    throw new AppError('input', 'Files give different values for one field:', {
      items: conflicts.slice(0, MAX_LISTED_REASONS),
      hint: 'Write prefer: first or last at the field in the mapping, or load without --strict. Nothing was loaded.',
    });
  const differences = describeDifferences(controls);
  const records = resources.reduce((sum, { setAside }) => sum + setAside, 0);
  const items = resources.reduce((sum, { itemsSetAside }) => sum + itemsSetAside, 0);
  if (records + items === 0 && differences.length > 0)
    throw new AppError('input', 'Files have other totals than their records:', {
      items: differences.slice(0, MAX_LISTED_REASONS),
      hint: 'Look for rows that skip or where leaves out, or load without --strict. Nothing was loaded.',
    });
  if (records + items === 0) return;
  const listed = reasons.slice(0, MAX_LISTED_REASONS).map(formatReason);
  const more = reasons.length > listed.length ? [`and ${reasons.length - listed.length} more reasons`] : [];
  throw new AppError('input', `${formatCounts(records, items)} would be set aside:`, {
    items: [...listed, ...more],
    hint: 'Repair them, or load without --strict to have everything else. Nothing was loaded.',
  });
}

function formatCounts(records: number, items: number): string {
  const parts = [formatCount(records, 'record'), formatCount(items, 'item')];
  return parts.filter((part) => !part.startsWith('0 ')).join(' and ');
}

function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a reason with its count, and its first example with what is wrong there. */
export function formatReason({ resource, list, reason, count, example, values, nearest }: ReasonSummary): string {
  const id = example.id === null ? '' : ` (id ${formatForeign(example.id, MAX_ID_CHARACTERS)})`;
  const item = example.item === null ? '' : `, ${formatForeign(example.item, MAX_ID_CHARACTERS)}`;
  const where = `${formatForeign(example.file)}, record ${example.position}${id}${item}`;
  const what = `${list === null ? resource : `${resource}, ${list}`}: ${formatForeign(reason)}: ${count}`;
  const like = nearest === undefined ? '' : `; is it the field ${formatForeign(nearest, MAX_VALUE_CHARACTERS)}?`;
  return `${what}, first ${values.length === 0 ? '' : `${formatValues(values)} `}in ${where}${like}`;
}

function formatValues(values: readonly OffendingValue[]): string {
  const texts = values.map(({ field, text }) => {
    const shown = formatForeign(text, MAX_VALUE_CHARACTERS);
    // The reason itself begins with a single field.
    return values.length > 1 ? `${field} ${shown}` : shown;
  });
  return texts.join(' and ');
}
