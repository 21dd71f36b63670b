import { Decimal } from 'decimal.js';

/** Decimals with the precision for any sum, product or quotient of DECIMAL(38,4). */
export const Exact = Decimal.clone({ precision: 60 });
