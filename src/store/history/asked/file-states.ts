import { resolve } from 'node:path';
import type { Catalogues } from '../../../numbers/report/catalogue/index.ts';
import { type AskedStates, findStates, type States, type StatesRequest } from '../../ask/find-states.ts';
import { ALONE, type OpenState, stateOf } from '../../ask/open-data.ts';
import { type OpenedStates, openStates } from '../../ask/open-states.ts';
import { type Turn, takeTurn } from '../../ask/turn.ts';
import { openGeneration } from '../../generation/open-generation.ts';
import { followClosingsInForce } from '../closings-in-force.ts';
import { findCompared } from '../compared-states.ts';
import { findReadable } from '../readable-state.ts';

/** A database as its files, which one process asks once. */
export interface AskedFiles {
  readonly database: string;
  readonly memoryLimitMib: number;
}

/** Asks the files of a database once, as a reader who sees all. @throws AppError as findStates and openStates. */
export function askFiles<T>(
  files: AskedFiles,
  catalogues: Catalogues,
  request: StatesRequest,
  now: () => Date,
  use: (asked: AskedStates & OpenedStates) => Promise<T>,
): Promise<T> {
  return takeTurn(ALONE, async (turn) => {
    const asked = await findStates(fileStates(turn, files), catalogues, request, turn);
    return use({ ...asked, ...(await openStates(turn, asked, { now })) });
  });
}

/** Returns the states of a database, each opened when it is found, until the turn ends. */
function fileStates({ atEnd }: Turn, { database, memoryLimitMib }: AskedFiles): States {
  const path = resolve(database);
  const open = async (file: string, state: OpenState) => {
    const opened = await openGeneration(file, { memoryLimitMib });
    atEnd(opened.close);
    return stateOf(opened, state);
  };
  return {
    present: async () => open(database, { closings: await followClosingsInForce(path)() }),
    async find(reference, field) {
      const state = await findReadable(path, reference, field);
      return open(state.file, state);
    },
    read: (reference, field) => findReadable(path, reference, field),
    compare: (reference) => findCompared(path, reference),
  };
}
