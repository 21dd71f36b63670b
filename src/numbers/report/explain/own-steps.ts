import type { Database, Value } from '../../../base/database/index.ts';
import {
  type KindDefinition,
  readKindDefinitions,
  type StepFact,
  type StepRule,
} from '../catalogue/kind-definition.ts';
import type { StateSource } from '../source/state-source.ts';
import { fact, type LineStep, levels, step } from './line-steps.ts';

/**
 * Describes the decisions of the rules about a line whose amounts are its own, as the file of its kind has them.
 * @param line SQL of the line: a SELECT of one row.
 */
export async function ownSteps(
  database: Database,
  source: StateSource,
  kind: string,
  line: string,
): Promise<LineStep[]> {
  const { records = {}, steps = [] }: Partial<KindDefinition> = readKindDefinitions().get(kind) ?? {};
  const isShown = ({ needs_rates = false }: Pick<StepFact, 'needs_rates'>) => source.reader.seesRates || !needs_rates;
  const shown = steps.filter(isShown).map(({ facts = [], levels: asked = [], ...each }) => ({
    ...each,
    facts: facts.filter(isShown),
    levels: asked.filter(isShown),
  }));
  const values = shown.flatMap((each) => [...each.facts, ...each.levels].map(({ value }) => value));
  const conditions = shown.flatMap(({ text }) => (typeof text === 'string' ? [] : text.flatMap((one) => one.if ?? [])));
  const expressions = [...new Set([...values, ...conditions])];
  const joins = Object.entries(records).map(
    ([name, { relation, on }]) => `LEFT JOIN ${source.defined(relation)} AS ${name} ON ${on}`,
  );
  const [row] = await database.rows<Record<string, Value>>(`
SELECT ${['1 AS found', ...expressions.map((sql, place) => `${sql} AS value_${place}`)].join(',\n  ')}
FROM (${line}) AS line
${joins.join('\n')}`);
  const readValue = (sql: string) => row?.[`value_${expressions.indexOf(sql)}`] ?? null;
  const read = ({ label, value, unit }: StepFact) => fact(label, readValue(value), unit);
  const sayText = (text: StepRule['text']) =>
    typeof text === 'string'
      ? text
      : (text.find((one) => one.if === undefined || readValue(one.if) === true)?.says ?? '');
  return shown.map(({ name, title, rule, text, facts, levels: asked }) =>
    step(name, title, rule, { text: sayText(text), facts: facts.map(read), levels: levels(asked.map(read)) }),
  );
}
