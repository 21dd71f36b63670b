import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Company, openCompany, type Row } from './company.ts';

const [BUILDER, SENIOR] = [3, 4];
const [PLAIN, OWN, CARDED, BOTH, OF_CLIENT, ENDED] = [10, 11, 12, 13, 14, 15];
const [DATED_PHASE] = [21];
const [ANA, RISER, OWNER, MEMBER, PLANNED] = [101, 102, 103, 104, 105];

const roles = [
  {
    role_id: BUILDER,
    name: 'Builder',
    default_hourly_rate: '140.00',
    bill_rate_history: [{ rate: '145.00', effective_date: '2026-07-01' }],
  },
  { role_id: SENIOR, name: 'Senior', default_hourly_rate: 180 },
];

const rate_cards = [
  { rate_card_id: 1, name: 'Card', rates: [{ role_id: BUILDER, rate: 155, effective_date: '2026-01-01' }] },
  {
    rate_card_id: 2,
    name: 'Client',
    rates: [
      { role_id: BUILDER, rate: 130 },
      { role_id: BUILDER, rate: null, effective_date: '2026-05-01' },
      { role_id: SENIOR, rate: 170, effective_date: '2026-04-01' },
    ],
  },
];

const clients = [{ client_id: 7, name: 'Agreed', rate_cards: [{ rate_card_id: 2, effective_date: '2026-02-01' }] }];

const people = [
  { people_id: ANA, name: 'Ana', role_id: BUILDER },
  {
    people_id: RISER,
    name: 'Riser',
    role_id: BUILDER,
    contracts: [{ role_id: BUILDER }, { role_id: SENIOR, effective_date: '2026-04-01' }],
  },
  {
    people_id: OWNER,
    name: 'Owner',
    role_id: BUILDER,
    default_hourly_rate: 99,
    bill_rate_history: [
      { rate: 100, effective_date: '2026-03-01' },
      { rate: 101, effective_date: '2026-03-01' },
      { rate: 0, effective_date: '2026-06-01' },
      { rate: null, effective_date: '2026-08-01' },
    ],
  },
  { people_id: MEMBER, name: 'Member', role_id: BUILDER },
  { people_id: PLANNED, name: 'Planned', role_id: BUILDER },
];

const projects = [
  { project_id: PLAIN, name: 'Plain' },
  {
    project_id: OWN,
    name: 'Own',
    default_hourly_rate: 150,
    bill_rate_history: [{ rate: null, effective_date: '2026-07-01' }],
    project_team: [
      { people_id: OWNER, hourly_rate: 1, rates: [{ rate: 2, effective_date: '2026-01-01' }] },
      { people_id: MEMBER, hourly_rate: null, rates: [{ rate: 160, effective_date: '2026-05-01' }] },
      // The same person without a phase, written in other ways.
      { people_id: `${OWNER}.0`, phase_id: '', rates: [] },
      // Items that are set aside count for nothing, and neither do their rates.
      { people_id: MEMBER, hourly_rate: 'much', rates: [{ rate: 999, effective_date: '2026-05-01' }] },
      {
        people_id: MEMBER,
        phase_id: DATED_PHASE,
        hourly_rate: 210,
        rates: [{ rate: 215, effective_date: '2026-06-15' }],
      },
    ],
  },
  { project_id: CARDED, name: 'Carded', rate_cards: [{ rate_card_id: 1, effective_date: '2026-03-01' }] },
  { project_id: BOTH, name: 'Both', client_id: 7, rate_cards: [{ rate_card_id: 1, effective_date: '2026-03-01' }] },
  { project_id: OF_CLIENT, name: 'Of the client', client_id: 7 },
  {
    project_id: ENDED,
    name: 'Ended',
    rate_cards: [
      { rate_card_id: 1, effective_date: '2026-03-01' },
      { rate_card_id: null, effective_date: '2026-04-01' },
    ],
  },
];

const phases = [
  {
    phase_id: DATED_PHASE,
    project_id: OWN,
    name: 'Dated',
    bill_rate_history: [{ rate: 200, effective_date: '2026-06-01' }],
    phase_team: [
      { people_id: ANA, rates: [{ rate: 205, effective_date: '2026-06-10' }] },
      { people_id: ANA, hourly_rate: 'much' },
    ],
  },
];

let company: Company;
let lines: Row[];
beforeAll(async () => {
  const logged_time = CASES.map(({ at: [people_id, project_id, date, phase_id] }, index) => ({
    ...{ logged_time_id: `l${index}`, people_id, project_id, date, hours: 8 },
    ...(phase_id && { phase_id }),
  }));
  const tasks = [
    { task_id: 1, project_id: PLAIN, people_id: PLANNED, start_date: '2026-06-29', end_date: '2026-07-03', hours: 8 },
  ];
  company = await openCompany({ roles, rate_cards, clients, people, projects, phases, logged_time, tasks });
  lines = await company.ledger();
});
afterAll(() => company.close());

type Place = readonly [person: number, project: number, date: string, phase?: number];

