import { earnings } from './contracts.ts';
import { type Exact, percent, ZERO } from './exact.ts';
import { type Model, ownOf } from './ledger.ts';
import type { Measures } from './measures.ts';
import type { Entity, Query } from './parameters.ts';
import { placesOf } from './places.ts';

export const PROGRESS_MEASURES: readonly string[] = ['computed_percent', 'entered_percent'];

/** Returns the progress of the fixed fees of projects or phases (G2): the mean by their totals. */
export function progressMeasuresOf(model: Model, query: Query): (entities: readonly Entity[]) => Measures {
  const { progress } = earnings(model, query).earned;
  const places = [...placesOf(ownOf(model)).values()];
  return (entities) => {
    const own = places.filter((place) =>
      entities.some(
        ({ projectId, phaseId }) =>
          place.project.id === projectId &&
          (phaseId === undefined || (place.project.budgetPriority > 0 && (place.phase?.id ?? 0) === phaseId)),
      ),
    );
    const mean = (part: 'computed' | 'entered'): Exact | null => {
      const known = own.flatMap(({ key, total }) => {
        const value = progress.get(key)?.[part] ?? null;
        return value === null ? [] : [{ total, value }];
      });
      if (known.length === 0) return null;
      const [only] = known;
      if (known.length === 1 && only) return percent(only.value, ZERO.plus(1));
      const sumOf = (amounts: readonly Exact[]) => amounts.reduce((all, amount) => all.plus(amount), ZERO);
      return percent(
        sumOf(known.map(({ total, value }) => total.times(value))),
        sumOf(known.map(({ total }) => total)),
      );
    };
    return { computed_percent: mean('computed'), entered_percent: mean('entered') };
  };
}
