import type { Value } from '../../database/database.ts';
import { measureNameOf, namesInRule } from '../catalogue/insight-rule.ts';
import { parseRatio } from '../catalogue/measure-formula.ts';
import type { Column } from '../catalogue/table.ts';
import { linkNumber } from '../plan/links.ts';
import { PLAIN, regroup } from '../request/change-query.ts';
import type { Query } from '../request/query.ts';
import type { ReportContext } from '../run/context.ts';
import { readSums } from '../run/read-sums.ts';
import { assertTies } from '../run/ties.ts';
import { indexRows, keyColumnsOf, measuredFact, plainFact, type RowFact, type ToldRows } from './row-facts.ts';

/** Reads the rows of a query with the measures that the rules name, whatever columns and rows it shows. */
export async function readRowMeasures(context: ReportContext, query: Query): Promise<ToldRows> {
  const { measures: known, insights } = query.selection.catalogue;
  const names = new Set([...insights.rules.values()].flatMap(namesInRule).map(measureNameOf));
  const measures = [...known.values()].filter(({ name }) => names.has(name));
  const { columns, rows, ties } = await readSums(context, regroup(query, { measures, interval: undefined }, PLAIN));
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
    for (const { name, unit, kind, of } of measures) {
      // A percentage has no lines of its own: those of its part are shown.
      const counted = kind === 'percent' ? parseRatio(of)[0] : name;
      const link = () => linkNumber(query, counted, keys);
      facts.set(name, measuredFact(read(name), unit as RowFact['unit'], name, link));
    }
    return { keys, label: labelRow(columns, row), facts };
  });
  return indexRows(told);
}

/** Returns the names of a row's project and phase, or their ids where they have no name. */
function labelRow(columns: readonly Column[], row: readonly Value[]): string {
  const read = (name: string) => row[columns.findIndex((column) => column.name === name)] ?? null;
  const isOfPhases = columns.some(({ name }) => name === 'phase_id');
  const project = read(isOfPhases ? 'project' : 'name') || `(project ${read('project_id')})`;
  return isOfPhases ? `${project}, ${read('name') || `(phase ${read('phase_id')})`}` : String(project);
}
