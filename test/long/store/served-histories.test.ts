import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Ran, runCommand } from '../../history/kept-company.ts';
import { type ClosableServer, serveClosable } from '../../http/closable-server.ts';
import { Prng } from '../../oracle/prng.ts';
import { SEED } from '../../seed.ts';
import { makeFolder } from '../../sync/pulling.ts';

/** Number of random histories. They share the server and the file that is synced from it, and each removes its states. */
const HISTORIES = Number(process.env['PLUMBLINE_KEPT_HISTORIES'] ?? 250);

/** The changes of one history. */
const STEPS = 8;

/** The longest duration of one history on a busy machine. Unit: ms. */
const HISTORY_MS = 180_000;

/** The report whose answers are compared, and its parameters. */
const REPORT = 'pivot';
const ASKED = {
  start_date: '2026-03-01',
  end_date: '2026-03-31',
  cutoff_date: '2026-03-31',
  group_by: 'project,person,week',
  measures: 'scheduled_hours,scheduled_cost,actual_hours,actual_cost,actual_fees,expense_cost',
};

/** A database whose states are kept. */
interface Kept {
  readonly name: string;
  /** Prints the report, as of a state or now. */
  print(state?: string): Promise<string>;
  /** Keeps a state, or closes March. @returns The key of the state, undefined if it is closed already. */
  keep(prng: Prng): Promise<string | undefined>;
  reopen(): Promise<void>;
  remove(state: string): Promise<void>;
}

it(`after each of ${HISTORIES} histories of writes and syncs each state answers as then, PLUMBLINE_SEED=${SEED}`, {
  timeout: HISTORIES * HISTORY_MS,
}, async () => {
  const server = await serveClosable({ now: () => new Date() });
  const { folder, remove } = makeFolder();
  const synced = await openSynced(server, folder);
  const kept = [keptByServer(server), keptByCommands(synced.file)];
  const answers = new Map<string, number>();
  try {
    for (let history = 0; history < HISTORIES; history += 1) {
      const prng = new Prng(SEED + history);
      const printed = kept.map(() => new Map<string, string>());
      for (let step = 0; step < STEPS; step += 1) {
        const when = `PLUMBLINE_SEED=${SEED + history}, step ${step}`;
        const place = prng.int(0, 1);
        const [own, states] = [kept[place], printed[place]];
        if (!own || !states) continue;
        // With the first, a write that is taken: no days are closed before it.
        const kind = step === 0 ? 0 : prng.int(0, 5);
        if (kind < 3) {
          const status = await write(server, prng);
          answers.set(status, (answers.get(status) ?? 0) + 1);
        } else if (kind === 3) await synced.sync();
        else if (kind === 4 && prng.chance(0.5)) await own.reopen();
        else {
          const key = await own.keep(prng);
          if (key !== undefined) states.set(key, await own.print());
        }
        if (states.size === 0) continue;
        const [key, report] = prng.pick([...states]);
        expect(await own.print(key), `${when}, ${own.name}, ${key}`).toBe(report);
      }
      await synced.sync();
      expect(await kept[1]?.print(), `PLUMBLINE_SEED=${SEED + history}`).toBe(await kept[0]?.print());
      for (const [place, own] of kept.entries()) {
        await own.reopen();
        for (const [key, report] of printed[place] ?? []) {
          expect(await own.print(key), `PLUMBLINE_SEED=${SEED + history}, ${own.name}, ${key}`).toBe(report);
          await own.remove(key);
        }
      }
    }
    expect(answers.get('taken')).toBeGreaterThan(0);
    console.log(answers);
  } finally {
    await server.served.close();
    remove();
  }
});

/** Opens a file that is synced from a server. */
async function openSynced({ served }: ClosableServer, folder: string) {
  const token = join(folder, 'token');
  writeFileSync(token, (await served.token(['reports', 'rates'])).token);
  const file = join(folder, 'company.duckdb');
  const sync = async () => {
    const flags = ['--token-file', token, '--requests-per-minute', '60000', '--accept-shrink'];
    await expectRun(['sync', served.url, ...flags, '--database', file]);
  };
  await sync();
  return { file, sync };
}

