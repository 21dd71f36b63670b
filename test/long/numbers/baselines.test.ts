import { testBaselines } from '../../oracle/baselines.ts';

/** The number of random companies. */
const COMPANIES = Number(process.env['PLUMBLINE_BASELINES'] ?? 10);

testBaselines(COMPANIES, 4);
