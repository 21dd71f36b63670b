import { formatForeign } from '../foreign-text.ts';
import { isOtherBook } from '../ingest/files.ts';
import { formatReason, type IngestSummary } from '../ingest/ingest-summary.ts';

/** The most unknown fields of a resource that are listed. Unit: fields. */
export const MAX_LISTED_FIELDS = 20;

/** The longest name of an unknown field or a file that is shown. Unit: characters. */
export const MAX_NAME_CHARACTERS = 100;

/**
 * Formats the result of a load as lines: each record read is loaded, set aside or a duplicate.
 * @param options.isDry True if nothing is kept.
 */
export function formatSummary(
  { resources, reasons, unknownFields, ignoredFiles, assumedSettings }: IngestSummary,
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
      'Values rounded to 4 decimals:',
      rounded.map(({ resource, roundedValues }) => `${resource}: ${roundedValues}`),
    ),
    ...section(
      'Unknown fields:',
      unknownFields.map(({ resource, fields }) => `${resource}: ${formatFields(fields)}`),
    ),
    ...section(
      'Files that belong to no resource:',
      ignoredFiles.map(
        (name) => `${formatForeign(name, MAX_NAME_CHARACTERS)}${isOtherBook(name) ? ': save it as .xlsx' : ''}`,
      ),
    ),
    ...(assumedSettings === undefined ? [] : ['', assumedSettings]),
  ];
}

/** Formats the names of unknown fields, which may be many and long. */
export function formatFields(fields: readonly string[]): string {
  const listed = fields.slice(0, MAX_LISTED_FIELDS).map((name) => formatForeign(name, MAX_NAME_CHARACTERS));
  const more = fields.length - listed.length;
  return [...listed, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** Formats a row of a table of counts. */
export function formatCounts(name: string, ...values: readonly (string | number)[]): string {
  return name.padEnd(20) + values.map((value) => String(value).padStart(12)).join('');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
