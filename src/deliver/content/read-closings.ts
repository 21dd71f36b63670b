import { readWholeLog } from '../../history/kept-states.ts';
import { loggedStates } from '../../history/logged-states.ts';
import { spellKey } from '../../history/state-names.ts';
import type { DeliverableClosing } from './delivery-data.ts';

/** Lists the closings of a database that are there and not reopened, in their order. @throws AppError storage if the log is broken. */
export async function readClosings(database: string): Promise<DeliverableClosing[]> {
  const log = await readWholeLog(database);
  const open = new Set(loggedStates(log).flatMap((state) => (state.isReopened ? [] : [spellKey(state)])));
  return log.events.flatMap((event) =>
    event.event === 'closed' && open.has(spellKey(event)) ? [{ reference: spellKey(event), closedAt: event.at }] : [],
  );
}
