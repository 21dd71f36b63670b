/** The seed of random tests: PLUMBLINE_SEED, or another one in each run. Titles of tests show it. */
export const SEED = Number(process.env.PLUMBLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
