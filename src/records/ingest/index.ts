export { completeControls, readAmounts, readBillableHours, storeOrigins } from './controls/amount-totals.ts';
export type { ControlTotals } from './controls/file-totals.ts';
export {
  formatReason,
  type IngestSummary,
  type ReasonSummary,
  readSummary,
  requireNothingSetAside,
} from './controls/ingest-summary.ts';
export { assertInvoiceCurrency } from './controls/invoice-currency.ts';
export { describeDifferences } from './controls/own-controls.ts';
export { summaryAsJson } from './controls/summary-json.ts';
export { requireUsed } from './controls/used-rows.ts';
export { createDataset, type IngestOptions, ingestDirectory, ingestFiles, inputResources } from './ingest.ts';
export { loadMemoryMib, sumFileBytes } from './load-memory.ts';
export { COMMON_DATE_FORMATS, parseDateFormat } from './mapping/date-format.ts';
export { HOURS_FORMATS } from './mapping/hours-text.ts';
export { identityMapping, MAPPING_FILE, type Mapping, matchesFile } from './mapping/mapping.ts';
export { parseMapping, readMappingFile } from './mapping/mapping-file.ts';
export { formatNearName, type NameQuestion } from './mapping/near-names.ts';
export { nearestField } from './mapping/nearest-field.ts';
export type { Notation } from './mapping/notation.ts';
export { fieldNames } from './mapping/record-members.ts';
export { MAX_MAPPING_CHARACTERS } from './mapping/yaml-reader.ts';
export { MERGED_RESOURCES } from './merging/merged-records.ts';
export { readKnownMapping } from './proposal/known-mapping.ts';
export { proposeMapping, suggestMapping } from './proposal/suggest-mapping.ts';
export { isJsonName, isOtherBook, matchResource, matchSheet, wayOutOf } from './reading/file-names.ts';
export { type InputFile, type Listing, listInput } from './reading/files.ts';
export { isWorkbook } from './reading/folder-entries.ts';
export { CHUNK_BYTES, hashFile } from './reading/hash.ts';
export type { FindRecords, ForeignRecord } from './reading/merge-spool.ts';
export { assertOnce } from './reading/once.ts';
export { MAX_RECORD_BYTES } from './reading/relation.ts';
export { describeSettings, isTimeZone } from './records/settings-file.ts';
export { findLayout, readLayouts } from './sample/layouts.ts';
export { readSamples, type Sample } from './sample/sample.ts';
