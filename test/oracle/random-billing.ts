import type { Records } from '../sql/company.ts';
import { type Bill, type Cover, type Item, least } from './billing.ts';
import { Prng } from './prng.ts';

const DAY_MS = 86_400_000;
const FIRST = Date.parse('2026-01-01T00:00:00Z');

/** The days of work and bills. Unit: days. */
const DAYS = 150;

const dayAt = (offset: number) => new Date(FIRST + offset * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
const text = (cents: bigint) => {
  const size = String(cents < 0n ? -cents : cents).padStart(3, '0');
  return `${cents < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`;
};

/** A project of random work: what it has earned up to a day. */
export interface BilledProject {
  readonly id: number;
  readonly contract: 'time' | 'capped' | 'fixed';
  readonly contractId: string | null;
  readonly cap: bigint;
  readonly end: string;
}

export interface BilledCompany {
  readonly records: Records;
  readonly projects: readonly BilledProject[];
  readonly items: ReadonlyMap<string, Item>;
  readonly bills: readonly Bill[];
}

/** The rate of an hour, in cents: with some hours fees are rounded. */
const RATE = 3333n;

/** Makes a company whose work is billed in part: invoices with credits, drafts and voids, write-offs, work that has changed or gone since. */
export function makeBilledCompany(seed: number): BilledCompany {
  const random = new Prng(seed);
  const projects = Array.from({ length: 6 }, (_, index): BilledProject => {
    const contract = random.pick(['time', 'time', 'capped', 'fixed'] as const);
    return {
      ...{ id: index + 1, contract, cap: BigInt(random.int(10, 200)) * 1000n, end: dayAt(random.int(60, DAYS)) },
      contractId: random.chance(0.4) ? random.pick(['one', 'two']) : null,
    };
  });
  const items = new Map<string, Item>();
  const logged: object[] = [];
  for (const project of projects) {
    const work = Array.from({ length: random.int(0, 14) }, (_, index) => ({
      id: `${project.id}-${String(index).padStart(2, '0')}`,
      date: dayAt(random.int(0, project.contract === 'fixed' ? 50 : DAYS)),
      quarters: random.int(1, 40),
      billable: random.chance(0.9),
    })).toSorted((one, other) => (`${one.date} ${one.id}` < `${other.date} ${other.id}` ? -1 : 1));
    let soFar = 0n;
    for (const { id, date, quarters, billable } of work) {
      const fee = billable ? (RATE * BigInt(quarters) * 2n + 4n) / 8n : 0n;
      const before = soFar;
      soFar += fee;
      const earned =
        project.contract === 'capped'
          ? least(soFar, project.cap) - least(before, project.cap)
          : project.contract === 'time'
            ? fee
            : 0n;
      items.set(`a:${id}`, {
        id: `a:${id}`,
        project: project.id,
        date,
        fee,
        earned,
        hours: BigInt(quarters),
        billable,
        contract: project.contract,
      });
      logged.push({ logged_time_id: id, people_id: 1, project_id: project.id, date, hours: quarters / 4, billable });
    }
  }
  const bills: Bill[] = [];
  const coversOf = (project: number): Cover[] => {
    const own = [...items.values()].filter((item) => item.project === project && random.chance(0.4));
    const gone = random.chance(0.1) ? ['a:gone'] : [];
    return [...own.map(({ id }) => id), ...gone].map((item) => ({
      item,
      amount: random.chance(0.1) ? BigInt(random.int(-50, 5000)) : null,
      value: random.chance(0.2) ? BigInt(random.int(0, 9000)) : null,
    }));
  };
  for (let id = 1; id <= 16; id++) {
    const project = random.int(1, projects.length);
    const issued = bills.filter(({ kind, amount }) => kind === 'invoice' && amount > 0n);
    const credited = random.chance(0.25) && issued.length > 0 ? random.pick(issued) : undefined;
    const size = BigInt(random.int(100, 60_000));
    const date = dayAt(random.int(10, DAYS + 20));
    bills.push({
      // A credit is of a line that has been written.
      ...{ kind: 'invoice', id, invoice: id, date: credited && credited.date > date ? credited.date : date },
      status: random.pick(['issued', 'issued', 'issued', 'issued', 'draft', 'void'] as const),
      project: credited?.project ?? project,
      amount: credited ? -(random.chance(0.4) ? credited.amount : size) : size,
      covers: credited ? [] : random.chance(0.7) ? coversOf(project) : [],
      credits: credited?.id ?? null,
    });
  }
  for (let id = 1; id <= 4; id++) {
    const project = random.int(1, projects.length);
    bills.push({
      ...{
        kind: 'write_off',
        id,
        invoice: null,
        date: dayAt(random.int(10, DAYS + 20)),
        status: 'issued',
        project,
        credits: null,
      },
      ...{ amount: BigInt(random.int(-3000, 20_000)), covers: random.chance(0.7) ? coversOf(project) : [] },
    });
  }
  const written = ({ covers }: Bill) =>
    covers.map(({ item, amount, value }) => ({
      logged_time_id: item.slice('a:'.length),
      ...(amount !== null && { amount: text(amount) }),
      ...(value !== null && { value: text(value) }),
    }));
  const records: Records = {
    settings: { currency: 'EUR' },
    people: [{ people_id: 1, name: 'Ana', default_hourly_rate: text(RATE) }],
    projects: projects.map(({ id, contract, contractId, cap, end }) => ({
      ...{ project_id: id, name: `P${id}`, contract_id: contractId, contract, end_date: end, start_date: dayAt(0) },
      ...(contract !== 'time' && { budget_type: contract === 'fixed' ? 2 : 3, budget_total: text(cap) }),
      ...(contract === 'fixed' && { recognise: 'done' }),
    })),
    logged_time: logged,
    invoices: bills.flatMap((bill) =>
      bill.kind === 'invoice'
        ? [
            {
              ...{ invoice_id: bill.id, issue_date: bill.date, status: bill.status },
              lines: [
                {
                  ...{
                    invoice_line_id: bill.id,
                    project_id: bill.project,
                    amount: text(bill.amount),
                    credits: bill.credits,
                  },
                  covers: written(bill),
                },
              ],
            },
          ]
        : [],
    ),
    write_offs: bills.flatMap((bill) =>
      bill.kind === 'write_off'
        ? [
            {
              write_off_id: bill.id,
              project_id: bill.project,
              date: bill.date,
              amount: text(bill.amount),
              covers: written(bill),
            },
          ]
        : [],
    ),
  };
  return { records, projects, items, bills };
}

/** Returns what a project has earned up to a day, in cents: of a fixed fee all of it, on its end. */
export function earnedOf(
  { id, contract, cap, end }: BilledProject,
  day: string,
  items: ReadonlyMap<string, Item>,
): bigint {
  if (contract === 'fixed') return end <= day ? cap : 0n;
  return [...items.values()]
    .filter((item) => item.project === id && item.date <= day)
    .reduce((total, item) => total + item.earned, 0n);
}
