import { type Answer, isNonZero, rowsOf, textOf } from '../data/answer.ts';
import { POSITION } from '../data/bills.ts';
import { type Catalogue, columnsOf, unitOf } from '../data/catalogue.ts';
import { hasBills, pathOfBills } from '../data/read-bills.ts';
import { Figure } from '../parts/figure.tsx';

/** The numbers of the sentence with their words, in its order; those in OPTIONAL stand there only if they aren't 0. */
const WORDS: Readonly<Record<string, string>> = {
  opening_position: 'to bill before',
  actual_revenue: 'earned',
  invoiced: 'invoiced',
  written_off: 'written off',
  [POSITION]: 'to bill',
  draft_invoiced: 'in drafts',
};

const OPTIONAL: readonly string[] = ['opening_position', 'written_off', 'draft_invoiced'];

/** Returns the path of what a project has earned and billed. */
export function pathOfProjectBills(catalogue: Catalogue): string {
  return pathOfBills(catalogue, Object.keys(WORDS), { include_empty: '1' });
}

/** A sentence of the fees that a project has earned, billed and still to bill; none where there is nothing of them, or there are no bills. */
export function ProjectBills({ catalogue, answer }: { catalogue: Catalogue; answer: Answer | undefined }) {
  const row = answer && rowsOf(answer)[0];
  const names = Object.keys(WORDS).filter((name) => isNonZero(row, name));
  if (!hasBills.value || !row || names.length === 0) return null;
  const shown = Object.keys(WORDS).filter((name) => names.includes(name) || !OPTIONAL.includes(name));
  const columns = columnsOf(catalogue, 'projects', shown);
  const isAhead = (textOf(row, POSITION) ?? '').startsWith('-');
  return (
    <p class="bills">
      {columns.map((column, index) => (
        <>
          {index > 0 && ', '}
          {WORDS[column.name]} <Figure row={row} column={column} isPlain />
          {index === columns.length - 1 && <span class="unit"> {unitOf(column, answer.meta.currency)}</span>}
        </>
      ))}
      {isAhead && '. It is billed ahead of the work'}.
    </p>
  );
}
