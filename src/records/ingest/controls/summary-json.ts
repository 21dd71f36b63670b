import type { IngestSummary } from './ingest-summary.ts';
import { describeDifferences } from './own-controls.ts';

/** The result of a load as JSON: its keys in lower case with underscores, its decimals as texts. */
export function summaryAsJson(summary: IngestSummary): Readonly<Record<string, unknown>> {
  const named = withPlainKeys({ ...summary, differences: describeDifferences(summary.controls) });
  return named as Readonly<Record<string, unknown>>;
}

function withPlainKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [plainKey(key), withPlainKeys(each)]));
}

/** Returns billable_hours of billableHours. */
function plainKey(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
