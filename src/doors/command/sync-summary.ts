import { formatReason } from '../../records/ingest/index.ts';
import type { SyncRun, What } from '../../store/sync/index.ts';
import { formatFields } from './load/load-summary.ts';

/** Formats a run as lines: what was read and what differed, by resource. */
export function formatRun(summary: SyncRun, isDry: boolean): string[] {
  const { reads, differences, load, notes, closed = [], requests, waitedMs, startedAt, finishedAt } = summary;
  const seconds = (Date.parse(`${finishedAt}Z`) - Date.parse(`${startedAt}Z`)) / 1000;
  const countOf = (resource: string, what: What) =>
    differences.find((found) => found.resource === resource && found.what === what)?.count ?? 0;
  const setAside = new Map(load?.resources.map((each) => [each.resource, each.setAside]));
  const rows = reads.map(({ resource, read }) => {
    const counts = (['new', 'changed', 'gone'] as const).map((what) => countOf(resource, what));
    return formatRow(resource, read, ...counts, setAside.get(resource) ?? 0);
  });
  const drift =
    load?.unknownFields.map(({ resource, fields }) => `${resource}: unknown fields ${formatFields(fields)}`) ?? [];
  return [
    formatRow('resource', 'read', 'new', 'changed', 'gone', 'set aside'),
    ...rows,
    ...[...notes, ...drift, ...(load?.reasons.map(formatReason) ?? []), ...closed].map((note) => `  ${note}`),
    `${isDry ? 'Nothing was changed: a dry run' : 'Synced'} with ${requests} requests in ${seconds} s, ${Math.round(waitedMs / 1000)} s of them waiting.`,
  ];
}

function formatRow(name: string, ...values: readonly (string | number)[]): string {
  return name.padEnd(18) + values.map((value) => String(value).padStart(12)).join('');
}
