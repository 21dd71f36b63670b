export { addressFailure } from './connection-failure.ts';
export {
  AppError,
  advisedMessageOf,
  type ErrorCode,
  type ErrorCodeStatus,
  evidencedMessageOf,
  exitCode,
  type FieldError,
  fileReasonOf,
  fullMessageOf,
  httpStatus,
  MAX_ERROR_CHARACTERS,
  messageOf,
  publicMessageOf,
  safeMessageOf,
  systemCodeOf,
} from './error.ts';
export {
  Exact,
  type ExactDecimal,
  FEWEST_SUM_DECIMALS,
  fewestDecimals,
  formatBeside,
  formatReadable,
  formatRounded,
  formatSum,
  groupThousands,
  isReadableUnit,
  parseUnits,
  SUM_DECIMALS,
  trimZeros,
} from './exact-decimal.ts';
export { collectFaults, type Faults, refuseFields } from './faults.ts';
export { escapeLine, formatForeign, MAX_SHOWN_CHARACTERS, toSafeLine } from './foreign-text.ts';
export { isObject, isTooDeep, MAX_BODY_DEPTH, parsePerhaps } from './json-object.ts';
export { askNearest, listNames, nearestName } from './nearest-name.ts';
export {
  filterInTurns,
  gather,
  inPieces,
  inTurns,
  makePace,
  mapInTurns,
  rowsOf,
  sortInTurns,
  workUntil,
} from './pace.ts';
export { copyPrivately, makeFilesPrivate, shareWithOthers } from './private-files.ts';
export { assertRegularFile } from './regular-file.ts';
export { type Bytes, makeBeside, NEXT_MARK, nextFile, replaceFile, syncPath, writeBytes } from './replace-file.ts';
export { addSecret, maskSecrets } from './secrets.ts';
export { endOnSignals, removeOnSignal, removeUnfinished, waitForSignal } from './signals.ts';
export { LIST_SEPARATOR } from './text-list.ts';
export { tupleKey } from './tuple-key.ts';
export { lineOfPath } from './yaml-line.ts';