function keptByServer({ served, send }: ClosableServer): Kept {
  const change = (path: string, body: object) => send('POST', `/v3/closings${path}`, body);
  return {
    name: 'server',
    async print(state) {
      const asked = new URLSearchParams({ ...ASKED, ...(state !== undefined && { as_of: state }) });
      const { status, body } = await send('GET', `/v3/reports/${REPORT}.csv?${asked}`);
      expect(status, body).toBe(200);
      return body;
    },
    async keep(prng) {
      const body = prng.chance(0.5)
        ? { name: 'plan' }
        : { period: '2026-03', kind: prng.pick(['soft', 'hard']), confirm: true };
      const answer = await change('', body);
      if (answer.status === 409 || answer.status === 422) return undefined;
      expect(answer.status, answer.body).toBe(201);
      const { name, number } = JSON.parse(answer.body).closing;
      return `${name}@${number}`;
    },
    async reopen() {
      expect([200, 404, 409]).toContain((await change('/2026-03/reopen', { reason: 'late hours' })).status);
    },
    async remove(state) {
      // A closing in force isn't removed before it is reopened.
      await change(`/${state}/reopen`, { reason: 'seen' });
      await expectRun(['closings', 'remove', state, '--reason', 'seen', '--database', served.database]);
    },
  };
}

function keptByCommands(file: string): Kept {
  const run = (...args: readonly string[]) => runCommand(new Date().toISOString(), [...args, '--database', file]);
  return {
    name: 'synced file',
    async print(state) {
      const asked = Object.entries({ ...ASKED, ...(state !== undefined && { as_of: state }) });
      const flags = asked.flatMap(([name, value]) => [`--${name.replaceAll('_', '-')}`, value]);
      return (await expectRun(['report', REPORT, ...flags, '--format', 'csv', '--database', file])).stdout;
    },
    async keep(prng) {
      const args = prng.chance(0.5) ? ['keep', 'plan'] : ['close', '2026-03'];
      const { code, stderr } = await run(...args);
      if (code !== 0) {
        expect(stderr, args.join(' ')).toContain('is closed already');
        return undefined;
      }
      const { closings, kept } = JSON.parse((await run('closings')).stdout);
      const { name, number } = [...closings, ...kept].findLast((state) => state.name === args[1]);
      return `${name}@${number}`;
    },
    async reopen() {
      await run('reopen', '2026-03', '--reason', 'late hours');
    },
    async remove(state) {
      await run('reopen', state, '--reason', 'seen');
      await expectRun(['closings', 'remove', state, '--reason', 'seen', '--database', file]);
    },
  };
}

async function expectRun(args: readonly string[]): Promise<Ran> {
  const ran = await runCommand(new Date().toISOString(), args);
  expect(ran.code, `${args.join(' ')}: ${ran.stderr}`).toBe(0);
  return ran;
}

const WORK = { people_id: 1, project_id: 1 };

/** Makes a random change. @returns whether it was taken, or refused because March is closed hard. */
async function write({ send }: ClosableServer, prng: Prng): Promise<string> {
  const day = `2026-0${prng.int(2, 4)}-${String(prng.int(1, 28)).padStart(2, '0')}`;
  const amount = prng.int(1, 400) / 4;
  const writes: readonly (readonly [method: string, path: string, body: object])[] = [
    ['PATCH', '/v3/logged-time/a', { hours: amount / 5 }],
    ['PATCH', '/v3/logged-time/b', { date: day }],
    ['POST', '/v3/logged-time', { ...WORK, date: day, hours: amount / 20 }],
    ['POST', '/v3/tasks', { ...WORK, start_date: day, end_date: day, hours: 2 }],
    ['PATCH', '/v3/tasks/1', { hours: amount / 20 }],
    ['PATCH', '/v3/people/1', { cost_rate: amount, effective_date: day }],
    ['PATCH', '/v3/projects/1', { default_hourly_rate: amount }],
    ['PATCH', '/v3/project-expenses/1', { cost: amount }],
    ['PATCH', '/v3/projects/1', { name: `Bridge ${amount}` }],
  ];
  const { status, body } = await send(...prng.pick(writes));
  if (status === 200 || status === 201) return 'taken';
  expect([status, body]).toEqual([422, expect.stringContaining('closed hard')]);
  return 'closed';
}
