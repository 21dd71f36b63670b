import { linkTo, linkToQuery, linkToScreen } from './address.ts';
import { type Row, textOf } from './api.ts';
import { windowOf } from './catalogue.ts';
import type { Cells } from './table.tsx';

export const FINDING_COLUMNS = ['check', 'severity', 'resource', 'id', 'date', 'detail', 'hours', 'amount_at_risk'];

/** Cells of findings that lead to their records. */
export const findingCells: Cells = {
  check: (row) => (textOf(row, 'check') ?? '').replaceAll('_', ' '),
  id: (row) => <RecordLink row={row} />,
};

/** A link to the record of a finding: its explanation, its lines on the day, or its project. */
function RecordLink({ row }: { row: Row }) {
  const [id, resource, date] = ['id', 'resource', 'date'].map((name) => textOf(row, name) ?? '');
  const href = linkOf(row, resource ?? '', id ?? '', date ?? '');
  return href === undefined ? id : <a href={href}>{id}</a>;
}

function linkOf(row: Row, resource: string, id: string, date: string): string | undefined {
  if (row['check'] === 'rejected_record') return undefined;
  if (resource === 'projects') return linkToScreen('project', { project_id: id });
  if (resource === 'logged_time') return linkTo({ lines: undefined, line: `a:${id}` });
  if (resource === 'project_expenses') return linkTo({ lines: undefined, line: `e:${id}` });
  const window = date === '' ? windowOf() : { start_date: date, end_date: date };
  if (resource === 'people') return linkToQuery(`?${lines({ ...window, people_id: id, measure: 'actual_hours' })}`);
  if (resource === 'phases') return linkToQuery(`?${lines({ ...window, phase_id: id, measure: 'scheduled_hours' })}`);
  if (resource === 'tasks' && date !== '') return linkToQuery(`?${lines({ ...window, measure: measureOf(row) })}`);
  return undefined;
}

/** Returns the measure whose lines contain those of an allocation: lines without a rate, or all scheduled lines. */
function measureOf({ check }: Row): string {
  return String(check).startsWith('hours_without_') ? `scheduled_${check}` : 'scheduled_hours';
}

function lines(parameters: Readonly<Record<string, string>>): URLSearchParams {
  return new URLSearchParams({ report: 'pivot', ...parameters });
}
