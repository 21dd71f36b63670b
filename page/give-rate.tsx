import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { address, go, linkToClosed } from './address.ts';
import { isNonZero, type Meta, type Row, textOf } from './answer.ts';
import { type Failure, sendJson } from './api.ts';
import { type Catalogue, columnsOf, unitOf, windowOf } from './catalogue.ts';
import type { Cause } from './causes.tsx';
import { CAUSES } from './change-bridge.tsx';
import { formatDecimal } from './numbers.ts';
import { readAgain, useRound } from './reading.ts';

/** A rate that findings say is missing, and the field of a person that gives it. */
interface MissingRate {
  readonly label: string;
  readonly field: string;
  /** True for a rate that holds from a day on. */
  readonly isFromDay: boolean;
  /** The measures that it changes. */
  readonly measures: readonly string[];
}

/** Missing rates by the check that finds them. */
const MISSING: Readonly<Record<string, MissingRate>> = {
  hours_without_cost_rate: {
    ...{ label: 'Cost rate', field: 'cost_rate', isFromDay: true },
    measures: ['actual_cost', 'forecast_cost'],
  },
  hours_without_bill_rate: {
    ...{ label: 'Bill rate', field: 'default_hourly_rate', isFromDay: false },
    measures: ['actual_fees', 'forecast_fees'],
  },
};

/** True if the server takes changes of this reader; undefined before it is asked. */
const mayWrite = signal<boolean | undefined>(undefined);

/** Asks the server whether it takes changes of this reader: by one of nobody, who is looked for once writing is allowed. */
function useMayWrite(isAsked: boolean): boolean {
  const round = useRound();
  useEffect(() => {
    if (!isAsked) return;
    sendJson('/v3/people/0', {}, 'PATCH').catch(({ status }: Failure) => {
      mayWrite.value = status === 404;
    });
  }, [round, isAsked]);
  return isAsked && mayWrite.value === true;
}

/** A form that gives the rate that a cause of findings lacks, with a preview of its effect. Nothing for readers who can't write it. */
export function GiveRate({ catalogue, cause }: { catalogue: Catalogue; cause: Cause }) {
  const missing = MISSING[textOf(cause, 'check') ?? ''];
  const isKnown = textOf(cause, 'is_known') === 'true';
  const seesRates = columnsOf(catalogue, 'pivot', ['actual_cost']).length > 0;
  const isOfNow = address.value.get('as_of') === null;
  const may = useMayWrite(missing !== undefined && isKnown && seesRates && isOfNow);
  if (!may || !missing) return null;
  return <RateForm key={textOf(cause, 'people_id')} {...{ catalogue, cause, missing }} />;
}

interface Previewed {
  readonly preview: { readonly totals: { readonly changes: readonly Row[] } };
  readonly meta: Meta;
}

function RateForm({ catalogue, cause, missing }: { catalogue: Catalogue; cause: Cause; missing: MissingRate }) {
  const { label, field, isFromDay, measures } = missing;
  const [rate, setRate] = useState('');
  const [day, setDay] = useState(textOf(cause, 'first_date') ?? '');
  const [word, say] = useState('');
  const [seen, show] = useState<Previewed>();
  const path = `/v3/people/${textOf(cause, 'people_id')}`;
  const body = { [field]: rate, ...(isFromDay && { effective_date: day }) };
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
      {isFromDay && (
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
  const causes = columnsOf(catalogue, 'changes', CAUSES);
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
