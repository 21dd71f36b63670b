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

export type Step = (typeof STEPS)[number];

/** Runs a step. Tests replace `take`. */
export const steps = { take: <T>(_step: Step, work: () => Promise<T>): Promise<T> => work() };
