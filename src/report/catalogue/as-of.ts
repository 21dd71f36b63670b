import type { AsOf, AsOfState } from './as-of-state.ts';
import type { Catalogue } from './catalogue.ts';
import { digestMeasures } from './measure-digest.ts';
import type { Measure } from './measure-kinds.ts';

export function describeAsOf(
  { state, number, kind, keptAt, measures: kept }: AsOfState,
  catalogue: Catalogue,
  measures: readonly Measure[],
): AsOf {
  const present = digestMeasures(catalogue);
  const digestKept = ({ name, formerly = [] }: Measure) => kept[[name, ...formerly].find((each) => kept[each]) ?? name];
  const changed = measures.filter((measure) => digestKept(measure) !== present[measure.name]).map(({ name }) => name);
  const described = { state, number, kind, kept_at: keptAt };
  if (changed.length === 0) return { ...described, definitions: 'same' };
  return { ...described, definitions: 'changed', changed_measures: changed };
}
