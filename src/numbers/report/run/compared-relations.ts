import type { Catalogue } from '../catalogue/catalogue.ts';
import { isOfAgreedFees } from '../compare/fee-points.ts';
import { withParts } from '../plan/measure-sql.ts';
import { COMPARED_CONTRACTS, COMPARED_RELATIONS } from '../source/relations.ts';

/**
 * Returns the relations that a comparison reads of an earlier state, beside the ledger.
 * @param names Those of its measures; an unknown one may read all.
 */
export function comparedRelations(catalogue: Catalogue, names: readonly string[]): readonly string[] {
  const isStored = names.every((name) => {
    const measure = catalogue.measures.get(name.trim());
    return measure !== undefined && !withParts(catalogue, [measure]).some(isOfAgreedFees);
  });
  return isStored ? COMPARED_RELATIONS : [...COMPARED_RELATIONS, ...COMPARED_CONTRACTS];
}
