import { safeMessageOf } from '../../../base/index.ts';
import { assertFresh, readSyncStatus } from '../../../store/generation/index.ts';
import type { DeliveryData } from '../content/delivery-data.ts';
import type { DeliveryHistory } from '../occurrence/delivery-events.ts';
import type { DeliveryPlan, Problem } from '../setup/delivery-setup.ts';
import type { JudgedRow } from './alert-states.ts';

export interface JudgedProblem extends JudgedRow {
  readonly text: string;
}

/** Finds the problems that an alert is about: those that are there, and those of its states that have ended. */
export function findProblems(
  { name, maxAgeSeconds, alert }: DeliveryPlan,
  data: Pick<DeliveryData, 'database' | 'freshness'>,
  history: DeliveryHistory,
  known: readonly string[],
  now: Date,
): JudgedProblem[] {
  const asked = new Set<Problem>(alert?.problems);
  const found = [...findDataProblems(data, maxAgeSeconds, now), ...findFailures(history, name)];
  const present = found
    .filter(([problem]) => asked.has(problem))
    .map(([problem, of, text]) => ({
      key: of === '' ? problem : `${problem}:${of}`,
      holds: true,
      values: { text },
      text,
    }));
  const ended = known.filter((key) => !present.some((each) => each.key === key));
  const recovered = ended.map((key) => ({
    key,
    holds: false,
    values: {},
    text: `${key.replace(':', ' of ')} is over.`,
  }));
  return [...present, ...recovered];
}

/** A problem, what has it, and a sentence. */
type FoundProblem = readonly [problem: Problem, of: string, text: string];

function findDataProblems(
  { database, freshness }: Pick<DeliveryData, 'database' | 'freshness'>,
  maxAgeSeconds: number | undefined,
  now: Date,
): FoundProblem[] {
  const found: FoundProblem[] = [];
  const last = readSyncStatus(database)?.last_run;
  if (last?.result === 'failed')
    found.push(['sync_failed', '', `The last sync failed: ${last.message ?? 'no reason is known'}`]);
  try {
    if (maxAgeSeconds !== undefined) assertFresh(freshness(), maxAgeSeconds, now);
  } catch (error) {
    found.push(['data_too_old', '', safeMessageOf(error)]);
  }
  return found;
}

/** Finds deliveries whose last occurrence was not sent, or not to all. */
function findFailures({ occurrences }: DeliveryHistory, own: string): FoundProblem[] {
  const latest = new Map([...occurrences.values()].map((occurrence) => [occurrence.name, occurrence]));
  return [...latest].flatMap(([name, { made, sendings }]): FoundProblem[] => {
    if (name === own) return [];
    const failed = [...sendings.values()].filter(({ state }) => state === 'failed');
    return [
      ...(made?.problem ? [[made.problem, name, `${name} is not sent: ${made.withheld}`] as const] : []),
      ...(failed.length > 0
        ? [
            [
              'delivery_failed',
              name,
              `${name} didn't reach ${failed.map(({ key, why }) => `${key} (${why})`).join(', ')}`,
            ] as const,
          ]
        : []),
    ];
  });
}
