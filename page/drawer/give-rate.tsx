import { useState } from 'preact/hooks';
import { address, go, linkToClosed } from '../data/address.ts';
import { isNonZero, type Meta, type Row, textOf } from '../data/answer.ts';
import { type Failure, sendJson } from '../data/api.ts';
import { type Catalogue, causesOf, columnsOf, unitOf, windowOf } from '../data/catalogue.ts';
import { formatDecimal } from '../data/numbers.ts';
import { readAgain } from '../data/reading.ts';
import type { Cause } from '../parts/causes.tsx';

/** A rate that findings say is missing, and the body of a person that gives it. */
interface MissingRate {
  readonly label: string;
  /** Returns the body that gives the rate from a day on. */
  readonly from: (rate: string, day: string) => object;
  /** Returns the body that gives it for all days; undefined for a rate that always has a first one. */
  readonly always?: (rate: string) => object;
  /** The measures that it changes. */
  readonly measures: readonly string[];
}

/** Missing rates by the check that finds them. */
const MISSING: Readonly<Record<string, MissingRate>> = {
  hours_without_cost_rate: {
    label: 'Cost rate',
    from: (cost_rate, effective_date) => ({ cost_rate, effective_date }),
    measures: ['actual_cost', 'forecast_cost'],
  },
  hours_without_bill_rate: {
    label: 'Bill rate',
    from: (rate, effective_date) => ({ bill_rate_history: { add: [{ rate, effective_date }] } }),
    always: (default_hourly_rate) => ({ default_hourly_rate }),
    measures: ['actual_fees', 'forecast_fees'],
  },
};

/** A form that gives the rate that a cause of findings lacks, with a preview of its effect. Nothing for readers who can't write it. */
export function GiveRate({ catalogue, cause }: { catalogue: Catalogue; cause: Cause }) {
  const missing = MISSING[textOf(cause, 'check') ?? ''];
  const isKnown = textOf(cause, 'is_known') === 'true';
  const seesRates = columnsOf(catalogue, 'pivot', ['actual_cost']).length > 0;
  const isOfNow = address.value.get('as_of') === null;
  const may = catalogue.abilities.includes('write') && isKnown && seesRates && isOfNow;
  if (!may || !missing) return null;
  return <RateForm key={textOf(cause, 'people_id')} {...{ catalogue, cause, missing }} />;
}

interface Previewed {
  readonly preview: { readonly totals: { readonly changes: readonly Row[] } };
  readonly meta: Meta;
}

function RateForm({ catalogue, cause, missing }: { catalogue: Catalogue; cause: Cause; missing: MissingRate }) {
  const { label, from, always, measures } = missing;
  const [rate, setRate] = useState('');
  const [day, setDay] = useState(textOf(cause, 'first_date') ?? '');
  const [isAlways, setAlways] = useState(false);
  const [word, say] = useState('');
  const [seen, show] = useState<Previewed>();
  const path = `/v3/people/${textOf(cause, 'people_id')}`;
  const body = always && isAlways ? always(rate) : from(rate, day);
  const attempt = (work: Promise<void>) => {
    say('Reading');
    work.then(
      () => say(''),
      ({ message }: Failure) => say(message),
    );
  };
  const preview = async () => {
    const cutoff = address.value.get('cutoff_date');
    const parameters = {
      ...{ ...windowOf(), group_by: 'project', measures: measures.join(','), people_id: textOf(cause, 'people_id') },
      ...(cutoff !== null && { cutoff_date: cutoff }),
    };
    const changes = [{ method: 'PATCH', path, body }];
    show(await sendJson('/v3/preview?decimals=string', { changes, report: 'pivot', parameters, measures }));
  };
  const write = async () => {
    await sendJson(path, body, 'PATCH');
    go(linkToClosed());
    readAgain();
  };
  /** Takes another value, of which the effect isn't known yet. */
  const change = (set: (value: string) => void, value: string) => {
    set(value);
    show(undefined);
  };
  return (
    <form
      class="selects"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(preview());
      }}
    >
      <label>
        {label}{' '}
        <input
          required
          inputMode="decimal"
          size={8}
          value={rate}
          onInput={({ currentTarget }) => change(setRate, currentTarget.value)}
        />
      </label>
      {always && (
        <label>
          holds{' '}
          <select
            value={isAlways ? 'always' : 'from'}
            onChange={({ currentTarget }) => change((value) => setAlways(value === 'always'), currentTarget.value)}
          >
            <option value="from">from a day on</option>
            <option value="always">always</option>
          </select>
        </label>
      )}
      {!isAlways && (
        <label>
          from{' '}
          <input
            required
            type="date"
            value={day}
            onInput={({ currentTarget }) => change(setDay, currentTarget.value)}
          />
        </label>
      )}
      <button type="submit">Show its effect</button>
      {seen && <Effect catalogue={catalogue} seen={seen} />}
      {seen && (
        <button type="button" onClick={() => attempt(write())}>
          Give the rate
        </button>
      )}
      <span role="status">{word}</span>
    </form>
  );
}

/** The effect of a rate on the window, before it is written. */
function Effect({ catalogue, seen: { preview, meta } }: { catalogue: Catalogue; seen: Previewed }) {
  const causes = causesOf(catalogue);
  return (
    <ul class="sentences">
      {preview.totals.changes.map((row) => {
        const [column] = columnsOf(catalogue, 'pivot', [textOf(row, 'measure') ?? '']);
        const parts = causes.filter(({ name }) => isNonZero(row, name));
        const words = (name: string, isSigned = false) => {
          const text = textOf(row, name);
          return text === null ? 'unknown' : formatDecimal(text, isSigned);
        };
        return (
          column && (
            <li>
              {column.label}: {words('value_then')} → {words('value_now')} {unitOf(column, meta.currency)}:{' '}
              {parts.map(({ name, label }) => `${label.toLowerCase()} ${words(name, true)}`).join(', ') || 'no change'}
            </li>
          )
        );
      })}
      {meta.notes.map((note) => (
        <li>{note}</li>
      ))}
    </ul>
  );
}
