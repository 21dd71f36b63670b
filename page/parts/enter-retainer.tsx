import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { address } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Failure, readJson, sendJson } from '../data/api.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { readAgain } from '../data/reading.ts';

/** Words that a retainer may have, with what they say. */
const WORDS = {
  unit: { hours: 'hours', fee: 'fees' },
  every: { month: 'a month', week: 'a week', quarter: 'a quarter', year: 'a year' },
  rollover: {
    none: 'lapses',
    surplus: 'goes on',
    deficit: 'lapses, and debts go on',
    both: 'goes on, and so do debts',
  },
  overage: { free: 'is not paid', billed: 'earns its fee' },
} as const;

type Word = keyof typeof WORDS;

interface EnterRetainerProps {
  readonly catalogue: Catalogue;
  readonly project: Row;
  readonly phases: Answer | undefined;
  /** The periods of the project's retainers that are known. */
  readonly retainers: Answer | undefined;
}

/** Forms that agree on a retainer of a project or phase, or on another amount of one. Nothing for readers who can't write. */
export function EnterRetainer({ catalogue, project, phases, retainers }: EnterRetainerProps) {
  if (!catalogue.abilities.includes('write') || address.value.get('as_of') !== null) return null;
  const known = retainers ? rowsOf(retainers) : [];
  const ids = [...new Set(known.flatMap((row) => textOf(row, 'retainer_id') ?? []))];
  return (
    <details>
      <summary>Agree on a retainer</summary>
      <NewRetainer project={project} phases={phases ? rowsOf(phases) : []} />
      {ids.length > 0 && <OtherAmount ids={ids} />}
    </details>
  );
}

/** Fields of text by their name. */
type Texts = Readonly<Record<string, string>>;

/** Holds the fields of a form, and sends them. @param send Sends the fields that are given. */
function useForm(first: Texts, send: (given: Texts) => Promise<unknown>) {
  const [texts, setTexts] = useState(first);
  const [word, say] = useState('');
  const set = (name: string) => (value: string) => setTexts({ ...texts, [name]: value });
  const submit = async () => {
    say('Writing');
    try {
      await send(Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== '')));
      say('Written');
      readAgain();
    } catch (error) {
      say((error as Failure).message);
    }
  };
  return { texts, set, submit, word };
}

function NewRetainer({ project, phases }: { project: Row; phases: readonly Row[] }) {
  const projectId = textOf(project, 'project_id') ?? '';
  const first = { unit: 'hours', every: 'month', rollover: 'none', overage: 'free' };
  const form = useForm(first, ({ amount = '', price, phase_id, ...given }) =>
    sendJson('/v3/retainers', {
      ...{ ...given, project_id: projectId, amounts: [{ amount, ...(price !== undefined && { price }) }] },
      ...(phase_id !== undefined && { phase_id }),
    }),
  );
  const { texts, set } = form;
  const goesOn = ['surplus', 'both'].includes(texts['rollover'] ?? '');
  const named = phases.filter((row) => textOf(row, 'phase_id') !== null && textOf(row, 'phase_id') !== '0');
  const choose = (word: Word, label: string) => (
    <label>
      {label}{' '}
      <select
        aria-label={label === '' ? word : undefined}
        value={texts[word]}
        onChange={({ currentTarget }) => set(word)(currentTarget.value)}
      >
        {Object.entries(WORDS[word]).map(([name, says]) => (
          <option value={name}>{says}</option>
        ))}
      </select>
    </label>
  );
  return (
    <Form label="A new retainer" form={form}>
      {named.length > 0 && (
        <label>
          of{' '}
          <select
            aria-label="Project or phase"
            value={texts['phase_id'] ?? ''}
            onChange={({ currentTarget }) => set('phase_id')(currentTarget.value)}
          >
            <option value="">the project</option>
            {named.map((row) => (
              <option value={textOf(row, 'phase_id') ?? ''}>{textOf(row, 'name')}</option>
            ))}
          </select>
        </label>
      )}
      <Field label="from" name="start_date" type="date" isRequired form={form} />
      <Field label="to" name="end_date" type="date" form={form} />
      <Field label="holds" name="amount" isRequired form={form} />
      {choose('unit', '')}
      {choose('every', '')}
      {texts['unit'] === 'hours' && <Field label="for the price" name="price" form={form} />}
      {choose('rollover', 'What is left')}
      {goesOn && <Field label="periods" name="expires_after" form={form} />}
      {choose('overage', 'Work beyond it')}
    </Form>
  );
}

/** An amount of a retainer, as the API has it. */
interface Amount {
  readonly price: number | string | null;
  readonly effective_date: string | null;
}

/** A form with another amount of a retainer from a day on. Its price stays, unless there is another: without one the client would pay nothing. */
function OtherAmount({ ids }: { ids: readonly string[] }) {
  const form = useForm({ retainer_id: ids[0] ?? '' }, async ({ retainer_id = '', effective_date = '', ...entry }) => {
    const path = `/v3/retainers/${retainer_id}`;
    const { amounts } = await readJson<{ readonly amounts: readonly Amount[] }>(path);
    const price = priceOn(effective_date, amounts);
    const kept = price === null ? {} : { price };
    return sendJson(path, { amounts: [...amounts, { ...kept, ...entry, effective_date }] }, 'PATCH');
  });
  const { texts, set } = form;
  return (
    <Form label="Another amount" form={form}>
      {ids.length > 1 && (
        <label>
          of retainer{' '}
          <select
            value={texts['retainer_id']}
            onChange={({ currentTarget }) => set('retainer_id')(currentTarget.value)}
          >
            {ids.map((id) => (
              <option value={id}>{id}</option>
            ))}
          </select>
        </label>
      )}
      <Field label="from" name="effective_date" type="date" isRequired form={form} />
      <Field label="holds" name="amount" isRequired form={form} />
      <Field label="for another price" name="price" form={form} />
    </Form>
  );
}

/** Returns the price of the latest amount on or before a day, which is the later one of two. */
function priceOn(day: string, amounts: readonly Amount[]): Amount['price'] {
  const before = amounts.filter(({ effective_date: from }) => (from ?? '') <= day);
  const inOrder = before.toSorted((one, other) => (one.effective_date ?? '').localeCompare(other.effective_date ?? ''));
  return inOrder.at(-1)?.price ?? null;
}

type FormState = ReturnType<typeof useForm>;

interface FieldProps {
  readonly label: string;
  readonly name: string;
  readonly form: FormState;
  readonly type?: 'date';
  readonly isRequired?: true;
}

function Field({ label, name, form: { texts, set }, type, isRequired = undefined }: FieldProps) {
  return (
    <label>
      {label}{' '}
      <input
        required={isRequired}
        {...(type ? { type } : { inputMode: 'decimal' as const, size: 8 })}
        value={texts[name] ?? ''}
        onInput={({ currentTarget }) => set(name)(currentTarget.value)}
      />
    </label>
  );
}

function Form({ label, form, children }: { label: string; form: FormState; children: ComponentChildren }) {
  return (
    <form
      class="selects"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        form.submit();
      }}
    >
      <strong>{label}</strong>
      {children}
      <button type="submit">Write</button>
      <span role="status">{form.word}</span>
    </form>
  );
}
