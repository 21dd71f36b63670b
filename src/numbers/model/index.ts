export { areOutlined, type BuildStep, buildModels, buildOn, createEmptyModels } from './build.ts';
export { withoutTextCompression } from './compression.ts';
export { createFunctions, dropModels, dropTypes, readFunctions } from './engine/duckdb.ts';
export type { Engine } from './engine/engine.ts';
export { findRecordTables, loadChecks, loadModels, type Model, qualifiedName } from './models.ts';
export { openRefresher, type Refresher, type RefreshSteps, type Stage } from './refresh/refresh.ts';
export { exchangeNames } from './relation-names.ts';
export { buildWithoutRates } from './without-rates.ts';
export { buildRecordViews, closeToWrites, openToWrites, prepareModels } from './working.ts';
