import { linkToLines } from '../data/address.ts';
import { type Answer, isNonZero, type Row, rowsOf, textOf } from '../data/answer.ts';
import { type Catalogue, columnsOf, pathOf } from '../data/catalogue.ts';
import { nameOr } from '../data/numbers.ts';
import { ReportTable } from '../parts/table.tsx';
import { activePeople } from './weeks.tsx';

/** Types of people who stand for demand, and those who have capacity, as the filter of types reads them. */
const [PLACEHOLDERS, PEOPLE] = ['3,4,none', '1,2'];

/** Hours of a role that are planned without a person, and those that people of the role have free. */
const [ASKED, FREE] = [['scheduled_hours', 'tentative_hours'], ['unscheduled_hours']] as const;

/** Returns the paths of the hours that are planned without a person, and of those that are free, by role. */
export function pathsOfDemand(catalogue: Catalogue): readonly string[] {
  const ofRoles = (group_by: string, people_type_id: string, measures: readonly string[]) =>
    pathOf(catalogue, 'pivot', { ...activePeople(), group_by, people_type_id, measures: measures.join(',') });
  return [ofRoles('role', PLACEHOLDERS, ASKED), ofRoles('person_role', PEOPLE, FREE)];
}

interface DemandProps {
  readonly catalogue: Catalogue;
  readonly demand: Answer;
  readonly supply: Answer;
}

/** Demand without a person by role, beside the hours that people of the role have free. */
export function Demand({ catalogue, demand, supply }: DemandProps) {
  const isAsked = (row: Row) => ASKED.some((name) => isNonZero(row, name));
  const asked = rowsOf(demand).filter(isAsked);
  if (asked.length === 0) return <p class="hint">No hours of this window are planned without a person.</p>;
  const free = new Map(rowsOf(supply).map((row) => [row['person_role_id'], row]));
  const freeOf = (row: Row) => free.get(row['role_id'] ?? null);
  const [planned, tentative, unscheduled] = columnsOf(catalogue, 'pivot', [...ASKED, ...FREE]);
  if (!planned || !tentative || !unscheduled) return null;
  return (
    <section>
      <h2>Demand without a person</h2>
      <ReportTable
        name="demand"
        caption="Hours planned for placeholders and people without a record, beside those that people of the role have free"
        columns={[
          { name: 'role', label: 'Role', unit: 'text', description: 'The role of the planned hours.' },
          { ...planned, label: 'Planned' },
          { ...tentative, label: 'Tentative' },
          { ...unscheduled, label: 'Free, of this role' },
        ]}
        rows={asked.map((row) => ({ ...row, unscheduled_hours: textOf(freeOf(row), 'unscheduled_hours') }))}
        totals={demand.totals}
        // Those who are free in other roles don't meet this demand.
        totalCells={{ unscheduled_hours: () => '' }}
        currency={demand.meta.currency}
        cells={{
          role: (row) => (row['role_id'] === null ? '(no role)' : nameOr(textOf(row, 'role'), row['role_id'], 'role')),
        }}
        linkOf={(row, { name }) => {
          const lines = name === unscheduled.name ? textOf(freeOf(row), '_lines') : textOf(row, '_lines');
          return lines === null ? undefined : linkToLines(lines, name);
        }}
      />
    </section>
  );
}
