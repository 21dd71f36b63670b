import { address, linkTo } from '../data/address.ts';
import type { Answer } from '../data/answer.ts';
import { type Catalogue, unitOf } from '../data/catalogue.ts';
import { formatRead } from '../data/numbers.ts';
import { linkToChanges, wordsOfSince } from '../head/since.tsx';
import { Ready, TableShape } from '../parts/states.tsx';
import { type Difference, differencesOf, type Parameters, useDifferences } from './since-changes.ts';

interface NewsProps {
  readonly catalogue: Catalogue;
  /** The measures that the screen is about. */
  readonly measures: readonly string[];
  /** Parameters of its reports that aren't in the address. */
  readonly own?: Parameters;
}

/** The sentences of what has changed since the state of the address; nothing without one. */
export function SinceNews({ catalogue, measures, own = {} }: NewsProps) {
  const found = useDifferences(catalogue, measures, own);
  if (!found) return <UnknownSince />;
  const { state, reading } = found;
  return (
    <section class="since-news" aria-label="What has changed">
      <div class="heading">
        <h2>Since {wordsOfSince(state)}</h2>
        <a href={linkToChanges(state, measures[0] ?? '')}>All changes</a>
        <a href={linkTo({ since: undefined })}>Don’t show changes</a>
      </div>
      <Ready reading={reading} shape={<TableShape rows={3} />}>
        {([answer]) => answer && <Sentences catalogue={catalogue} answer={answer} own={own} />}
      </Ready>
    </section>
  );
}

/** Says that the address names a state that isn't kept. */
function UnknownSince() {
  const asked = address.value.get('since');
  if (asked === null) return null;
  return (
    <p class="news" role="status">
      No state “{asked}” is kept. <a href={linkTo({ since: undefined })}>Don’t show changes</a>
    </p>
  );
}

function Sentences({ catalogue, answer, own }: { catalogue: Catalogue; answer: Answer; own: Parameters }) {
  const told = differencesOf(catalogue, answer, own);
  const changed = told.filter(({ difference }) => isChanged(difference));
  const same = told.filter(({ difference }) => !isChanged(difference)).map(({ column }) => column.label);
  return (
    <ul class="sentences">
      {changed.map(({ column, difference }) => (
        <li>
          {column.label}: <Value of={difference} /> {unitOf(column, answer.meta.currency)}
          {difference.causes.length > 0 && ': '}
          <Causes of={difference} />
        </li>
      ))}
      {same.length > 0 && <li>No change: {same.join(', ')}</li>}
    </ul>
  );
}

function isChanged({ value, causes }: Difference): boolean {
  return value === null || /[1-9]/.test(value) || causes.length > 0;
}

/** A difference that opens its lines. */
export function Value({ of: { value, unit, href } }: { of: Difference }) {
  const text = value === null ? 'unknown' : formatRead(value, unit, true);
  return href === undefined ? <span>{text}</span> : <a href={href}>{text}</a>;
}

/** The causes of a difference, each of which opens its lines; a single one without its number, which is the difference. */
export function Causes({ of: { value: whole, unit, causes } }: { of: Difference }) {
  return (
    <>
      {causes.map(({ word, description, value, href }, index) => (
        <>
          {index > 0 && ', '}
          {value === whole ? (
            <a href={href} title={description}>
              {word}
            </a>
          ) : (
            <>
              <span title={description}>{word}</span> <a href={href}>{formatRead(value, unit, true)}</a>
            </>
          )}
        </>
      ))}
    </>
  );
}
