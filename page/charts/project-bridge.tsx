import { address, linkTo, linkToLines } from '../data/address.ts';
import { type Answer, isNonZero, type Row, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, pathOf, reportOf, unitOf } from '../data/catalogue.ts';
import { JUDGMENTS, judge } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { Figure } from '../parts/figure.tsx';
import { Empty, Ready } from '../parts/states.tsx';
import { BridgeChart } from './bridge-chart.tsx';

/** Why the actual amount of a project isn't what was scheduled to date: one effect after the other, for cost, fees, revenue or profit. */
export function ProjectBridge({ catalogue, by }: { catalogue: Catalogue; by: string }) {
  const offered = (reportOf(catalogue, 'projects').parameters.find(({ name }) => name === 'bridge')?.values ?? []).map(
    String,
  );
  const asked = address.value.get('bridge') ?? by;
  const bridge = offered.includes(asked) ? asked : offered[0];
  if (bridge === undefined) return null;
  return (
    <section>
      <div class="heading">
        <h2>Bridge from plan to actual: {bridge}</h2>
        <nav class="switch" aria-label="Bridge">
          {offered.map((name) => (
            <a href={linkTo({ bridge: name })} aria-current={name === bridge ? 'true' : undefined}>
              {name.charAt(0).toUpperCase() + name.slice(1)}
            </a>
          ))}
        </nav>
      </div>
      <Effects catalogue={catalogue} bridge={bridge} />
    </section>
  );
}

function Effects({ catalogue, bridge }: { catalogue: Catalogue; bridge: string }) {
  const reading = useAnswers<Answer>([pathOf(catalogue, 'projects', { bridge })]);
  return (
    <Ready reading={reading} shape={<div class="shape" style={{ height: '272px' }} />}>
      {([answer]) => answer && <Steps {...{ catalogue, bridge, answer }} />}
    </Ready>
  );
}

function Steps({ catalogue, bridge, answer }: { catalogue: Catalogue; bridge: string; answer: Answer }) {
  const { totals, meta } = answer;
  const { columns } = reportOf(catalogue, 'projects');
  const effects = columns.filter(({ name }) => isStep(bridge, name));
  if (!totals || effects.every(({ name }) => textOf(totals, name) === null))
    return <Empty>{UNKNOWN[bridge]} in this window, so nothing leads from the plan to the actual amount.</Empty>;
  const ends = columnsOf(catalogue, 'projects', [`scheduled_to_date_${bridge}`, `actual_${bridge}`]);
  const listed = [...ends.slice(0, 1), ...effects, ...ends.slice(1)];
  const steps = listed
    .filter((column) => ends.includes(column) || isNonZero(totals, column.name))
    .map((column) => ({
      name: ends.includes(column) ? (column === ends[0] ? 'Plan to date' : 'Actual') : shortLabel(column),
      title: column.label,
      value: textOf(totals, column.name),
      isEnd: ends.includes(column),
      better: column.better,
      href: linkToLines(textOf(totals, '_lines') ?? '', column.name),
    }));
  const unpriced = columns.filter(
    ({ name }) => /^(scheduled|actual)_hours_without_/.test(name) && isNonZero(totals, name),
  );
  return (
    <>
      <BridgeChart
        label={`A bridge from ${bridge} scheduled to date to actual ${bridge}. Each step opens what it is made of; the table below has the numbers, too.`}
        steps={steps}
        unit={unitOf({ unit: 'money' }, meta.currency)}
      />
      <details>
        <summary>The bridge as a table</summary>
        <StepTable columns={[...listed, ...unpriced]} totals={totals} currency={meta.currency} />
      </details>
    </>
  );
}

/** Tests for the measure of a step of a bridge: revenue has the effects on fees, and its own of contracts. */
function isStep(bridge: string, name: string): boolean {
  if (!name.endsWith('_effect')) return false;
  return name.startsWith(`${bridge}_`) || (bridge === 'revenue' && name.startsWith('fees_'));
}

/** The reason why a bridge has no effect. */
const UNKNOWN: Readonly<Record<string, string>> = {
  cost: 'No hour of this project has a known cost',
  fees: 'No hour of this project has known fees',
  revenue: 'No hour of this project has known fees',
  profit: 'No hour of this project has known fees, or none has a known cost',
};

/** Returns the label of an effect without the amount that it has an effect on. */
function shortLabel({ label }: Column): string {
  return label.split(',', 1)[0] ?? label;
}

/** The amounts of a bridge, each with what it answers, and the hours without a rate, which are in none of them. */
function StepTable({ columns, totals, currency }: { columns: readonly Column[]; totals: Row; currency: string }) {
  return (
    <div class="scroll">
      <table>
        <caption>Each effect is what remains after the one before it; together they are the difference</caption>
        <thead>
          <tr>
            <th scope="col">Step</th>
            <th scope="col" class="number">
              Amount
            </th>
            <th scope="col">Meaning</th>
          </tr>
        </thead>
        <tbody>
          {columns.map((column) => {
            const value = textOf(totals, column.name);
            const isEffect = column.name.endsWith('_effect');
            const judged = isEffect && value !== null ? judge(value, column.better) : undefined;
            return (
              <tr>
                <th scope="row">{column.label}</th>
                <td class="number">
                  <Figure row={totals} column={column} /> <span class="unit">{unitOf(column, currency)}</span>
                </td>
                <td class="long">
                  {column.description} {judged && `Here ${JUDGMENTS[judged]}.`}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
