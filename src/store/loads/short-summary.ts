import type { IngestSummary } from '../../records/ingest/index.ts';

/** The most names that are almost the same, fields with several values, and unread files that a load tells of. Unit: of each. */
export const MAX_TOLD_NAMES = 1_000;

/** The lists of a summary that grow with the records of files, and the words for their entries. */
const LISTS = {
  nearNames: 'names that are almost the same',
  foundNames: 'names of records with other ids',
  nameQuestions: 'names that may be those of several records',
  conflicts: 'fields to which files give several values',
  ignoredFiles: 'files or sheets that no entry of the mapping reads',
} as const;

/** Returns a summary without the entries of its lists beyond a limit, and a sentence on each list that is cut. */
export function shortenSummary(summary: IngestSummary): { readonly summary: IngestSummary; readonly cuts: string[] } {
  const { nearNames, foundNames, nameQuestions, conflicts, ignoredFiles } = summary;
  const lists = { nearNames, foundNames, nameQuestions, conflicts, ignoredFiles };
  const cuts = (Object.keys(LISTS) as (keyof typeof LISTS)[])
    .filter((name) => lists[name].length > MAX_TOLD_NAMES)
    .map((name) => `There are ${lists[name].length} ${LISTS[name]}; the first ${MAX_TOLD_NAMES} are listed.`);
  const short = {
    nearNames: nearNames.slice(0, MAX_TOLD_NAMES),
    foundNames: foundNames.slice(0, MAX_TOLD_NAMES),
    nameQuestions: nameQuestions.slice(0, MAX_TOLD_NAMES),
    conflicts: conflicts.slice(0, MAX_TOLD_NAMES),
    ignoredFiles: ignoredFiles.slice(0, MAX_TOLD_NAMES),
  };
  // No load tells of unknown fields.
  return { summary: { ...summary, ...short, unknownFields: [] }, cuts };
}
