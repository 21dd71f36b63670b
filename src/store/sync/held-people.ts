import { type Database, quoteText } from '../../base/database/index.ts';
import { AppError, messageOf } from '../../base/index.ts';
import { keptDatabase } from '../history/history-files.ts';
import { type KeptState, readKeptStates, readWholeLog } from '../history/kept-states.ts';
import { companyIdOf, loggedStates } from '../history/logged-states.ts';
import { spellKey } from '../history/state-names.ts';
import { assertAsKept } from '../history/verified-state.ts';

/**
 * Names the kept states that still hold the records of deleted people, a sentence for each person, and those that can't be read (K9).
 * People are called by their ids: a sentence with a name would be one more record of somebody.
 * @param path The path of the published database, beside which the states are.
 * @param database An open database, to which each state is attached in turn.
 */
export async function describeHeld(path: string, database: Database, people: readonly string[]): Promise<string[]> {
  try {
    const log = await readWholeLog(path);
    const { states, damaged } = await readKeptStates(path, loggedStates(log));
    const held = new Map<string, string[]>();
    const unread = damaged.map(({ logged }) => spellKey(logged));
    for (const state of states) {
      const own = await readHeld(database, state, companyIdOf(log), people);
      if (own === undefined) unread.push(spellKey(state));
      for (const id of own ?? []) held.set(id, [...(held.get(id) ?? []), spellKey(state)]);
    }
    return [
      ...[...held].map(
        ([id, names]) =>
          `Person ${id} was deleted at the source and is still in kept states: ${names.join(', ')}. plumbline closings remove NAME removes one.`,
      ),
      ...(unread.length === 0 ? [] : [`Kept states that can't be read may hold deleted people: ${unread.join(', ')}.`]),
    ];
  } catch (error) {
    // The records are synced, whatever happens here.
    if (error instanceof AppError) return [`Which kept states hold deleted people is not known: ${messageOf(error)}`];
    throw error;
  }
}

/** Returns those of some people whose records a state has; undefined if it can't be read. */
async function readHeld(
  database: Database,
  state: KeptState,
  companyId: string | undefined,
  people: readonly string[],
): Promise<string[] | undefined> {
  try {
    await assertAsKept(state, companyId);
    const { catalog, release } = await database.attach(keptDatabase(state.folder));
    const select = `SELECT CAST(people_id AS VARCHAR) AS id FROM ${catalog}.source.people
      WHERE CAST(people_id AS VARCHAR) IN (${people.map(quoteText).join(', ')}) ORDER BY people_id`;
    const rows = await database.rows<{ id: string }>(select).finally(release);
    return rows.map(({ id }) => id);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
