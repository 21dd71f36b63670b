import { it } from 'vitest';
import { readLayouts } from '../../src/ingest/proposal/layouts.ts';
import { SEED } from '../seed.ts';
import { proveCompanies } from './random-layouts.ts';

const layouts = readLayouts().map((layout, index) => ({ ...layout, layout, index }));

it.each(layouts)(
  `a random company comes in as it is: $tool, $export, PLUMBLINE_SEED=${SEED}`,
  { tags: ['slow'] },
  ({ layout, index }) => proveCompanies(layout, index, 1),
);
