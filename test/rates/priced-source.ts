import type { Database } from '../../src/base/database/database.ts';

/** Rates without a day of a source with a holder on each level; null for none. */
export interface SaidRates {
  readonly role: number | null;
  readonly person: number | null;
  readonly project: number | null;
  readonly phase: number | null;
  /** A member of the team of project 1, and one there who belongs to its phase 7. */
  readonly projectTeam: number | null;
  readonly phaseMember: number | null;
  /** A member of the team of phase 8. */
  readonly phaseTeam: number | null;
  /** Role 3 in rate card 1, which project 1 has. */
  readonly card: number | null;
}

export type Holder = keyof SaidRates;

export const SAID: SaidRates = {
  role: 140,
  person: 90,
  project: 150,
  phase: 160,
  projectTeam: 170,
  phaseMember: 180,
  phaseTeam: 190,
  card: 200,
};

/** The holder of each level in core.bill_rates: the level, the id, the person and the role. */
export const HELD: Readonly<Record<Holder, readonly [level: string, id: number, person: number, role: number]>> = {
  role: ['role', 3, 0, 0],
  person: ['person', 101, 0, 0],
  project: ['project', 1, 0, 0],
  phase: ['phase', 7, 0, 0],
  projectTeam: ['project_team', 1, 102, 0],
  phaseMember: ['phase_team', 7, 103, 0],
  phaseTeam: ['phase_team', 8, 104, 0],
  card: ['rate_card', 1, 0, 3],
};

const TIMES = { created: '2026-01-01 08:00:00', modified: '2026-01-02 08:00:00' };

/** Returns the records of a source that says these rates, without days. */
export function recordsOf(said: SaidRates) {
  return {
    roles: [{ role_id: 3, name: 'Designer', default_hourly_rate: said.role, ...TIMES }],
    rate_cards: [{ rate_card_id: 1, name: 'Card', rates: [{ role_id: 3, rate: said.card }], ...TIMES }],
    people: [101, 102, 103, 104, 105].map((people_id) => ({
      ...{ people_id, name: `Person ${people_id}`, role_id: people_id === 105 ? 3 : null, cost_rate: 50 },
      ...{ default_hourly_rate: people_id === 101 ? said.person : null, ...TIMES },
    })),
    projects: [
      {
        ...{ project_id: 1, name: 'Harbor', default_hourly_rate: said.project, ...TIMES },
        rate_cards: [{ rate_card_id: 1 }],
        project_team: [
          { people_id: 102, hourly_rate: said.projectTeam },
          { people_id: 103, phase_id: 7, hourly_rate: said.phaseMember },
        ],
      },
      { project_id: 2, name: 'Pier', ...TIMES },
    ],
    phases: [
      { phase_id: 7, project_id: 1, name: 'One', default_hourly_rate: said.phase, ...TIMES },
      {
        phase_id: 8,
        project_id: 1,
        name: 'Two',
        phase_team: [{ people_id: 104, hourly_rate: said.phaseTeam }],
        ...TIMES,
      },
    ],
    // Person 105 has the role's rate on project 2.
    logged_time: ['2026-01-05', '2026-01-06'].map((date) => ({
      ...{ logged_time_id: `old ${date}`, people_id: 105, project_id: 2, date, hours: 8, ...TIMES },
    })),
  };
}

/** Reads the rate of a holder on a day, as text with four decimals; null for none. */
export async function rateOn(database: Pick<Database, 'rows'>, holder: Holder, day: string): Promise<string | null> {
  const [level, id, person, role] = HELD[holder];
  const rows = await database.rows<{ rate: string | null }>(`
    SELECT CAST(bill_rate AS VARCHAR) AS rate FROM core.bill_rates
    WHERE level = '${level}' AND id = ${id} AND people_id = ${person} AND role_id = ${role}
      AND valid_from <= DATE '${day}' AND valid_to > DATE '${day}'`);
  return rows[0]?.rate ?? null;
}
