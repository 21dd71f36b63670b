import { formatReason, type IngestSummary } from '../ingest/ingest-summary.ts';

/** Formats the result of a load as text: each record read is loaded, set aside or a duplicate. */
export function formatSummary({ resources, reasons, unknownFields, ignoredFiles }: IngestSummary): string {
  const present = resources.filter(({ read, files }) => read > 0 || files > 0);
  const rounded = present.filter(({ roundedValues }) => roundedValues > 0);
  const items = present.filter(({ itemsSetAside }) => itemsSetAside > 0);
  return [
    row('resource', 'read', 'loaded', 'set aside', 'duplicates'),
    ...present.map(({ resource, read, loaded, setAside, duplicates }) =>
      row(resource, read, loaded, setAside, duplicates),
    ),
    ...section('Set aside, in full, in the table source.rejected:', reasons.map(formatReason)),
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
      unknownFields.map(({ resource, fields }) => `${resource}: ${fields.join(', ')}`),
    ),
    ...section('Files that belong to no resource:', ignoredFiles),
  ].join('\n');
}

function row(name: string, ...values: readonly (string | number)[]): string {
  return name.padEnd(20) + values.map((value) => String(value).padStart(12)).join('');
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
}
