import type { Resource } from '../../resource/resource.ts';
import type { FileMapping } from '../mapping/mapping.ts';

/** The fields that name a record. */
const NAME_FIELDS = ['name', 'task_name'] as const;

/** The types of fields that say no more of a record than its price, and since when. */
const RATE_TYPES: ReadonlySet<string> = new Set(['rate', 'amount', 'date']);

/**
 * Tells whether the rows of a file only describe records, and never make them (O9a): rows of a list, such as contracts and
 * members of teams, and rows without names if other files have them, or if they have nothing but rates.
 * @param files All files of the resource that are read by rows.
 */
export function isDescribing(mapping: FileMapping, files: readonly FileMapping[]): boolean {
  if (mapping.list !== undefined) return true;
  if (givesNames(mapping)) return false;
  return files.some((other) => other.list === undefined && givesNames(other)) || givesOnlyRates(mapping);
}

/** Tells whether a file may have names. Without fields in the mapping, its headers are fields. */
function givesNames({ fields, resource }: FileMapping): boolean {
  return fields === undefined || fields.some(({ field }) => field === nameFieldOf(resource));
}

function nameFieldOf({ fields }: Resource): string | undefined {
  return NAME_FIELDS.find((name) => fields[name] !== undefined);
}

function givesOnlyRates({ fields = [], resource }: FileMapping): boolean {
  const others = fields.filter(({ field }) => field !== resource.id);
  return others.length > 0 && others.every(({ field }) => RATE_TYPES.has(resource.fields[field]?.type ?? ''));
}

/** Returns the fields of a describing file whose sums a person compares: rates and amounts. */
export function summedFields({ fields = [], resource }: FileMapping): string[] {
  return fields
    .map(({ field }) => field)
    .filter((field) => ['rate', 'amount'].includes(resource.fields[field]?.type ?? ''));
}
