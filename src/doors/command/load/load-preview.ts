import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { openDatabase } from '../../../base/database/index.ts';
import { formatForeign, removeOnSignal } from '../../../base/index.ts';
import { buildRecordViews } from '../../../numbers/model/index.ts';
import { sqlDirectory } from '../../../numbers/relation/index.ts';
import {
  type IngestSummary,
  ingestDirectory,
  type Mapping,
  readBillableHours,
  requireNothingSetAside,
} from '../../../records/ingest/index.ts';
import {
  assertLoadable,
  assertNothingLost,
  countChanges,
  type RecordChanges,
  readSettingChanges,
  type SettingChange,
  storageError,
  withPublished,
} from '../../../store/generation/index.ts';
import { type LoadedRates, previewLoadedRates, type ToldRates } from '../../../store/rates/index.ts';
import type { Progress } from '../progress.ts';
import { formatCounts, formatSummary } from './load-summary.ts';

export interface PreviewOptions {
  readonly strict: boolean;
  readonly acceptsShrink: boolean;
  readonly memoryLimitMib: number;
  readonly mapping: Mapping | undefined;
  readonly rates: LoadedRates;
  readonly progress: Progress;
}

/** The differences of the records of a load from the published ones. */
export interface LoadChanges {
  readonly records: readonly RecordChanges[];
  readonly settings: readonly SettingChange[];
  readonly rates: ToldRates | undefined;
}

/**
 * Reads and checks a dataset as a load does, in a folder of its own, and tells what the load would change. The models of
 * numbers aren't built, and no file beside the database is touched.
 * @param tell Tells what was found before the errors of a load are thrown. Changes are undefined if there is no database yet.
 * @throws AppError as the load would, whose records are printed before those of `strict` and of the guard.
 */
export async function previewLoad(
  directory: string,
  file: string,
  { strict, acceptsShrink, memoryLimitMib, mapping, rates, progress }: PreviewOptions,
  tell: (summary: IngestSummary, changes: LoadChanges | undefined) => Promise<void> | void,
): Promise<void> {
  await assertLoadable(resolve(file));
  const folder = await mkdtemp(join(tmpdir(), 'plumbline-dry-run-'));
  removeOnSignal(folder);
  const scratch = join(folder, 'records.duckdb');
  try {
    const database = await openDatabase(scratch, { memoryLimitMib });
    try {
      const read = await ingestDirectory(database, directory, {
        leavesTimesEmpty: true,
        mapping,
        onProgress: ({ resource, done, total }) =>
          progress.update(`reading ${resource}`, total === 0 ? 0 : done / total),
      });
      const changes = await withPublished(database, resolve(file), async (columns) => ({
        // Before the records are compared: rates that are known are no change.
        rates: await previewLoadedRates(database, columns, rates),
        records: await countChanges(database, columns),
        settings: await readSettingChanges(database, columns),
      }));
      await buildRecordViews(database, sqlDirectory);
      const summary = { ...read, controls: await readBillableHours(database, read.controls) };
      progress.close();
      await tell(summary, changes);
      if (strict) requireNothingSetAside(summary);
      if (!acceptsShrink) await assertNothingLost(database, resolve(file));
    } finally {
      await database.close();
    }
  } catch (error) {
    throw storageError(scratch, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Formats what a load would read and change as lines. */
export function formatPreview(file: string, summary: IngestSummary, changes: LoadChanges | undefined): string[] {
  return [
    ...formatSummary(summary, { isDry: true }),
    '',
    ...formatChanges(file, changes),
    'Nothing was changed: a dry run.',
  ];
}

function formatChanges(file: string, changes: LoadChanges | undefined): string[] {
  if (!changes) return [`There is no ${file} yet, so everything would be new.`];
  const present = changes.records.filter(({ before, after }) => before > 0 || after > 0);
  return [
    `Changes of the records in ${file}:`,
    formatCounts('resource', 'before', 'new', 'changed', 'gone', 'after'),
    ...present.map((each) => formatCounts(each.resource, each.before, each.new, each.changed, each.gone, each.after)),
    ...changes.settings.map(
      ({ name, before, after }) => `  ${name}: ${formatValue(before)} before, ${formatValue(after)} after`,
    ),
    ...(changes.rates ? [changes.rates.sentence] : []),
  ];
}

function formatValue(value: string | null): string {
  return value === null ? 'none' : formatForeign(value);
}
