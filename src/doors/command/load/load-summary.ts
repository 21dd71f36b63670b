import { formatForeign } from '../../../base/index.ts';
import {
  describeDifferences,
  fieldNames,
  formatNearName,
  formatReason,
  type IngestSummary,
  inputResources,
  isJsonName,
  nearestField,
  type ReasonSummary,
  wayOutOf,
} from '../../../records/ingest/index.ts';
import { formatControl, MAX_NAME_CHARACTERS } from './control-lines.ts';

/** Advice on values that were set aside, by their reason and their form. */
interface Advice {
  readonly reason: RegExp;
  readonly value: RegExp;
  /** The option that reads CSV files and workbooks; undefined if only a mapping does. */
  readonly option?: string;
  /** The member of a mapping that reads any file. */
  readonly member: string;
  readonly effect: string;
}

const ADVICE: readonly Advice[] = [
  {
    reason: /: not a day/,
    value: /^"[0-9]{1,2}[-/. ][0-9]{1,2}[-/. ][0-9]{4}/,
    option: '--date-format, such as DD/MM/YYYY,',
    member: 'dates, such as DD/MM/YYYY,',
    effect: 'says how days are written.',
  },
  {
    reason: /: not a day/,
    value: /^"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T]/,
    option: '--date-format "YYYY-MM-DD HH:MM"',
    member: 'dates: "YYYY-MM-DD HH:MM"',
    effect: 'reads days with a time of day, and leaves the time out.',
  },
  {
    reason: /: not a number/,
    value: /^"-?[0-9.' ]*,[0-9]+"/,
    option: '--decimal-comma',
    member: 'decimal: comma',
    effect: 'reads numbers such as 45,50 and 25.000,00.',
  },
  {
    reason: /^hours: not a number/,
    value: /^"[0-9]+:[0-9]{2}/,
    option: '--hours-format h:mm',
    member: 'hours: "h:mm"',
    effect: 'reads hours such as 7:30.',
  },
  {
    reason: /: not (one of|true or false)/,
    value: /^"\p{L}/u,
    member: 'words',
    effect: 'say which code a word stands for.',
  },
];

/** The most unknown fields of a resource that are listed. Unit: fields. */
export const MAX_LISTED_FIELDS = 20;

/** The most fields with several values that are listed. Unit: fields. */
export const MAX_LISTED_CONFLICTS = 30;

/** The most names like others that are listed. Unit: names. */
export const MAX_LISTED_NEAR_NAMES = 30;

/**
 * Formats the result of a load as lines: each record read is loaded, set aside or a duplicate.
 * @param options.isDry True if nothing is kept.
 */
