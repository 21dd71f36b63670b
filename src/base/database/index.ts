export {
  type Database,
  dateParameter,
  decimalParameter,
  formatCompactTime,
  formatTime,
  formatZonedTime,
  type OpenOptions,
  openDatabase,
  type Parameters,
  quoteName,
  quoteText,
  readUntil,
  type StoredChunk,
  type StoredColumn,
  type Value,
  type ViewCatalog,
  zoned,
} from './database.ts';
export {
  breaksEngine,
  describeFileFailure,
  diskError,
  fileError,
  findInCause,
  isDiskFull,
  isFailure,
  isOutOfMemory,
  outOfMemoryError,
  parseEngineError,
  writeError,
} from './engine-errors.ts';
export { openError } from './instance.ts';
export { keptPart } from './kept-parts.ts';
export { missingDatabaseError } from './missing-database.ts';
export { readInTurns } from './read-in-turns.ts';
export { createSerialQueue, type SerialQueue } from './serial-queue.ts';
export { steps } from './steps.ts';
