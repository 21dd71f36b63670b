import type { ControlTotals } from '../ingest/controls/file-totals.ts';
import { formatReason, type IngestSummary } from '../ingest/controls/ingest-summary.ts';
import { describeDifferences } from '../ingest/controls/own-controls.ts';
import { formatNearName } from '../ingest/mapping/near-names.ts';
import type { Writer } from '../record/storage/changes.ts';
import { resources } from '../resource/resources.ts';
import type { ComparedLoads } from './compare-loads.ts';
import type { FieldConflict, ReportEffect, ResourceChanges } from './load-json.ts';
import type { LoadQuestion } from './load-questions.ts';
import type { FileRecords } from './load-room.ts';
import { changesOf, notesOf, withoutRates } from './told-changes.ts';

/** The changes of a load, made or planned. */
export interface LoadEffect {
  /** Reasons for setting records aside, as sentences. */
  readonly setAside: readonly string[];
  /** Files that nothing reads. */
  readonly unread: readonly string[];
  /** Sentences on fields to which several files give different values. */
  readonly fileConflicts: readonly string[];
  /** Names that are almost the same, as the lines of a mapping that make them one. */
  readonly nearNames: readonly string[];
  /** The totals of the files of this load, with amounts for readers who see rates. */
  readonly totals: readonly ControlTotals[];
  /** Sentences on totals that files have themselves, and their records differ from. */
  readonly differences: readonly string[];
  readonly changes: readonly ResourceChanges[];
  readonly conflicts: readonly FieldConflict[];
  readonly questions: readonly LoadQuestion[];
  readonly notes: readonly string[];
  /** The effect on reports; undefined where it isn't asked for, or not known. */
  readonly preview: ReportEffect | undefined;
}

/** Tells what files change, to a reader who may not see rates. */
export function tellEffect(
  { summary, totals }: Pick<FileRecords, 'summary' | 'totals'>,
  compared: ComparedLoads,
  questions: readonly LoadQuestion[],
  writer: Writer,
): LoadEffect {
  const { seesRates } = writer;
  const told = summary && !seesRates ? withoutRateValues(summary) : summary;
  return {
    setAside: told?.reasons.map(formatReason) ?? [],
    unread: told?.ignoredFiles ?? [],
    fileConflicts: told?.conflicts ?? [],
    nearNames: told?.nearNames.map(formatNearName) ?? [],
    ...tellTotals(totals, writer),
    changes: changesOf(compared),
    conflicts: seesRates ? compared.conflicts : withoutRates(compared.conflicts),
    questions,
    notes: notesOf(compared),
    preview: undefined,
  };
}

/** Tells control totals, and those that files have themselves and differ, without amounts to a reader who sees no rates. */
export function tellTotals(
  totals: readonly ControlTotals[],
  { seesRates }: Writer,
): Pick<LoadEffect, 'totals' | 'differences'> {
  const seen = seesRates ? totals : withoutFileAmounts(totals);
  return { totals: seen, differences: describeDifferences(seen) };
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

/** Returns control totals without amounts, which reveal rates. */
export function withoutFileAmounts(controls: readonly ControlTotals[]): ControlTotals[] {
  return controls.map((totals) => ({
    ...totals,
    fees: null,
    cost: null,
    own: totals.own.filter(({ name }) => name === 'hours'),
  }));
}
