import { type Catalogue, measuresOf, offeredMeasures, type Report } from '../catalogue/catalogue.ts';
import { judgeOf } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { besideCauses } from '../compare/compile-changes.ts';
import { budgetPartOf } from '../kinds/kinds.ts';
import { LINK_COLUMN } from '../plan/links.ts';

export interface OfferedColumn extends Column {
  /** The parameter that adds it; undefined for a permanent column. */
  readonly when: string | undefined;
  readonly group: string | undefined;
}

/** Returns every possible column of a report, by the definitions. */
export function columnsOf(catalogue: Catalogue, report: Report): OfferedColumn[] {
  const attributes = Object.entries(report.list ?? {}).map(([name, { needs_rates, ...entry }]) =>
    offer({ name, ...entry, needsRates: needs_rates }),
  );
  const contributions = Object.entries(report.contributions?.columns ?? {}).map(([name, { needs_rates, ...entry }]) =>
    offer({ name, ...entry, needsRates: needs_rates, when: 'measure' }),
  );
  // The rows of changed-lines are lines: group_by only chooses whose budgets are meant.
  const hasDimensions = report.compares && report.parameters?.includes('measures');
  const rows = hasDimensions ? dimensionColumns(catalogue).map(besideCauses) : [];
  if (report.list) return [...rows, ...attributes, ...contributions];
  const measures = offeredMeasures(catalogue, report);
  const shown = measuresOf(catalogue, report);
  const isPivot = !report.columns;
  return [
    ...(isPivot ? dimensionColumns(catalogue) : namedColumns(catalogue, report)),
    ...(report.parameters?.includes('interval') ? PERIOD_COLUMNS : []),
    ...(measures.some(budgetPartOf) ? [budgetUnit(isPivot)] : []),
    ...(measures.some(({ kind }) => kind === 'retainer') ? [retainerUnit(isPivot)] : []),
    ...measures.map((measure) => {
      const { better, unjudged } = judgeOf(catalogue, measure);
      const when = isPivot ? 'measures' : shown.includes(measure) ? undefined : 'fields';
      return offer({ ...measure, better, unjudged, needsRates: measure.needs_rates, when });
    }),
    ...(report.parameters?.includes('links') ? [offer({ ...LINK_COLUMN, when: 'links' })] : []),
  ];
}

const PERIOD_COLUMNS: readonly OfferedColumn[] = [
  ['period_start', 'Period start', 'The first day of the period that is in the window.'] as const,
  ['period_end', 'Period end', 'The last day of the period that is in the window.'] as const,
].map(([name, label, description]) => offer({ name, label, unit: 'date', description, when: 'interval' }));

function budgetUnit(isPivot: boolean): OfferedColumn {
  const description = 'What the budget is counted in: hours, or the currency.';
  return offer({
    name: 'budget_unit',
    label: 'Budget unit',
    unit: 'text',
    description,
    when: isPivot ? 'measures' : undefined,
  });
}

function retainerUnit(isPivot: boolean): OfferedColumn {
  const description = 'What the retainer is counted in: hours, or the currency.';
  return offer({
    name: 'retainer_unit',
    label: 'Retainer unit',
    unit: 'text',
    description,
    when: isPivot ? 'measures' : 'fields',
  });
}

function namedColumns(catalogue: Catalogue, report: Report): OfferedColumn[] {
  return Object.entries(report.columns ?? {}).flatMap(([name, target]) => {
    const [dimension = '', attribute = ''] = target.split('.');
    const entry = catalogue.dimensions.get(dimension)?.attributes[attribute];
    return entry ? [offer({ name, ...entry, needsRates: entry.needs_rates })] : [];
  });
}

/** Returns the columns that a pivot shows of each dimension, without duplicate names. */
function dimensionColumns(catalogue: Catalogue): OfferedColumn[] {
  const columns = [...catalogue.dimensions.values()].flatMap(({ attributes, shown }) =>
    shown.flatMap((name) => {
      const entry = attributes[name];
      return entry ? [offer({ name, ...entry, needsRates: entry.needs_rates, when: 'group_by' })] : [];
    }),
  );
  return [...new Map(columns.map((column) => [column.name, column])).values()];
}

interface Offer extends Pick<Column, 'name' | 'label' | 'unit' | 'description'> {
  readonly needsRates?: boolean | undefined;
  readonly when?: string | undefined;
  readonly group?: string | undefined;
  readonly better?: Column['better'];
  readonly unjudged?: Column['unjudged'];
}

function offer({ needsRates = false, ...offered }: Offer): OfferedColumn {
  const { name, label, unit, description, when, group, better, unjudged } = offered;
  return { name, label, unit, description, needsRates, when, group, better, unjudged };
}
