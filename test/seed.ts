/** The seed of random tests: PLUMBLINE_SEED, or a new one for each run. Test titles show it. */
export const SEED = Number(process.env.PLUMBLINE_SEED ?? Math.floor(Math.random() * 2 ** 31));
