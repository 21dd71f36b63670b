import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { formatDate } from '../data/numbers.ts';
import { EnterRetainer } from '../parts/enter-retainer.tsx';
import { Section } from '../since/section.tsx';

/** The columns of the periods of retainers. */
const SHOWN = [
  ...['date', 'last_date', 'unit', 'opened', 'rolled', 'used', 'used_percent', 'lapsed', 'balance', 'beyond'],
  'used_up_on',
];

/** Writes the day of a column; a dash where there is none. */
const dayOf = (column: string) => (row: Row) => {
  const day = textOf(row, column);
  return day === null ? '–' : formatDate(day);
};

const CELLS = { date: dayOf('date'), last_date: dayOf('last_date'), used_up_on: dayOf('used_up_on') };

interface RetainersProps {
  readonly catalogue: Catalogue;
  readonly project: Row;
  readonly phases: Answer | undefined;
  readonly answer: Answer | undefined;
  readonly path: string | undefined;
}

/** The retainers of a project by period, as the report has them, and the forms that agree on one. Only the forms for a project without one. */
export function ProjectRetainers({ catalogue, project, phases, answer, path }: RetainersProps) {
  const hasSome = answer !== undefined && rowsOf(answer).length > 0;
  return (
    <>
      {hasSome && (
        <Section
          {...{ catalogue, answer, path }}
          title="Retainers"
          names={SHOWN}
          cells={CELLS}
          since={{ measure: undefined, dimensions: [] }}
        />
      )}
      {answer && <EnterRetainer {...{ catalogue, project, phases }} retainers={answer} />}
    </>
  );
}
