import { signal } from '@preact/signals';
import { address, linkTo } from './address.ts';
import type { Answer, Row, Value } from './answer.ts';
import { isNumber, stateParameters, unitOf } from './catalogue.ts';
import { formatDate, formatDecimal } from './numbers.ts';
import { useAnswers } from './reading.ts';
import { Ready, TableShape } from './states.tsx';

/** A step on the way from a record to a priced line. */
interface Step {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly facts?: readonly Fact[];
  /** The levels at which a rate was looked for, in order; one at most decides. */
  readonly levels?: readonly (Fact & { readonly wins: boolean })[];
}

/** A value that a rule looked at. */
interface Fact {
  readonly label: string;
  readonly value: Value;
  readonly unit: string;
}

/** The answer of /v3/explain for a line. */
interface LineAnswer extends Answer {
  readonly explain: { readonly line: Row; readonly steps: readonly Step[] };
}

/** The ids of the lines in the drawer's list, in its order, between which a line's arrows go, and the number of all lines. */
export const nextLines = signal<{ readonly ids: readonly string[]; readonly count: number }>({ ids: [], count: 0 });

/** Links to the lines before and after one in its list. */
export function LineNeighbors({ id }: { id: string }) {
  const { ids, count } = nextLines.value;
  const at = ids.indexOf(id);
  if (at < 0) return null;
  const [before, after] = [ids[at - 1], ids[at + 1]];
  return (
    <span class="neighbors">
      {before && <a href={linkTo({ line: before })}>‹ Line before</a>}{' '}
      <span class="hint">
        {at + 1} of {count}
      </span>{' '}
      {after && <a href={linkTo({ line: after })}>Line after ›</a>}
    </span>
  );
}

/** The reasons of a line and of its rates, step by step. */
export function LineExplanation({ id }: { id: string }) {
  // A line of the drawer is of the same states as the number that it is behind.
  const states = stateParameters(new URLSearchParams(address.value.get('lines') ?? address.value));
  const reading = useAnswers<LineAnswer>([`/v3/explain?${new URLSearchParams({ line_id: id, ...states })}`]);
  return (
    <Ready reading={reading} shape={<TableShape rows={12} />}>
      {([answer]) => answer && <Steps answer={answer} />}
    </Ready>
  );
}

function Steps({ answer: { explain, meta } }: { answer: LineAnswer }) {
  const { line, steps } = explain;
  const subject = [line['person'], line['project'], line['phase'], line['task']].filter(
    (text) => text !== null && text !== '',
  );
  return (
    <>
      <h2>
        {capitalize(String(line['kind']))}, {formatDate(String(line['date']))}
      </h2>
      <p>{subject.join(' · ')}</p>
      <ol class="steps">
        {steps.map(({ name, title, text, facts = [], levels = [] }) => (
          <li key={name}>
            <h3>{title}</h3>
            <p>{text}</p>
            {facts.length > 0 && (
              <dl>
                {facts.map((fact) => (
                  <div>
                    <dt>{fact.label}</dt>
                    <dd>{write(fact, meta.currency)}</dd>
                  </div>
                ))}
              </dl>
            )}
            {levels.length > 0 && <Levels levels={levels} currency={meta.currency} />}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Every level of a rate that was looked at, with the one that won. */
function Levels({ levels, currency }: { levels: NonNullable<Step['levels']>; currency: string }) {
  return (
    <table>
      <caption class="unseen">Levels in order</caption>
      <thead>
        <tr>
          <th scope="col">Level</th>
          <th scope="col">Says</th>
          <th scope="col">Decides</th>
        </tr>
      </thead>
      <tbody>
        {levels.map((level) => (
          <tr class={level.wins ? 'wins' : ''}>
            <th scope="row">{level.label}</th>
            <td>{write(level, currency)}</td>
            <td>{level.wins ? '✓ this one' : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function write({ value, unit }: Fact, currency: string): string {
  if (value === null) return 'nothing';
  if (unit === 'boolean') return String(value) === 'true' ? 'yes' : 'no';
  if (unit === 'date') return formatDate(String(value));
  const column = { unit };
  return isNumber(column) ? `${formatDecimal(String(value))} ${unitOf(column, currency)}` : String(value);
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
