export { keepCoverValues } from './cover-values.ts';
export { describeGeneration, fillWithoutRates } from './generation-contents.ts';
export {
  fileWithoutRates,
  journalFile,
  OUTBOX,
  outboxFolder,
  outboxLog,
  publishedFolder,
  removeDatabase,
  storageError,
  workingFile,
} from './generation-files.ts';
export { type LockConflict, openLock } from './generation-lock.ts';
export {
  type Generation,
  type Generations,
  type OpenGeneration,
  openGenerations,
  type PublishedGenerations,
} from './generations.ts';
export { HELD_VERSION_MS } from './held-generations.ts';
export {
  assertServable,
  hasRecords,
  makeDataVersion,
  openAnyGeneration,
  openGeneration,
  openPublished,
  openReadable,
  readDataVersion,
  stampGeneration,
} from './open-generation.ts';
export { digestReports, readCatalogues, readMeanings } from './own-reports.ts';
export { assertLoadable, publishGeneration } from './publish.ts';
export {
  countChanges,
  type RecordChanges,
  readSettingChanges,
  type SettingChange,
  withPublished,
} from './published-records.ts';
export { readPartNames } from './seen-part.ts';
export { assertNothingLost, LARGE_LOSS } from './shrink-guard.ts';
export {
  ageOf,
  assertFresh,
  type Freshness,
  freshnessOf,
  readSyncStatus,
  type SyncStatus,
  syncedAtOf,
} from './sync-status.ts';
export { readSignature, repeat } from './watch.ts';
