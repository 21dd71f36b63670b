import { testEarned } from '../../oracle/earned.ts';

/** The number of random datasets. */
const DATASETS = Number(process.env['PLUMBLINE_EARNED'] ?? 30);

testEarned(DATASETS);
