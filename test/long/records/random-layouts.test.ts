import { it } from 'vitest';
import { readLayouts } from '../../../src/records/ingest/sample/layouts.ts';
import { proveCompanies } from '../../ingest/random-layouts.ts';
import { SEED } from '../../seed.ts';

/** The companies in each layout. */
const COMPANIES = Number(process.env['PLUMBLINE_LAYOUT_COMPANIES'] ?? 3);

it(`random companies in each layout come in as they are, PLUMBLINE_SEED=${SEED}`, async () => {
  // Invoices are of no work of a day: test/ingest/invoice-files has theirs.
  const layouts = readLayouts().filter(({ parts }) => parts.every(({ kind }) => kind !== 'invoices'));
  // Those of one seed differ from the short proof's, which begins with its first.
  for (const [index, layout] of layouts.entries()) await proveCompanies(layout, 100 + index, COMPANIES);
});
