import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { address, linkTo, linkToQuery, linkToScreen } from '../data/address.ts';
import { type Answer, type Meta, type Row, rowsOf, textOf } from '../data/answer.ts';
import { nameOr } from '../data/numbers.ts';

/** A number, a day or a name in a sentence. */
interface InsightNumber {
  readonly unit: string;
  readonly value: string;
  /** The query that lists its lines; null if no line is behind it. */
  readonly query: string | null;
  /** Its characters in the sentence, and the place of the first of them. */
  readonly shown: string;
  readonly at: number;
}

/** A sentence of the server about a row. */
export interface Insight {
  readonly rule: string;
  readonly severity: string;
  readonly text: string;
  readonly numbers: readonly InsightNumber[];
}

/** The sentences about all rows of a report, in its metadata. */
interface PortfolioInsights {
  /** The worst sentences, in their order. */
  readonly worst: readonly (Insight & { readonly row: Readonly<Record<string, string>> })[];
  /** The sentences about all rows together. */
  readonly overall: readonly Insight[];
}

/** Projects of the portfolio whose sentences are shown before the others are asked for. */
const WORST_SHOWN = 3;

/** Marks and words of the gravest sentence of a row, worst first; the mark tells without color. A notice gives no status. */
export const STATUSES: Readonly<Record<string, { readonly mark: string; readonly word: string }>> = {
  over: { mark: '●', word: 'over' },
  at_risk: { mark: '▲', word: 'at risk' },
  notice: { mark: '', word: 'with a notice' },
  on_plan: { mark: '✓', word: 'on plan' },
};

/** Returns the sentences about a row, gravest first; none if they weren't asked for. */
export function insightsOf(row: Row): readonly Insight[] {
  return ((row as Readonly<Record<string, unknown>>)['_insights'] as Insight[] | undefined) ?? [];
}

export function hasStatus(row: Row): boolean {
  return Boolean(statusOf(row));
}

/** Returns whether a row has the severity that the address asks for, if it asks for one. */
export function hasShownStatus(row: Row): boolean {
  const shown = address.value.get('show');
  return shown === null || severityOf(row) === shown;
}

/** Returns the severity of the gravest sentence about a row; undefined without one. */
function severityOf(row: Row): string | undefined {
  return insightsOf(row)[0]?.severity;
}

/** Returns the status of a row with its reason, if it has one and the sentences were asked for. */
export function statusOf(row: Row): { readonly status: string; readonly text: string } | null | undefined {
  return (row as Readonly<Record<string, unknown>>)['_status'] as ReturnType<typeof statusOf>;
}

/** The status of a row in a word and a mark, with its reason. */
export function Status({ row }: { row: Row }) {
  const told = statusOf(row);
  const status = told && STATUSES[told.status];
  if (!told || !status) return null;
  return (
    <span class={`status ${told.status}`} title={told.text}>
      <span aria-hidden="true">{status.mark}</span> {status.word}
    </span>
  );
}

/** Sentences as a list. */
export function Sentences({ insights }: { insights: readonly Insight[] }) {
  if (insights.length === 0) return null;
  return (
    <ul class="sentences">
      {insights.map((insight) => (
        <li>
          <Sentence insight={insight} />
        </li>
      ))}
    </ul>
  );
}

/** A sentence, each of whose numbers opens its lines. */
function Sentence({ insight: { text, numbers } }: { insight: Insight }) {
  const parts: ComponentChildren[] = [];
  let from = 0;
  for (const { query, shown, at } of numbers.toSorted((one, other) => one.at - other.at)) {
    parts.push(text.slice(from, at), query === null ? shown : <a href={linkToQuery(query)}>{shown}</a>);
    from = at + shown.length;
  }
  return <>{[...parts, text.slice(from)]}</>;
}

/** A project that needs a look, with its sentences, gravest first. */
interface Told {
  readonly id: string;
  readonly label: string;
  readonly row: Row;
}

