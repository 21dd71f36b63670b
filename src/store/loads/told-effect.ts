import { formatForeign } from '../../base/index.ts';
import { formatNearName, formatReason, type IngestSummary } from '../../records/ingest/index.ts';
import { resources } from '../../records/resource/index.ts';
import type { Writer } from '../record/storage/changes.ts';
import type { ComparedLoads } from './compare-loads.ts';
import type { ToldEffect, ToldQuestion } from './load-json.ts';
import type { FileRecords } from './load-room.ts';
import { changesOf, notesOf, withoutRates } from './told-changes.ts';
import { tellTotals } from './told-totals.ts';

/** Tells what files change, to a reader who may not see rates. */
export function tellEffect(
  { summary, cuts, totals }: Pick<FileRecords, 'summary' | 'cuts' | 'totals'>,
  compared: ComparedLoads,
  questions: readonly ToldQuestion[],
  { seesRates }: Writer,
): ToldEffect {
  const told = summary && !seesRates ? withoutRateValues(summary) : summary;
  return {
    set_aside: told?.reasons.map(formatReason) ?? [],
    unread: told?.ignoredFiles ?? [],
    file_conflicts: told?.conflicts ?? [],
    near_names: told?.nearNames.map(formatNearName) ?? [],
    ...tellTotals(totals, seesRates),
    changes: changesOf(compared),
    conflicts: seesRates ? compared.conflicts : withoutRates(compared.conflicts),
    questions,
    notes: [...notesOf(compared), ...cuts, ...(told ? describeFound(told.foundNames) : [])],
    reports: null,
  };
}

/** The names of records with other ids that a note lists. Unit: names. */
export const MAX_NOTED_NAMES = 20;

/** Tells which names of files were taken for records with other ids. */
function describeFound(found: IngestSummary['foundNames']): string[] {
  if (found.length === 0) return [];
  const listed = found
    .slice(0, MAX_NOTED_NAMES)
    .map(({ name, like }) => `${formatForeign(name)} (${formatForeign(like)})`);
  const more = found.length > listed.length ? `, and ${found.length - listed.length} more` : '';
  return [`These names are those of records with other ids, and count as theirs: ${listed.join(', ')}${more}.`];
}

/** The fields and lists that reveal rates. */
const RATES = ['contracts', ...resources.flatMap(({ needsRates }) => needsRates)];

/** Matches a sentence on several values of a field up to its name. */
const RATE_CONFLICT = new RegExp(`^.*? has (${RATES.join('|')})\\b`);

/** Returns the summary of files without values that reveal rates: those of earlier loads are not the reader's own. */
function withoutRateValues(summary: IngestSummary): IngestSummary {
  return {
    ...summary,
    conflicts: summary.conflicts.map((sentence) => {
      const [start] = RATE_CONFLICT.exec(sentence) ?? [];
      return start === undefined ? sentence : `${start} with several values, which need the scope rates`;
    }),
    // A whole row may have a rate in any place.
    reasons: summary.reasons.map(({ list, values, ...reason }) => ({
      ...reason,
      list,
      values: values.filter(({ field }) => field !== null && !RATES.includes(field) && !RATES.includes(list ?? '')),
    })),
  };
}
