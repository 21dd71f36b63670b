export { countsAs, kindsOf, lineIdSql, readLineKinds, recordColumns } from './line-kinds.ts';
export { LAYERS } from './relation-marks.ts';
export { sqlDirectory } from './sql-file.ts';