export function formatSummary(
  {
    resources,
    reasons,
    unknownFields,
    ignoredFiles,
    encodings,
    conflicts,
    nearNames,
    foundNames,
    controls,
    assumedSettings,
    mappingFile,
  }: IngestSummary,
  { isDry = false }: { readonly isDry?: boolean } = {},
): string[] {
  const present = resources.filter(({ read, files }) => read > 0 || files > 0);
  const rounded = present.filter(({ roundedValues }) => roundedValues > 0);
  const items = present.filter(({ itemsSetAside }) => itemsSetAside > 0);
  return [
    formatCounts('resource', 'read', 'loaded', 'set aside', 'duplicates'),
    ...present.map(({ resource, read, loaded, setAside, duplicates }) =>
      formatCounts(resource, read, loaded, setAside, duplicates),
    ),
    ...section(
      isDry ? 'Would be set aside:' : 'Set aside, in full, in the table source.rejected:',
      reasons.map(formatReason),
    ),
    ...section(
      'Items set aside from loaded records:',
      items.map(({ resource, itemsSetAside }) => `${resource}: ${itemsSetAside}`),
    ),
    ...section(
      'Values rounded, hours to 6 decimals and others to 4:',
      rounded.map(({ resource, roundedValues }) => `${resource}: ${roundedValues}`),
    ),
    ...section(
      'Unknown fields:',
      unknownFields.map(({ resource, fields }) => `${resource}: ${formatFields(fields, resource)}`),
    ),
    ...section('Different values for one field:', conflicts.slice(0, MAX_LISTED_CONFLICTS)),
    ...section(
      'Names that are almost the same, with the line of the mapping that makes them one:',
      nearNames.slice(0, MAX_LISTED_NEAR_NAMES).map((near) => formatForeign(formatNearName(near))),
    ),
    ...section(
      'Names that one record with another id has, which they are taken for:',
      foundNames.slice(0, MAX_LISTED_NEAR_NAMES).map((found) => formatForeign(formatNearName(found))),
    ),
    ...section('What may help:', adviseOn(reasons, mappingFile !== undefined)),
    ...section(
      mappingFile === undefined
        ? 'Files that belong to no resource:'
        : 'Warning: files that no entry of the mapping reads:',
      ignoredFiles.map((name) => [formatForeign(name, MAX_NAME_CHARACTERS), wayOutOf(name) ?? []].flat().join(': ')),
    ),
    ...section(
      'Encodings other than UTF-8:',
      encodings.map((each) => formatForeign(each, MAX_NAME_CHARACTERS)),
    ),
    ...section('Control totals, to compare with the program that wrote each file:', controls.map(formatControl)),
    ...section(
      'Warning: totals that files have themselves, and their records differ from:',
      describeDifferences(controls),
    ),
    ...(mappingFile === undefined ? [] : ['', `Columns and values were read as ${formatForeign(mappingFile)} says.`]),
    ...(assumedSettings === undefined ? [] : ['', assumedSettings]),
  ];
}

/**
 * Formats the names of unknown fields, which may be many and long.
 * @param resource Their resource, to name its field that one is like.
 */
export function formatFields(fields: readonly string[], resource?: string): string {
  const known = inputResources.find(({ name }) => name === resource);
  const listed = fields.slice(0, MAX_LISTED_FIELDS).map((name) => {
    // A field of an item, as contracts.grade, is none of the resource's own.
    const nearest = known && !name.includes('.') ? nearestField(name, fieldNames(known)) : undefined;
    return `${formatForeign(name, MAX_NAME_CHARACTERS)}${nearest === undefined ? '' : ` (${nearest}?)`}`;
  });
  const more = fields.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

export function formatCounts(name: string, ...values: readonly (string | number)[]): string {
  return name.padEnd(20) + values.map((value) => String(value).padStart(12)).join('');
}

/** Names what reads values that were set aside: options for CSV files and workbooks, and a mapping for JSON files. */
function adviseOn(reasons: readonly ReasonSummary[], hasMapping: boolean): string[] {
  const found = reasons.flatMap(({ reason, values: [value], example }) => {
    const takesOptions = isTable(example.file);
    if (!takesOptions && !isJsonName(example.file)) return [];
    const fitting = ADVICE.filter((each) => each.reason.test(reason) && each.value.test(value?.text ?? ''));
    return fitting.map(
      ({ option, member, effect }) => `${(takesOptions ? option : undefined) ?? `${member} in mapping.yaml`} ${effect}`,
    );
  });
  const needsIds = !hasMapping && reasons.some(lacksIds);
  const ids = 'mapping.yaml makes ids of names and rows: load --suggest-mapping writes a first one.';
  return [...new Set([...found, ...(needsIds ? [ids] : [])])];
}

/** Tells whether records are set aside for an id that is missing, or for a name in its place. */
function lacksIds({ reason, nearest, values: [value], example }: ReasonSummary): boolean {
  const isName = isTable(example.file) && /: not an (?:id|object)$/.test(reason) && /^"\p{L}/u.test(value?.text ?? '');
  return (isName || /_id: missing$/.test(reason)) && nearest === undefined;
}

/** Tells whether a file is one of rows: CSV, or a sheet. */
function isTable(file: string): boolean {
  return /\.csv$|, sheet /i.test(file);
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