/** Returns the sentences about all rows, if they were asked for. */
function portfolioOf({ meta }: Answer): PortfolioInsights | undefined {
  return (meta as Meta & { readonly insights?: PortfolioInsights }).insights;
}

/** Returns the projects that need a look and are shown, the worst first: those that the server names so, then by status. */
function toldOf(answer: Answer, rows: readonly Row[]): readonly Told[] {
  const worst = portfolioOf(answer)?.worst ?? [];
  const ranks = new Map([...new Set(worst.map(({ row }) => row['project_id']))].map((id, rank) => [id, rank]));
  const rankOf = ({ id, row }: Told) =>
    ranks.get(id) ?? ranks.size + Object.keys(STATUSES).indexOf(severityOf(row) ?? '');
  return rows
    .filter((row) => !['on_plan', undefined].includes(severityOf(row)))
    .map((row) => {
      const id = textOf(row, 'project_id') ?? '';
      return { id, row, label: nameOr(textOf(row, 'name'), id, 'project') };
    })
    .toSorted((one, other) => rankOf(one) - rankOf(other));
}

/** The projects that need a look, the worst first, with the reason of each. Its numbers count the rows of the table below and the cards. */
export function Worst({ answer }: { answer: Answer }) {
  const rows = rowsOf(answer);
  const shown = address.value.get('show');
  const counts = Object.entries(STATUSES).flatMap(([name, { word }]) => {
    const count = rows.filter((row) => severityOf(row) === name).length;
    return count > 0 ? [{ name, text: `${count} ${word}`, isShown: name === shown }] : [];
  });
  const overall = portfolioOf(answer)?.overall ?? [];
  if (counts.length === 0 && overall.length === 0) return null;
  const cards = toldOf(answer, rows.filter(hasShownStatus));
  const [first, others] = [cards.slice(0, WORST_SHOWN), cards.slice(WORST_SHOWN)];
  return (
    <section class="worst" aria-label="What needs a look">
      <p>
        <strong>
          {counts.map(({ name, text, isShown }, index) => (
            <>
              {index > 0 && ', '}
              <a
                class="opens"
                href={linkTo({ show: isShown ? undefined : name })}
                aria-current={isShown ? 'true' : undefined}
              >
                {text}
              </a>
            </>
          ))}
        </strong>
      </p>
      <Sentences insights={overall} />
      <Cards of={first} />
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} more {others.length === 1 ? 'project' : 'projects'}
          </summary>
          <Cards of={others} />
        </details>
      )}
    </section>
  );
}

/** A card for each project, with its sentences together. */
function Cards({ of }: { of: readonly Told[] }) {
  return (
    <ul class="cards">
      {of.map((told) => (
        <Card key={told.id} {...told} />
      ))}
    </ul>
  );
}

/** The sentences about a project, the gravest first; the others on request, and on paper. */
function Card({ id, label, row }: Told) {
  const [isOpen, open] = useState(false);
  const insights = insightsOf(row);
  return (
    <li class={isOpen ? 'card open' : 'card'}>
      <a class="place" href={linkToScreen('project', { project_id: id })}>
        {label}
      </a>{' '}
      {insights.length > 1 && (
        <button type="button" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
          {isOpen ? 'less' : `${insights.length - 1} more`}
        </button>
      )}
      <Sentences insights={insights} />
    </li>
  );
}

/** Returns the day on which a row's budget was passed, if a sentence names it. */
export function passedOn(row: Row): string | undefined {
  return dayOf(row, ['budget_passed'])?.value;
}

/** Returns the day on which a row's budget was passed or the plan passes it, if a sentence names one. */
export function breaksOn(row: Row): InsightNumber | undefined {
  return dayOf(row, ['budget_passed', 'budget_at_risk']);
}

function dayOf(row: Row, rules: readonly string[]): InsightNumber | undefined {
  const told = insightsOf(row).find(({ rule }) => rules.includes(rule));
  return told?.numbers.find(({ unit }) => unit === 'date');
}
