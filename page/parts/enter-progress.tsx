import { useState } from 'preact/hooks';
import { address } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Failure, sendJson } from '../data/api.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { readAgain } from '../data/reading.ts';

/** Something with a budget of money, of which progress is entered. */
interface Place {
  readonly name: string;
  readonly ids: Readonly<Record<string, string | null>>;
}

/** A project with the reports of its parts, as far as they are read. */
interface BudgetRows {
  readonly project: Row;
  readonly phases: Answer | undefined;
  readonly tasks: Answer | undefined;
}

/** The two ways to say how far the work is. */
const MEASURES = { percent: 'Done, %', remaining_hours: 'Remaining, h' } as const;

type Measure = keyof typeof MEASURES;

const isMeasure = (name: string): name is Measure => name in MEASURES;

/** A form that enters the progress of a project, or of its phases or tasks with budgets. Nothing for readers who can't enter it, and without a budget. */
export function EnterProgress(props: BudgetRows & { readonly catalogue: Catalogue }) {
  const { abilities } = props.catalogue;
  const may = abilities.includes('progress') || abilities.includes('write');
  const places = placesOf(props);
  if (!may || places.length === 0 || address.value.get('as_of') !== null) return null;
  return <ProgressForm places={places} />;
}

/** Returns the places of budgets of money, which may be agreed fees: project tasks, phases, or the project. */
function placesOf({ project, phases, tasks }: BudgetRows): Place[] {
  const project_id = textOf(project, 'project_id');
  const budgeted = (rows: readonly Row[], key: string) => {
    const found = rows.filter(
      (row) =>
        textOf(row, 'budget_total') !== null && textOf(row, 'budget_unit') !== 'hours' && textOf(row, key) !== null,
    );
    // A project task that is worked on in several phases is one place.
    const places = new Map(found.map((row) => [textOf(row, key), textOf(row, 'name') ?? '']));
    return [...places].map(([id, name]) => ({ name, ids: { project_id, [key]: id } }));
  };
  const levels = [
    budgeted(tasks ? rowsOf(tasks) : [], 'task_meta_id'),
    budgeted(phases ? rowsOf(phases) : [], 'phase_id'),
    budgeted([project], 'project_id'),
  ];
  return levels.find((places) => places.length > 0) ?? [];
}

function ProgressForm({ places }: { places: readonly Place[] }) {
  const [index, choose] = useState(0);
  const [measure, say] = useState<Measure>('percent');
  const [value, setValue] = useState('');
  const [date, setDate] = useState('');
  const [word, tell] = useState('');
  const enter = async () => {
    tell('Writing');
    try {
      await sendJson('/v3/progress', { ...places[index]?.ids, date, [measure]: value });
      setValue('');
      tell('Entered');
      readAgain();
    } catch (error) {
      tell((error as Failure).message);
    }
  };
  return (
    <form
      class="selects"
      aria-label="Progress"
      onSubmit={(event) => {
        event.preventDefault();
        enter();
      }}
    >
      {places.length > 1 && (
        <label>
          Progress of{' '}
          <select value={index} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {places.map(({ name }, place) => (
              <option value={place}>{name}</option>
            ))}
          </select>
        </label>
      )}
      <label>
        Progress on{' '}
        <input required type="date" value={date} onInput={({ currentTarget }) => setDate(currentTarget.value)} />
      </label>
      <label>
        <select
          aria-label="Measure"
          value={measure}
          onChange={({ currentTarget }) => isMeasure(currentTarget.value) && say(currentTarget.value)}
        >
          {Object.entries(MEASURES).map(([name, label]) => (
            <option value={name}>{label}</option>
          ))}
        </select>{' '}
        <input
          required
          aria-label={MEASURES[measure]}
          inputMode="decimal"
          size={6}
          value={value}
          onInput={({ currentTarget }) => setValue(currentTarget.value)}
        />
      </label>
      <button type="submit">Enter</button>
      <span role="status">{word}</span>
    </form>
  );
}
