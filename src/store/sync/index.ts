export type { SyncRun } from './history.ts';
export type { What } from './record-differences.ts';
export { type SyncListener, type SyncOptions, type SyncParts, syncOnce, syncRepeatedly } from './sync.ts';
