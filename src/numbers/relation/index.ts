export { lineIdSql, recordColumns } from './kind-columns.ts';
export { countsAs, kindsOf, readLineKinds } from './line-kinds.ts';
export { LAYERS } from './relation-marks.ts';
export { sqlDirectory } from './sql-file.ts';
