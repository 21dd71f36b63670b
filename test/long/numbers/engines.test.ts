import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/database.ts';
import { compareDuckdb, comparePostgres } from '../../engine/conformance.ts';
import { openPostgres, type Postgres } from '../../engine/postgres.ts';
import { buildLikeTrino } from '../../engine/trino-functions.ts';
import { makeBilledCompany } from '../../oracle/random-billing.ts';
import { makeRetainers } from '../../oracle/random-retainers.ts';
import { BUNDLED, buildCompany, buildDataset, type Records } from '../../sql/company.ts';

const NOW = new Date('2026-01-01T12:00:00Z');

let postgres: Postgres;

beforeAll(async () => {
  postgres = await openPostgres();
});
afterAll(() => postgres.close());

/** Relations of checks, and of records that the bundled company doesn't have; random companies have some. */
const WITHOUT_ROWS = [
  'core.doubtful_ends',
  'core.fee_milestones',
  'core.foreign_parts',
  'core.seen_rates',
  'quality.agreed_fee_without_days',
  'quality.billed_non_billable',
  'quality.billed_twice',
  'quality.contract_of_non_billable',
  'quality.contract_without_amount',
  'quality.contract_without_place',
  'quality.covers_differ',
  'quality.covers_nothing',
  'quality.covers_other_project',
  'quality.credit',
  'quality.credited_beyond',
  'quality.end_date_may_be_computed',
  'quality.invoice_in_other_currency',
  'quality.invoiced_beyond_fee',
  'quality.more_than_24_hours_planned',
  'quality.part_of_another_project',
  'quality.planned_for_archived',
  'quality.progress_without_place',
  'quality.rate_never_used',
  'quality.recognised_by_progress',
  'quality.retainer_beside_agreed_fee',
  'quality.time_on_canceled_phase',
  'staging.seen_rates',
  'staging.team_rates',
];

describe('the bundled company', () => {
  let database: Database;

  beforeAll(async () => {
    database = await buildDataset(BUNDLED, NOW);
  });
  afterAll(() => database.close());

  it('has the same rows on PostgreSQL, and passes every check there', async () => {
    const { differences, equal } = await comparePostgres(database, postgres, 'bundled_');
    expect(differences).toEqual([]);
    const empty = Object.keys(equal).filter((relation) => equal[relation] === 0);
    expect(empty.toSorted()).toEqual(WITHOUT_ROWS);
    expect(equal['core.ledger']).toBeGreaterThan(10_000);
  });

  it('leaves nothing behind on PostgreSQL', async () => {
    const { rows } = await postgres.query(`SELECT nspname FROM pg_namespace WHERE nspname LIKE 'bundled%'`);
    expect(rows).toEqual([]);
  });

  it('has the same rows if LEAST and GREATEST of a null are null, as on Trino', async () => {
    const other = await buildDataset(BUNDLED, NOW, buildLikeTrino);
    try {
      await other.run(
        'CREATE VIEW core.probe AS SELECT LEAST(1, NULL) AS lowest, GREATEST(1, 2, NULL) AS greatest_of_3',
      );
      expect(await other.rows('SELECT * FROM core.probe')).toEqual([{ lowest: null, greatest_of_3: null }]);
      expect((await compareDuckdb(database, other)).differences).toEqual([]);
    } finally {
      await other.close();
    }
  });
});

/** Texts that engines may sort, compare or quote in different ways. */
const TEXTS = [
  'b',
  'B',
  'a',
  'É',
  'é',
  'e',
  'Ä',
  'ä',
  'ß',
  'SS',
  "O'Neil",
  '"quoted"',
  'back\\slash',
  ' two\nlines ',
  '日本',
  '😀',
  '_',
  '%',
];

const PERSON = { people_id: 1, name: 'Ana' };

/** Retainers with every word, expiry and cut. */
const RETAINERS = 60;

const COMPANIES: Readonly<Record<string, Records>> = {
  'with retainers': makeRetainers(1, RETAINERS).records,
  'with bills': makeBilledCompany(1).records,
  'with settings only': { settings: { name: 'Office', currency: 'KWD' } },
  'without people and projects': {
    tasks: [{ task_id: 1, project_id: 7, people_id: 3, start_date: '2026-01-05', end_date: '2026-01-09', hours: 8 }],
    timeoffs: [{ timeoff_id: 1, people_id: 3, start_date: '2026-01-07', end_date: '2026-01-07', hours: 3 }],
    logged_time: [{ logged_time_id: 'a', people_id: 5, date: '2026-01-05', hours: '2.5' }],
  },
  'with all kinds of texts, and steps of months from ends of months': {
    people: TEXTS.map((text, index) => ({ people_id: index + 1, name: text, people_code: text, tags: [text] })),
    projects: TEXTS.map((text, index) => ({ project_id: index + 1, name: text, project_code: text, tags: [text] })),
    departments: TEXTS.map((name, index) => ({ department_id: index + 1, name, parent_id: index })),
    holidays: TEXTS.map((name, index) => ({ holiday_id: index + 1, name, date: '2026-01-05' })),
    tasks: [2, 6, 7, 8, 9].flatMap((repeat_state) =>
      ['2024-01-31', '2024-02-29', '2024-03-30', '2024-12-29'].map((start_date, index) => ({
        task_id: repeat_state * 10 + index,
        project_id: 1,
        people_id: 1,
        start_date,
        end_date: start_date,
        hours: '0.3333',
        repeat_state,
      })),
    ),
  },
};

it.each(Object.entries(COMPANIES))('a company %s has the same rows on PostgreSQL', async (_what, records) => {
  const database = await buildCompany(records, NOW);
  try {
    expect((await comparePostgres(database, postgres, 'small_')).differences).toEqual([]);
  } finally {
    await database.close();
  }
});

it('a difference of one row is told', async () => {
  const [database, other] = await Promise.all([buildCompany({ people: [PERSON] }), buildCompany({ people: [PERSON] })]);
  try {
    await other.run("UPDATE core.people SET name = 'Bea'");
    const { differences } = await compareDuckdb(database, other);
    expect(differences[0]).toMatch(
      /^core.people: 1 rows only on DuckDB, 1 only on the other:\n.*Ana.*\n {2}and\n.*Bea/,
    );
  } finally {
    await database.close();
    await other.close();
  }
});
