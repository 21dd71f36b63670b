import { testContributions } from '../../oracle/contributions.ts';

/** The number of random companies. */
const COMPANIES = Number(process.env['PLUMBLINE_LINKED_COMPANIES'] ?? 3);

testContributions(COMPANIES, 80);
