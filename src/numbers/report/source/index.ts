export {
  formatFilters,
  isPart,
  MAX_PART_IDS,
  PART_FILTERS,
  type PartFilters,
  type PartMember,
  partKey,
  partViews,
  type ReaderPart,
  seenWhole,
  selectMembers,
  selectPartNames,
} from './part-views.ts';
export { readCompany } from './read-company.ts';
