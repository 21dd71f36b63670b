/** The seed of random tests: PLUMBLINE_SEED, or a new one for each run. Test titles show it. */
export const SEED = Number(process.env.PLUMBLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** The parts that long lists of cases are divided into, of which a run tries one by the seed: 1 is all of them. */
const CASE_PARTS = Number(process.env.PLUMBLINE_CASE_PARTS ?? 1);

/** Takes the cases of the part that this run tries: PLUMBLINE_CASE_PARTS=1 tries all. */
export function takePart<Case>(cases: readonly Case[]): Case[] {
  return cases.filter((_, index) => (index + SEED) % CASE_PARTS === 0);
}
