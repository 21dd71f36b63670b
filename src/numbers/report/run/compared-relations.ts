import type { Catalogue } from '../catalogue/catalogue.ts';
import { isOfAgreedFees } from '../compare/fee-points.ts';
import { amountsOf } from '../kinds/kinds.ts';
import { withParts } from '../plan/measure-sql.ts';
import { COMPARED_BILLS, COMPARED_CONTRACTS, COMPARED_RELATIONS } from '../source/relations.ts';

/**
 * Returns the relations that a comparison reads of an earlier state, beside the ledger.
 * @param names Those of its measures; an unknown one may read all.
 */
export function comparedRelations(catalogue: Catalogue, names: readonly string[]): readonly string[] {
  const found = names.map((name) => catalogue.measures.get(name.trim()));
  const known = withParts(
    catalogue,
    found.filter((measure) => measure !== undefined),
  );
  const mayReadAll = found.includes(undefined);
  return [
    ...COMPARED_RELATIONS,
    ...(mayReadAll || known.some(isOfAgreedFees) ? COMPARED_CONTRACTS : []),
    ...(mayReadAll || known.some((measure) => amountsOf(measure).includes('amount')) ? COMPARED_BILLS : []),
  ];
}
