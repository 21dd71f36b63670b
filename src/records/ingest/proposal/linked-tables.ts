import { formatForeign } from '../../../base/index.ts';
import type { ColumnMeaning, FoundRoles } from '../sample/column-meanings.ts';
import { MAX_SAMPLE_ROWS } from '../sample/first-rows.ts';
import type { Sample } from '../sample/sample.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { headerWords } from '../sample/split-header.ts';
import { type MappingEntry, quote } from './mapping-entry.ts';

/*
 * Files that name each other's rows by ids, as the tables of a program do: time_entries.csv has a member_id, and members.csv has the id and
 * the name of each member. Without it, each id would be a name of its own.
 */

/** The least whole number that is rather an hourly rate in hundredths. */
const LEAST_CENTS = 1000;

/** The records that files name by ids. */
type LinkedKind = 'people' | 'clients' | 'projects' | 'project_tasks';

/** The words by which files and headers speak of such records, the field with their id, and the meaning of a column that names one. */
const KINDS: readonly (readonly [kind: LinkedKind, words: RegExp, id: string, meaning: ColumnMeaning])[] = [
  ['clients', /^(?:clients?|customers?)$/, 'client_id', 'client'],
  ['projects', /^(?:projects?|jobs?|matters?)$/, 'project_id', 'project'],
  ['project_tasks', /^(?:tasks?|activity|activities)$/, 'task_meta_id', 'task'],
  ['people', /^(?:people|persons?|members?|users?|staff|employees?)$/, 'people_id', 'person'],
];

/** A file whose rows others name. */
interface Keyed {
  readonly kind: LinkedKind;
  /** The columns of the id and of the name. */
  readonly id: string;
  readonly name: string;
}

/** The columns of a file by which it is linked with others. */
export interface Links {
  /** Undefined for a file whose rows no other names. */
  readonly own: Keyed | undefined;
  /** The columns that name rows of other files. */
  readonly named: ReadonlyMap<LinkedKind, string>;
}

/** Finds the files that name each other's rows by ids; none of those whose names are beside their ids. */
export function findLinks(samples: readonly Sample[]): ReadonlyMap<Sample, Links> {
  const keyed = samples.flatMap((sample) => keysOf(sample) ?? []);
  const named = new Map(samples.map((sample) => [sample, namedBy(sample, keyed)] as const));
  const isNamed = (each: Keyed) => [...named.values()].some((columns) => columns.has(each.kind));
  const links = samples.map((sample): [Sample, Links] => [
    sample,
    { own: keyed.find((each) => each.sample === sample && isNamed(each)), named: named.get(sample) ?? new Map() },
  ]);
  return new Map(links.filter(([, { own, named: columns }]) => own || columns.size > 0));
}

interface KeyedSample extends Keyed {
  readonly sample: Sample;
  readonly ids: ReadonlySet<string>;
}

/** Returns the keys of a file that is called after its records, and has an id and a name for each of them. */
function keysOf(sample: Sample): KeyedSample | undefined {
  const [stem = ''] = (sample.sheet ?? sample.file).split('.');
  const words = headerWords(stem);
  const [kind] = KINDS.find(([, called]) => words.length === 1 && called.test(words[0] ?? '')) ?? [];
  const [id, name] = ['id', 'name'].map((word) => sample.headers.find((header) => headerWords(header).join() === word));
  if (kind === undefined || id === undefined || name === undefined) return undefined;
  const texts = textsOf(sample, id);
  const ids = new Set(texts);
  return ids.size === 0 || ids.size < texts.length ? undefined : { sample, kind, id, name, ids };
}

/** Returns the columns of ids of other files, by what they name. */
function namedBy(sample: Sample, keyed: readonly KeyedSample[]): ReadonlyMap<LinkedKind, string> {
  const found = new Map<LinkedKind, string>();
  for (const [kind, words] of KINDS) {
    const [target] = keyed.filter((each) => each.kind === kind && each.sample !== sample);
    const hasName = sample.headers.some((header) =>
      words.test(
        headerWords(header)
          .filter((word) => word !== 'name')
          .join(),
      ),
    );
    const column = sample.headers.find((header) => {
      const parts = headerWords(header);
      return (
        parts.length === 2 && parts[1] === 'id' && words.test(parts[0] ?? '') && target && isOf(sample, header, target)
      );
    });
    if (column !== undefined && !hasName) found.set(kind, column);
  }
  return found;
}

/** Tells whether a column has ids of a file alone; of a file that is read in part, one of them at least. */
function isOf(sample: Sample, header: string, { ids, sample: { rows } }: KeyedSample): boolean {
  const texts = textsOf(sample, header);
  const known = texts.filter((text) => ids.has(text)).length;
  return known > 0 && (known === texts.length || rows.length >= MAX_SAMPLE_ROWS);
}

function textsOf({ headers, rows }: Sample, header: string): string[] {
  const at = headers.indexOf(header);
  return rows.map((row) => row[at]?.text.trim() ?? '').filter((text) => text !== '');
}

/** Returns the meanings of the columns by which a file is linked. */
export function rolesOfLinks({ own, named }: Links): FoundRoles {
  const roles = KINDS.flatMap(([kind, , , meaning]): [ColumnMeaning, string][] => {
    const column = own?.kind === kind ? own.name : named.get(kind);
    return column === undefined ? [] : [[meaning, column]];
  });
  return { headers: new Map(roles), question: undefined };
}

/** Returns the entries of a linked file, in which ids are those of the program: the file of each record names it. */
export function linkEntries(entries: readonly MappingEntry[], { own, named }: Links): MappingEntry[] {
  const ids = KINDS.flatMap(([kind, , id]): [string, string][] => {
    const column = own?.kind === kind ? own.id : named.get(kind);
    return column === undefined ? [] : [[id, `{name: ${quote(column)}}`]];
  });
  const isNamedElsewhere = ({ resource, fields }: MappingEntry) =>
    named.has(resource as LinkedKind) && (fields?.['name'] !== undefined || fields?.['task_name'] !== undefined);
  return entries
    .filter((entry) => entry.resource === own?.kind || !isNamedElsewhere(entry))
    .map((entry) => {
      const own = ids.filter(([field]) => entry.fields && field in entry.fields);
      return { ...entry, fields: entry.fields && { ...entry.fields, ...Object.fromEntries(own) } };
    });
}

/** Asks whether rates are in hundredths, as the tables of programs have them. */
export function askCents(table: SampleTable): string | undefined {
  const header = table.find('bill_rate', 'cost_rate');
  const texts = table.cells(header).map(({ text }) => text.trim());
  const areCents =
    texts.length > 0 && texts.every((text) => /^[0-9]+$/.test(text) && (text === '0' || Number(text) >= LEAST_CENTS));
  if (header === undefined || !areCents) return undefined;
  return `${formatForeign(header)} has ${texts[0]}: write amounts: cents in each entry of this file if its rates are in hundredths, or remove this line if they are whole`;
}
