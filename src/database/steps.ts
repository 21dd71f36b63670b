/** The steps in which data is kept, each of which a process may die before or after, or fail at. Tests go through all of them. */
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

export type Step = (typeof STEPS)[number];

/** Takes a step. Tests put something else in the place of `take`. */
export const steps = { take: <T>(_step: Step, work: () => Promise<T>): Promise<T> => work() };
