import { AppError } from '../../../base/index.ts';
import { type Baseline, compareWith } from './baseline.ts';
import { BRIDGES, measuresOfBridge } from './bridges.ts';
import { type Catalogue, columnOfOrder, offeredMeasures, type Parameter, type Report } from './catalogue.ts';
import { hideRateRules } from './insight-rule.ts';

/** Returns the names of a report's columns that reveal a cost. */
export function hiddenColumns(catalogue: Catalogue, report: Report): string[] {
  const listed = Object.entries(report.list ?? {}).filter(([, column]) => column.needs_rates);
  const measures = offeredMeasures(catalogue, report).filter((measure) => measure.needs_rates);
  return [...listed.map(([name]) => name), ...measures.map(({ name }) => name)];
}

/** The catalogue for readers with the scope rates, and for those without. */
export interface Catalogues {
  readonly full: Catalogue;
  readonly withoutRates: Catalogue;
}

/** Returns the definitions that a reader may see, which name the baseline if there is one. */
export function chooseCatalogue(
  { full, withoutRates }: Catalogues,
  { seesRates = true, baseline }: { readonly seesRates?: boolean; readonly baseline?: Baseline | undefined },
): Catalogue {
  const catalogue = seesRates ? full : withoutRates;
  return baseline ? compareWith(catalogue, baseline) : catalogue;
}

/** Returns the catalogue without the measures, columns, bridges and sentences that reveal a cost. */
export function hideRates(catalogue: Catalogue): Catalogue {
  const measures = new Map([...catalogue.measures].filter(([, measure]) => !measure.needs_rates));
  const reports = [...catalogue.reports].map(([name, report]) => {
    const hidden = hiddenColumns(catalogue, report);
    const keep = (names: readonly string[]) => names.filter((name) => !hidden.includes(columnOfOrder(name)));
    const shown: Report = {
      ...report,
      ...(report.list && {
        list: Object.fromEntries(Object.entries(report.list).filter(([column]) => !hidden.includes(column))),
      }),
      ...(report.sort && { sort: keep(report.sort) }),
      ...(report.table && { table: keep(report.table) }),
    };
    return [name, shown] as const;
  });
  const parameters = [...catalogue.parameters].map(
    ([name, parameter]) => [name, hideEarnedCost(hideBridges(parameter, measures))] as const,
  );
  const insights = hideRateRules(catalogue.insights, catalogue.measures);
  return { ...catalogue, measures, parameters: new Map(parameters), reports: new Map(reports), insights };
}

/** Returns the parameter `bridge` with the bridges whose measures are all shown; others as they are. */
function hideBridges(parameter: Parameter, shown: ReadonlyMap<string, unknown>): Parameter {
  if (parameter.name !== 'bridge') return parameter;
  return {
    ...parameter,
    values: BRIDGES.filter((bridge) => measuresOfBridge(bridge).every((name) => shown.has(name))),
  };
}

/** Returns the parameter `earned_in` without cost; others as they are. */
function hideEarnedCost(parameter: Parameter): Parameter {
  const { name, values } = parameter;
  if (name !== 'earned_in' || !Array.isArray(values)) return parameter;
  return { ...parameter, values: values.filter((value) => value !== 'cost') };
}

const NAMING = ['fields', 'sort', 'measures', 'measure', 'bridge'];

/**
 * Checks that a request names no hidden column.
 * @throws AppError forbidden, with one entry for each parameter that does.
 */
export function assertVisible(sent: Readonly<Record<string, string>>, hidden: readonly string[]): void {
  const fields = NAMING.flatMap((field) => {
    const text = sent[field] ?? '';
    const bridge = BRIDGES.find((each) => field === 'bridge' && each === text);
    const names = bridge ? measuresOfBridge(bridge) : text.split(',').map((name) => name.replace(/^-/, ''));
    const refused = names.filter((name) => hidden.includes(name));
    return refused.length > 0
      ? [{ field, message: `${field} names ${refused.join(', ')}, which need the scope rates` }]
      : [];
  });
  if (sent['earned_in'] === 'cost' && hidden.length > 0)
    fields.push({ field: 'earned_in', message: 'earned_in: earned value in cost needs the scope rates' });
  if (fields.length === 0) return;
  throw new AppError('forbidden', fields.map(({ message }) => message).join('; '), {
    fields,
    hint: 'Leave them out, or use a token that has the scope rates.',
  });
}
