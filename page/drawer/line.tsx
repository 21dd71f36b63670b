import { signal } from '@preact/signals';
import { address, linkTo } from '../data/address.ts';
import { type Answer, type Row, rowsOf, type Value } from '../data/answer.ts';
import { isNumber, stateParameters, unitOf } from '../data/catalogue.ts';
import { formatDate, formatDecimal } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { idOf } from '../parts/line-links.tsx';
import { Ready, TableShape } from '../parts/states.tsx';
import { pathOfLines } from './line-pages.tsx';

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

/** The lines in the drawer's list, in its order, between which a line's arrows go. */
interface ListedLines {
  /** The query of the number that they are behind. */
  readonly query: string;
  readonly ids: readonly string[];
  /** The number of all of them, of which the ids may be the first. */
  readonly count: number;
}

const NONE: ListedLines = { query: '', ids: [], count: 0 };

/** The list that was shown last, with its further pages. */
export const nextLines = signal<ListedLines | undefined>(undefined);

/** Links to the lines before and after one in its list. @param query The query of the number behind which the list is. */
export function LineNeighbors({ id, query }: { id: string; query: string }) {
  const shown = nextLines.value?.query === query ? nextLines.value : undefined;
  // An address that was opened by itself has shown no list yet.
  const reading = useAnswers<Answer>(shown ? [] : [pathOfLines(query)]);
  const [first] = reading.state === 'ready' ? reading.answers : [];
  const { ids, count } = shown ?? (first ? listLines(query, first, rowsOf(first)) : NONE);
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

/** Returns the list of lines that have been read. */
export function listLines(query: string, { meta }: Answer, rows: readonly Row[]): ListedLines {
  return { query, ids: rows.flatMap((row) => idOf(row) ?? []), count: meta.row_count ?? rows.length };
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
