export {
  DEFAULT_DELETIONS,
  DELETION_HOURS,
  DELETION_RESOURCES,
  type DeletionCursor,
  formatCursor,
  isCursorExpired,
  MAX_DELETIONS,
  parseCursor,
  readDeletions,
} from './deletions.ts';
export { filtersOf } from './filters.ts';
export {
  DEFAULT_PER_PAGE,
  MAX_PER_PAGE,
  PAGE_PARAMETERS,
  type PageBounds,
  parseListQuery,
  parseWholeNumber,
  readPageBounds,
} from './list.ts';
export {
  describeRecord,
  digitsOf,
  formatJson,
  isExact,
  type Node,
  plainField,
  type RecordNode,
  type Row,
} from './node.ts';
export { placeError, readPlannedChanges } from './planned/planned-change.ts';
export { readPublishedResources } from './published.ts';
export { type SentParameters, sentOf, textOf } from './query-string.ts';
export { describeRows, readPage, readRecord } from './read.ts';
export { recordPaths } from './record-paths.ts';
export { createRecords, deleteRecord, type ServedResource, updateRecord } from './records.ts';
export type { Reader } from './rules/rules.ts';
export { servedResources } from './served-resources.ts';
export { readLastChange, type Writer } from './storage/changes.ts';
export { checkJournal, damageError, describeDamage, salvageJournal } from './storage/journal-check.ts';
export type { JournalContent } from './storage/journal-lines.ts';
export { findReplay } from './storage/replay.ts';
export { selectRecords } from './storage/select.ts';
export type { Transaction } from './storage/transaction.ts';
export { unknownFields } from './unknown-fields.ts';
export { parseSentId } from './value.ts';
export { chooseNames, expandNames, parseView, shownNames, type View } from './view.ts';
