import { resolve } from 'node:path';
import type { Database } from '../database/database.ts';
import { openGeneration } from '../generation/open-generation.ts';
import { findCompared } from '../history/compared-states.ts';
import { readAsOf } from '../history/read-as-of.ts';
import { type AsOfState, type Catalogues, todayOf } from '../report/catalogue/definitions.ts';
import { readCompany } from '../report/source/read-company.ts';
import { type AskedStates, type FoundState, findStates, type States, type StatesRequest } from './find-states.ts';
import { type OpenedStates, openStates } from './open-states.ts';
import { type Turn, takeTurn } from './turn.ts';

/** A database as its files, which one process asks once. */
export interface AskedFiles {
  readonly database: string;
  readonly memoryLimitMib: number;
}

/** The reader of a process that has the data to itself: nothing but its end ends the wait. */
export const ALONE = { reader: '', seesRates: true, signal: new AbortController().signal };

/** Asks the files of a database once, as a reader who sees all. @throws AppError as findStates and openStates. */
export function askFiles<T>(
  files: AskedFiles,
  catalogues: Catalogues,
  request: StatesRequest,
  now: () => Date,
  use: (asked: AskedStates & OpenedStates) => Promise<T>,
): Promise<T> {
  return takeTurn(ALONE, async (turn) => {
    const asked = await findStates(fileStates(turn, files), catalogues, request);
    return use({ ...asked, ...(await openStates(turn, asked, { now })) });
  });
}

/** Returns the states of a database, each opened when it is found, until the turn ends. */
function fileStates({ atEnd }: Turn, { database, memoryLimitMib }: AskedFiles): States {
  const path = resolve(database);
  const open = async (file: string, state: StateOfFile) => {
    const opened = await openGeneration(file, { memoryLimitMib });
    atEnd(opened.close);
    return stateOf(opened, state);
  };
  return {
    present: () => open(database, { asOf: undefined, window: undefined }),
    async find(reference, field) {
      const state = await readAsOf(path, reference, field);
      return open(state.file, state);
    },
    baseline: (reference) => readAsOf(path, reference, 'baseline'),
    compare: (reference, sent) => findCompared(path, reference, sent),
  };
}

/** The kept state that a file is, if it is one. */
interface StateOfFile extends Pick<FoundState, 'window'> {
  readonly asOf: AsOfState | undefined;
}

/** Returns the state of an open file. */
export async function stateOf(database: Database, { asOf, window }: StateOfFile): Promise<FoundState> {
  const company = { ...(await readCompany(database)), asOf };
  const generation = { company, today: (now: Date) => todayOf(company, now), database: () => database };
  return { generation, lease: () => ({ open: async () => generation, release: () => {} }), window };
}
