export { discardPulled } from './folder.ts';
export { type Pulled, type PulledResource, type PullState, stateAfter } from './pulled.ts';
export type { OnProgress } from './read-list.ts';
export { openReaderProcess } from './reader-process.ts';
export { parseAddress } from './requests/address.ts';
export type { Month, ScheduledRow, SourceReport } from './scheduled-rows.ts';
export { findList, resourcesBeside } from './source-lists.ts';
export type { SourceReader } from './source-reader.ts';
