/** The steps of storing data, in each of which a process may die or fail. Tests go through all. */
export const STEPS = [
  'write the journal',
  'sync the journal',
  'insert the journal',
  'refresh',
  'checkpoint',
  'copy the working file',
  'build the generation',
  'build the copy without rates',
  'sync the generation',
  'sync the copy without rates',
  'rename the copy without rates',
  'rename the generation',
  'sync the folder',
] as const;

/** The steps of keeping a state, in each of which a process may die or fail. */
export const KEEP_STEPS = [
  'link the pair',
  'write the totals',
  'write the record of the state',
  'sync the state',
  'rename the state',
  'append the event',
] as const;

export type Step = (typeof STEPS)[number] | (typeof KEEP_STEPS)[number];

/** Runs a step. Tests replace `take`. */
export const steps = { take: <T>(_step: Step, work: () => Promise<T>): Promise<T> => work() };
