import { formatForeign } from '../../../base/index.ts';
import type { Field } from '../../resource/field.ts';
import type { Resource } from '../../resource/resource.ts';
import { resources } from '../../resource/resources.ts';
import { foldHeader } from '../mapping/nearest-field.ts';
import { fieldCalled, fieldNames } from '../mapping/record-members.ts';
import { findDayForm } from '../sample/day-forms.ts';
import type { SampleCell } from '../sample/first-rows.ts';
import { findNumberForm } from '../sample/number-forms.ts';
import type { Sample } from '../sample/sample.ts';
import type { SampleTable } from '../sample/sample-table.ts';
import { formatHoursForm, formOfTexts } from './hour-forms.ts';
import { formatEntry, type MappingEntry, quote } from './mapping-entry.ts';
import { openWithoutSums } from './sums-above.ts';
import { codeSource, flagSource } from './words.ts';

interface FieldColumn {
  readonly header: string;
  readonly name: string;
  readonly field: Field | undefined;
  readonly cells: readonly SampleCell[];
}

/**
 * Describes a file whose headers name the fields of a resource, as lines of a mapping; undefined if its values need none: ids are ids,
 * and days, numbers and codes are written as fields have them.
 * @param samples All files, of which one may have the ids of names.
 */
export function describeFields(
  sample: Sample,
  file: string,
  resource: Resource,
  samples: readonly Sample[],
): string[] | undefined {
  const table = openWithoutSums(sample, undefined);
  const known = new Set(fieldNames(resource));
  const columns = sample.headers.flatMap((header): FieldColumn[] => {
    const name = foldHeader(header);
    return known.has(name) ? [{ header, name, field: fieldCalled(resource, name), cells: table.cells(header) }] : [];
  });
  const named = columns.flatMap((column) => namedField(column, resource) ?? []);
  const sources = columns.map((column) => sourceOf(column, table));
  const { lines, open: form } = formOf(columns);
  const isPlain = sources.every((source, at) => source === quote(columns[at]?.header ?? ''));
  if (named.length === 0 && isPlain && lines.length === 0 && form === undefined) return undefined;
  const fields = {
    ...Object.fromEntries(columns.map(({ name }, at) => [name, sources[at]])),
    ...Object.fromEntries(
      named.flatMap(({ column, field, id }) => [
        [column, undefined],
        [field, id],
      ]),
    ),
  };
  const open = [form, ...named.map((each) => knownIds(each, samples))].filter((each) => each !== undefined);
  const common = { file, sheet: sample.sheet, where: [], skip: [], total: [], notation: lines };
  return [...named.flatMap(({ entry }) => entry ?? []), { resource: resource.name, fields }].flatMap((entry, at) =>
    formatEntry(common, entry, at === 0 && open.length > 0 ? open.join('; ') : undefined),
  );
}

/** A field of ids whose column has names. */
interface NamedField {
  readonly column: string;
  readonly field: string;
  readonly id: string;
  readonly example: string;
  /** The records that are named, if they have names. */
  readonly entry: MappingEntry | undefined;
  readonly refers: Resource | undefined;
}

/** Returns the field of ids that a column of names is read into; undefined for other columns. */
function namedField({ header, name, cells }: FieldColumn, { fields }: Resource): NamedField | undefined {
  const example = cells.find(({ text }) => /\p{L}/u.test(text) && !text.trim().startsWith('{'))?.text.trim();
  const path = fields[name]?.type === 'id' ? name : Object.keys(fields).find((each) => isIdOf(fields[each], name));
  if (example === undefined || path === undefined) return undefined;
  const refers = resources.find((each) => each.name === fields[path]?.refers);
  const label = refers && labelOf(refers);
  const id = `{name: ${quote(header)}}`;
  const own = refers && label !== undefined ? { [refers.id]: id, [label]: quote(header) } : undefined;
  const entry = refers && own && { resource: refers.name, fields: own };
  return { column: name, field: path, id, example, entry, refers };
}

/** Tells whether a field is the id of an object, or of a value, that a column has. */
function isIdOf(field: Field | undefined, column: string): boolean {
  return field?.type === 'id' && field.from?.some((path) => path.split('.')[0] === column) === true;
}

function labelOf({ fields }: Resource): string | undefined {
  return ['name', 'task_name'].find((each) => fields[each]);
}

/** Returns the decision about names of records that another file has with ids. */
function knownIds({ column, example, refers }: NamedField, samples: readonly Sample[]): string | undefined {
  const other = samples.find(({ headers }) => {
    const found = headers.map(foldHeader);
    return refers !== undefined && found.includes(refers.id) && found.includes(labelOf(refers) ?? '');
  });
  if (!other || !refers) return undefined;
  return `${column} has names, such as ${formatForeign(example)}, and ${formatForeign(other.file)} has ids of ${refers.name}: write names: {${refers.name}: {${formatForeign(example)}: its id, ...}} at the top, or remove this line if they are others`;
}

function sourceOf({ header, name, field, cells }: FieldColumn, table: SampleTable): string {
  const plain = quote(header);
  if (field?.type === 'boolean') return flagSource(table, header) ?? plain;
  if (field?.type === 'integer' && field.codes) return codeSource(table, header, name) ?? plain;
  const form = field?.type === 'hours' ? formOfTexts(cells) : 'numbers';
  return form === 'numbers' ? plain : `{column: ${plain}${formatHoursForm(form)}}`;
}

/** Returns the lines that say how days and numbers are written, if fields have them otherwise, and what a person has to decide. */
function formOf(columns: readonly FieldColumn[]): { readonly lines: string[]; readonly open: string | undefined } {
  const cellsOf = (types: readonly (Field['type'] | undefined)[], plain: RegExp) =>
    columns
      .filter(({ field }) => types.includes(field?.type))
      .map(({ cells }) => cells)
      .filter((cells) => cells.some(({ text, isNumber }) => !isNumber && !plain.test(text.trim())));
  const days = cellsOf(['date'], /^[0-9]{4}-[0-9]{2}-[0-9]{2}/);
  const numbers = cellsOf(['rate', 'amount', 'hours'], /^-?[0-9.]*$/);
  const dates = days.length === 0 ? undefined : findDayForm(days);
  const decimal = numbers.length === 0 ? undefined : findNumberForm(numbers.flat());
  const open = [dates?.open, decimal?.open].filter((each) => each !== undefined);
  return {
    lines: [
      ...(dates?.dates === undefined ? [] : [`dates: ${quote(dates.dates)}`]),
      ...(decimal?.decimal === undefined ? [] : [`decimal: ${decimal.decimal}`]),
    ],
    open: open.length === 0 ? undefined : open.join('; '),
  };
}