/** The rates of 8 logged hours: [rate, source, from, fee]. */
const CASES: readonly { title: string; at: Place; is: readonly (string | null)[] }[] = [
  { title: 'the role on the day before', at: [ANA, PLAIN, '2026-06-30'], is: ['140', 'role', null, '1120'] },
  { title: 'the role from the day on', at: [ANA, PLAIN, '2026-07-01'], is: ['145', 'role', '2026-07-01', '1160'] },
  { title: 'the project, until it ends', at: [ANA, OWN, '2026-06-30'], is: ['150', 'project', null, '1200'] },
  {
    title: 'the role, once the project has ended',
    at: [ANA, OWN, '2026-07-01'],
    is: ['145', 'role', '2026-07-01', '1160'],
  },
  { title: 'no card before the project takes it', at: [ANA, CARDED, '2026-02-28'], is: ['140', 'role', null, '1120'] },
  {
    title: 'the card, from the day of its rate',
    at: [ANA, CARDED, '2026-03-01'],
    is: ['155', 'rate_card', '2026-01-01', '1240'],
  },
  {
    title: 'the card before the dated role',
    at: [ANA, CARDED, '2026-07-01'],
    is: ['155', 'rate_card', '2026-01-01', '1240'],
  },
  {
    title: 'the card before the person',
    at: [OWNER, CARDED, '2026-06-01'],
    is: ['155', 'rate_card', '2026-01-01', '1240'],
  },
  { title: 'a card that has ended', at: [ANA, ENDED, '2026-04-01'], is: ['140', 'role', null, '1120'] },
  { title: 'the card of the client', at: [ANA, OF_CLIENT, '2026-02-01'], is: ['130', 'client_card', null, '1040'] },
  {
    title: "the client's card before it is taken",
    at: [ANA, OF_CLIENT, '2026-01-31'],
    is: ['140', 'role', null, '1120'],
  },
  {
    title: "a role that has ended in the client's card",
    at: [ANA, OF_CLIENT, '2026-05-01'],
    is: ['140', 'role', null, '1120'],
  },
  {
    title: "the client's card before the project's",
    at: [ANA, BOTH, '2026-02-15'],
    is: ['130', 'client_card', null, '1040'],
  },
  {
    title: "the project's card before the client's",
    at: [ANA, BOTH, '2026-03-01'],
    is: ['155', 'rate_card', '2026-01-01', '1240'],
  },
  {
    title: "the client's card for a role that the project's lacks",
    at: [RISER, BOTH, '2026-04-01'],
    is: ['170', 'client_card', '2026-04-01', '1360'],
  },
  { title: 'a person before becoming senior', at: [RISER, PLAIN, '2026-03-31'], is: ['140', 'role', null, '1120'] },
  {
    title: 'a person who becomes senior changes price on that day',
    at: [RISER, PLAIN, '2026-04-01'],
    is: ['180', 'role', null, '1440'],
  },
  { title: 'the person, without a day', at: [OWNER, PLAIN, '2026-02-28'], is: ['99', 'person', null, '792'] },
  {
    title: 'of two entries of one day the later in the list',
    at: [OWNER, PLAIN, '2026-03-01'],
    is: ['101', 'person', '2026-03-01', '808'],
  },
  { title: '0 is a rate', at: [OWNER, PLAIN, '2026-06-01'], is: ['0', 'person', '2026-06-01', '0'] },
  {
    title: 'an ended person leaves it to the role',
    at: [OWNER, PLAIN, '2026-08-01'],
    is: ['145', 'role', '2026-07-01', '1160'],
  },
  { title: 'a member without an entry yet', at: [MEMBER, OWN, '2026-04-30'], is: ['150', 'project', null, '1200'] },
  {
    title: 'a member of the team from a day on',
    at: [MEMBER, OWN, '2026-05-01'],
    is: ['160', 'project_team', '2026-05-01', '1280'],
  },
  {
    title: 'of two items of a person the last, with its rates',
    at: [OWNER, OWN, '2026-02-01'],
    is: ['150', 'project', null, '1200'],
  },
  {
    title: 'levels are compared before days',
    at: [MEMBER, OWN, '2026-06-14', DATED_PHASE],
    is: ['210', 'phase_team', null, '1680'],
  },
  {
    title: "an item of the project's team that names the phase",
    at: [MEMBER, OWN, '2026-06-15', DATED_PHASE],
    is: ['215', 'phase_team', '2026-06-15', '1720'],
  },
  {
    title: 'a phase without an entry yet',
    at: [ANA, OWN, '2026-05-31', DATED_PHASE],
    is: ['150', 'project', null, '1200'],
  },
  {
    title: 'a phase from a day on',
    at: [ANA, OWN, '2026-06-09', DATED_PHASE],
    is: ['200', 'phase', '2026-06-01', '1600'],
  },
  {
    title: "a member of the phase's team from a day on",
    at: [ANA, OWN, '2026-06-10', DATED_PHASE],
    is: ['205', 'phase_team', '2026-06-10', '1640'],
  },
];

test.each(CASES.map((each, index) => ({ ...each, index })))('P3: $title', ({ index, is }) => {
  const line = lines.find(({ line_id }) => line_id === `a:l${index}`);
  expect([line?.['bill_rate'], line?.['bill_rate_source'], line?.['bill_rate_from'], line?.['fee']]).toEqual(is);
});

test('P3: an allocation changes price on the day', () => {
  const planned = lines.filter(({ kind }) => kind === 'scheduled');
  expect(planned.map(({ fee }) => fee)).toEqual(['1120', '1120', '1160', '1160', '1160']);
});
