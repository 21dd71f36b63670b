import type { Value } from '../../../base/database/index.ts';
import { Exact } from '../../../base/index.ts';
import { measureNameOf, namesInRule } from '../catalogue/insight-rule.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { partsOfNumber } from '../catalogue/measure-meaning.ts';
import type { Column } from '../catalogue/table.ts';
import { needsBills } from '../kinds/kinds.ts';
import { linkNumber } from '../plan/links.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { readSums } from '../run/read-sums.ts';
import { assertTies } from '../run/ties.ts';
import { spellName } from '../run/unknown-ids.ts';
import { INTERNAL_MEASURES } from './internal-work.ts';
import { indexRows, keyColumnsOf, measuredFact, plainFact, type RowFact, type ToldRows } from './row-facts.ts';

/** Reads the rows of a query with the measures that the rules name, whatever columns and rows it shows. */
export async function readRowMeasures(context: ReportContext, query: Query): Promise<ToldRows> {
  const { catalogue, bills } = query.selection;
  const { measures: known, insights } = catalogue;
  const ruled = [...insights.rules.values()].flatMap(namesInRule).map(measureNameOf);
  const names = new Set([...ruled, ...INTERNAL_MEASURES]);
  // Those of bills are unknown in a company without any.
  const measures = [...known.values()].filter(
    (measure) => names.has(measure.name) && (bills !== 'none' || !needsBills(measure)),
  );
  const grouping = { measures, interval: undefined, across: [], hasSubtotals: false };
  const { columns, rows, ties } = await readSums(context, regroup(query, grouping, PLAIN));
  assertTies(ties);
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name);
  const keyNames = keyColumnsOf(query);
  const currency = plainFact(context.company.currency, 'text');
  const told = rows.map((row) => {
    const read = (name: string) => row[placeOf(name)] ?? null;
    const keys = Object.fromEntries(keyNames.map((name) => [name, String(read(name))]));
    const facts = new Map<string, RowFact>([
      ['currency', currency],
      ['budget_unit', plainFact(read('budget_unit'), 'text')],
    ]);
    for (const measure of measures) {
      const link = () => linkNumber(query, countedIn(known, measure), keys);
      facts.set(measure.name, measuredFact(read(measure.name), measure.unit as RowFact['unit'], measure.name, link));
    }
    addExcess(facts);
    return { keys, label: labelRow(columns, row), facts };
  });
  return indexRows(told);
}

/** Returns the measure whose lines are shown: a percentage has none of its own, but those of its part. */
function countedIn(known: ReadonlyMap<string, Measure>, measure: Measure): string {
  const part = known.get(partsOfNumber(measure)[0] ?? '');
  return part ? countedIn(known, part) : measure.name;
}

/** Adds what the forecast of a budget exceeds it by. */
function addExcess(facts: Map<string, RowFact>): void {
  const [forecast, total] = ['budget_forecast', 'budget_total'].map((name) => facts.get(name)?.value ?? null);
  if (forecast && total) facts.set('budget_excess', plainFact(new Exact(forecast).minus(total).toFixed(), 'budget'));
}

/** Returns the names of a row's project and phase, or what is unknown, by its id. */
function labelRow(columns: readonly Column[], row: readonly Value[]): string {
  const read = (name: string) => row[columns.findIndex((column) => column.name === name)] ?? null;
  const isOfPhases = columns.some(({ name }) => name === 'phase_id');
  const project = spellName('project', read(isOfPhases ? 'project' : 'name'), read('project_id'));
  return isOfPhases ? `${project}, ${spellName('phase', read('name'), read('phase_id'))}` : project;
}
