import { describeOccurrence } from './describe-deliveries.ts';
import { readHistory } from './occurrence/delivery-log.ts';

/** Lists the occurrences in the log of a database's deliveries as rows, one for each target, without recipients and their errors. */
export async function listDeliveryRuns(database: string) {
  const { occurrences } = await readHistory(database);
  const all = [...occurrences.values()];
  return all.flatMap((each) => {
    const { targets, rows: row_count, ...occurrence } = describeOccurrence(each, false, all);
    const row = { name: each.name, ...occurrence, row_count };
    if (targets.length === 0) return [row];
    return targets.map(({ target, state, attempts, at }) => ({
      ...row,
      target,
      target_state: state,
      attempts,
      tried_at: at,
    }));
  });
}
