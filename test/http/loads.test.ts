import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../../src/doors/identity/tokens.ts';
import { MAX_LOADS_EACH } from '../../src/store/loads/load-folders.ts';
import { eventually } from '../eventually.ts';
import { type Served, serve } from './served.ts';

const HEADER = 'User,Client,Project,Date,Hours,Billable\n';
const APRIL = `${HEADER}Ada King,Acme,Bridge,2026-04-13,7.5,Yes\nBo Li,Acme,Bridge,2026-04-14,8,Yes\n`;
const MAY = `${HEADER}Ada King,Acme,Bridge,2026-05-04,6,Yes\n`;

let served: Served;
let header: string;

/** The answer to files that were sent. */
interface Sent {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they requested.
  readonly body: any;
}

/** Sends files with fields, as a form does. */
async function send(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
  fields: Readonly<Record<string, string>> = {},
  authorization = header,
): Promise<Sent> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) form.append('files', new Blob([content]), name);
  const answer = await fetch(`${served.url}/v3/loads`, { method: 'POST', headers: { authorization }, body: form });
  return { status: answer.status, body: await answer.json() };
}

async function undo(id: number, body: object = {}): Promise<Sent> {
  const { status, text } = await served.post(`/v3/loads/${id}/undo`, body, { authorization: header });
  return { status, body: JSON.parse(text) };
}

/** Reads the records of a list. */
const list = async (name: string) => (await served.get(`/v3/${name}?per-page=200`, { authorization: header })).json();

/** Reads the logged days, with their hours, in order. */
async function readTime(): Promise<string[]> {
  const rows: { date: string; hours: string }[] = await list('logged-time');
  return rows.map(({ date, hours }) => `${date} ${Number(hours)}`).sort();
}

const idOf = async (resource: string, id: string, name: string): Promise<number> =>
  (await list(resource)).find((each: Record<string, unknown>) => each['name'] === name)?.[id];

/** Announces files of a size, and sends none of them. */
function announce(bytes: number): Promise<Sent> {
  const headers = {
    authorization: header,
    'content-type': 'multipart/form-data; boundary=x',
    'content-length': String(bytes),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${served.url}/v3/loads`, { method: 'POST', headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) });
        sent.destroy();
      });
    });
    sent.on('error', reject);
    sent.flushHeaders();
  });
}

describe('loads of files', { tags: ['slow'] }, () => {
  beforeAll(async () => {
    served = await serve({
      write: true,
      inMemory: true,
      data: 'nothing',
      scopes: ['load', 'reports', 'rates', 'write'],
    });
    ({ header } = await served.token(['load', 'reports', 'rates', 'write', 'close']));
    // The server follows its file of tokens.
    while ((await served.get('/v3/loads', { authorization: header })).status !== 200) await sleep(50);
  });
  afterAll(() => served.close());

  it('refuses 2 GB before they are sent, with the command that loads them', async () => {
    const { status, body } = await announce(2_000_000_000);
    expect([status, body.message]).toEqual([413, expect.stringMatching(/100 MiB.*plumbline load FOLDER/)]);
  });

  it('understands files by their first rows, and stores nothing', async () => {
    const { status, body } = await send({ 'time-2026-04.csv': APRIL }, { dry_run: 'first' });
    expect([status, body.load.id, body.load.open, 'changes' in body.load]).toEqual([200, null, [], false]);
    const [file] = body.load.files;
    expect(file).toMatchObject({
      file: 'time-2026-04.csv',
      resources: ['people', 'clients', 'projects', 'logged_time'],
    });
    expect(file.columns[4]).toEqual({ header: 'Hours', values: ['7.5', '8'] });
    expect(file.first.resource).toBe('logged_time');
    expect(file.first.rows[0]).toEqual(['Ada King', '2026-04-13', '7.500000', 'true', 'Bridge']);
    expect(await list('people')).toEqual([]);
  });

  it('tells control totals and changes before it loads, and loads them as it told', async () => {
    const dry = await send({ 'time-2026-04.csv': APRIL }, { dry_run: '1' });
    const totals = { file: 'time-2026-04.csv', resource: 'logged_time', records: 2, people: 2, projects: 1 };
    expect(dry.body.load.totals).toEqual([expect.objectContaining({ ...totals, first_day: '2026-04-13' })]);
    expect(dry.body.load.changes).toContainEqual({ resource: 'logged_time', new: 2, changed: 0, gone: 0 });
    const hours = dry.body.load.reports.changes.filter(
      (row: object) => 'measure' in row && row.measure === 'actual_hours',
    );
    expect(hours).toEqual([expect.objectContaining({ value_then: '0.00', value_now: '15.50', late: '15.50' })]);
    expect(await list('people')).toEqual([]);

    const loaded = await send({ 'time-2026-04.csv': APRIL });
    expect([loaded.status, loaded.body.load.id]).toEqual([201, 1]);
    expect(loaded.body.load.changes).toEqual(dry.body.load.changes);
    expect(await readTime()).toEqual(['2026-04-13 7.5', '2026-04-14 8']);
  });

  it('adds a further month by the mapping of the one before, and keeps what was written here', async () => {
    const ada = await idOf('people', 'people_id', 'Ada King');
    const bridge = await idOf('projects', 'project_id', 'Bridge');
    const written = { people_id: ada, project_id: bridge, date: '2026-05-05', hours: 1 };
    expect((await served.post('/v3/logged-time', written, { authorization: header })).status).toBe(201);
    const { status, body } = await send({ 'time-2026-05.csv': MAY });
    expect([status, body.load.id, body.load.totals[0].file]).toEqual([201, 2, 'time-2026-05.csv']);
    expect(await readTime()).toEqual(['2026-04-13 7.5', '2026-04-14 8', '2026-05-04 6', '2026-05-05 1']);
    const mapping = await served.get('/v3/loads/2/mapping', { authorization: header });
    expect(mapping.text).toContain('time-*.csv');
  });

  it('refuses a file that was loaded, and asks before entries of a loaded day count twice', async () => {
    const again = await send({ 'other.csv': APRIL });
    expect([again.status, again.body.message]).toEqual([
      422,
      expect.stringContaining('as load 1: its rows would count twice'),
    ]);
    const corrected = `${HEADER}Ada King,Acme,Bridge,2026-04-13,7,Yes\n`;
    const overlapping = await send({ 'time-2026-04b.csv': corrected }, { dry_run: '1' });
    expect([overlapping.status, overlapping.body.message]).toEqual([
      422,
      expect.stringContaining('have different entries of Ada King on 2026-04-13'),
    ]);
    const other = await send({ 'korrektur.csv': corrected.replace('Bridge', 'Tunnel') });
    expect([other.status, other.body.errors]).toEqual([
      422,
      [
        {
          field: 'accept',
          message: expect.stringContaining('Ada King has 14.50 h on 2026-04-13, and had 7.50 h'),
        },
      ],
    ]);
    expect(await readTime()).toHaveLength(4);
  });

  it('lets a person decide a field that was written here and that a file gives differently', async () => {
    const ada = await idOf('people', 'people_id', 'Ada King');
    const patched = await fetch(`${served.url}/v3/people/${ada}`, {
      method: 'PATCH',
      headers: { authorization: header, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'ada@here.example' }),
    });
    expect(patched.status).toBe(200);
    const people = {
      'staff.csv': 'Name,Email,Role\nAda King,ada@files.example,Builder\nBo Li,bo@files.example,Builder\n',
    };
    const asked = await send(people, { dry_run: '1' });
    expect(asked.body.load.conflicts).toEqual([
      {
        resource: 'people',
        record_id: String(ada),
        name: 'Ada King',
        field: 'email',
        here: 'ada@here.example',
        files: 'ada@files.example',
      },
    ]);
    expect((await send(people)).body.errors).toEqual([expect.objectContaining({ field: 'prefer' })]);
    expect((await send(people, { prefer: 'here' })).status).toBe(201);
    const emails = (await list('people')).map(({ email }: { email: string }) => email).sort();
    expect(emails).toEqual(['ada@here.example', 'bo@files.example']);
    expect((await undo(3)).status).toBe(200);
    const left = (await list('people')).map(({ email }: { email: string }) => email);
    expect(left.sort()).toEqual([null, 'ada@here.example'].sort());
  });

  it('takes a load back, but for what others refer to', async () => {
    const dry = await undo(2, { dry_run: true });
    expect(dry.body.load.changes).toEqual([{ resource: 'logged_time', new: 0, changed: 0, gone: 1 }]);
    expect((await undo(2)).status).toBe(200);
    expect(await readTime()).toEqual(['2026-04-13 7.5', '2026-04-14 8', '2026-05-05 1']);
    // Her e-mail was written here: the load doesn't take her away.
    expect((await undo(1)).body.errors).toEqual([expect.objectContaining({ field: 'prefer' })]);
    const first = await undo(1, { prefer: 'here' });
    expect(first.body.load.notes).toEqual([expect.stringContaining('others refer to them')]);
    expect(await readTime()).toEqual(['2026-05-05 1']);
    expect((await list('people')).map(({ name }: { name: string }) => name)).toEqual(['Ada King']);
    const { loads, running } = (await served.get('/v3/loads', { authorization: header })).json();
    expect(loads.map(({ id, undone_by: by }: { id: number; undone_by: string }) => [id, by])).toEqual([
      [3, 'test'],
      [2, 'test'],
      [1, 'test'],
    ]);
    expect(running).toBeNull();
    expect((await undo(1)).status).toBe(409);
    expect((await undo(9)).status).toBe(404);
  });

  it('leaves decisions to a person, with what to choose', async () => {
    const unclear = APRIL.replaceAll('2026-04-13', '02/03/2026').replaceAll('2026-04-14', '03/03/2026');
    const { body } = await send({ 'march.csv': unclear }, { dry_run: '1' });
    expect(body.load.open[0].choices).toEqual([
      { label: '2026-03-02 (DD/MM/YYYY)', members: { dates: 'DD/MM/YYYY' } },
      { label: '2026-02-03 (MM/DD/YYYY)', members: { dates: 'MM/DD/YYYY' } },
    ]);
    const refused = await send({ 'march.csv': unclear });
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringContaining('02/03/2026 is 2026-03-02')]);
    const files = body.load.entries.files.map(({ open: _, ...entry }: Record<string, unknown>) => ({
      ...entry,
      dates: 'MM/DD/YYYY',
    }));
    const decided = await send({ 'march.csv': unclear }, { dry_run: '1', mapping: JSON.stringify({ files }) });
    expect(decided.body.load.totals).toEqual([
      expect.objectContaining({ first_day: '2026-02-03', last_day: '2026-03-03' }),
    ]);
  });

  it('compares the amounts that files have with the ledger, tells near names, and shows none of it without rates', async () => {
    const harvest = `Date,Client,Project,Task,Hours,Billable?,First Name,Last Name,Billable Rate,Billable Amount,Cost Rate,Cost Amount
2026-07-06,Acme,Web,Build,2,Yes,Cy,Ng,100,250,40,80
2026-07-07,Acme,Web,Build,1,Yes,Ng,Cy,100,100,40,40
`;
    const files = { 'harvest_time_report_2026.csv': harvest };
    const { header: plain } = await served.token(['load', 'reports', 'write']);
    await expect.poll(async () => (await send(files, { dry_run: '1' }, plain)).status).toBe(200);
    const unseen = (await send(files, { dry_run: '1' }, plain)).body.load;
    expect(unseen.totals).toEqual([expect.objectContaining({ hours: '3.0000', fees: null, cost: null, own: [] })]);
    expect([unseen.differences, JSON.stringify(unseen.reports)]).toEqual([
      [],
      expect.not.stringContaining('actual_cost'),
    ]);

    const { body } = await send(files);
    expect(body.load.near_names).toEqual([expect.stringContaining('names: {people: {"Ng Cy": "Cy Ng"}}')]);
    expect(body.load.totals).toEqual([expect.objectContaining({ fees: '300.0000', cost: '120.0000' })]);
    expect(body.load.differences).toEqual([
      'harvest_time_report_2026.csv: its column Billable Amount, says fees of 350; its records have 300.0000',
    ]);
    const totalsFor = async (authorization: string) =>
      (await served.get('/v3/loads', { authorization })).json().loads[0].totals[0];
    expect(await totalsFor(header)).toMatchObject({ hours: '3.0000', own: [{ total: '350' }, { total: '120' }] });
    expect(await totalsFor(plain)).toMatchObject({ hours: '3.0000', own: [] });
    const costs = { 'costs.csv': 'Name,Cost rate\nXia Ho,66\nYan Ho,77x\nZoe Ho,88,9\n' };
    const seen = (await send(costs)).body.load.set_aside;
    expect(JSON.stringify(seen)).toMatch(/77x.*Zoe Ho,88,9|Zoe Ho,88,9.*77x/);
    // Values of the earlier files are not the reader's own.
    const team = { 'rates.csv': 'Name,Cost rate\nCy Ng,55\n' };
    const hidden = (await send(team, { dry_run: '1' }, plain)).body.load;
    expect(hidden.file_conflicts).toEqual([
      'people Cy Ng has cost_rate with several values, which need the scope rates',
    ]);
    expect(hidden.set_aside).toHaveLength(seen.length);
    expect(JSON.stringify(hidden)).not.toMatch(/"40|77x|88,9/);
  });

  it('refuses what can not be read with the way out, and requests without their right', async () => {
    for (const [name, content, message] of [
      ['month.zip', gzipSync('x'), 'is an archive. Unpack it'],
      ['old.xls', new Uint8Array([1]), 'save it as .xlsx'],
      ['time.csv', '', 'is empty'],
    ] as const) {
      const { status, body } = await send({ [name]: content as string }, { dry_run: 'first' });
      expect([status, body.message]).toEqual([422, expect.stringContaining(message)]);
    }
    expect((await send({ 'a.csv': APRIL }, { dry_run: 'maybe' })).body.errors[0].field).toBe('dry_run');
    expect((await send({ 'a.csv': APRIL }, { accept: 'all' })).body.errors[0].field).toBe('accept');
    expect((await send({})).status).toBe(400);
    const { header: other } = await served.token(['reports', 'write']);
    await expect.poll(async () => (await send({ 'a.csv': APRIL }, {}, other)).status).toBe(403);
    const plain = await fetch(`${served.url}/v3/loads`, {
      method: 'POST',
      headers: { authorization: header, 'content-type': 'multipart/form-data' },
      body: 'nothing',
    });
    expect(plain.status).toBe(400);
  });
});

it('a server that syncs takes no files, and says where they are loaded', { tags: ['slow'] }, async () => {
  const sync = () => ({ close: () => Promise.resolve() });
  const synced = await serve({ write: true, inMemory: true, data: 'nothing', sync });
  const answer = await synced.get('/v3/loads');
  await synced.close();
  expect([answer.status, answer.json().message]).toEqual([405, expect.stringContaining('and not from a source')]);
});

describe('files that come slowly', { tags: ['slow'] }, () => {
  const scopes: Scope[] = ['load', 'write'];
  const limits = { requestTimeoutMs: 500, minUploadBytesPerSecond: 1_000 };
  const START = '--x\r\nContent-Disposition: form-data; name="files"; filename="a.csv"\r\n\r\n';
  let slow: Served;
  let authorization: string;
  beforeAll(async () => {
    slow = await serve({ write: true, inMemory: true, data: 'nothing', scopes, limits });
    ({ header: authorization } = await slow.token(scopes));
    await eventually(async () => expect((await slow.get('/v3/loads', { authorization })).status).toBe(200));
  });
  afterAll(() => slow.close());

  /** Sends a body in pieces, one each 100 ms, of a longer one that doesn't end. @returns the status and the message. */
  const send = (pieces: readonly string[], more: Record<string, string> = {}, path = '/v3/loads') =>
    new Promise<{ status: number | undefined; message: string; ms: number }>((resolve, reject) => {
      const startedAt = performance.now();
      const headers = {
        authorization,
        'content-type': 'multipart/form-data; boundary=x',
        'content-length': '1000000',
        ...more,
      };
      const sent = request(`${slow.url}${path}`, { method: 'POST', headers }, (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk) => {
          text += chunk;
        });
        answer.on('end', () => {
          clearInterval(timer);
          sent.destroy();
          resolve({
            status: answer.statusCode,
            message: String(JSON.parse(text).message),
            ms: performance.now() - startedAt,
          });
        });
      });
      sent.on('error', reject);
      const [first = '', ...rest] = pieces;
      sent.write(first);
      const timer = setInterval(() => {
        const piece = rest.shift();
        if (piece !== undefined) sent.write(piece);
      }, 100);
    });
  const pieces = (count: number, characters: number) => [
    START,
    ...Array.from({ length: count }, () => 'a'.repeat(characters)),
  ];

  it('leave their places, of which one reader has only some', async () => {
    const { header: other } = await slow.token(scopes);
    const own = Array.from({ length: MAX_LOADS_EACH + 1 }, () => send([START]));
    const others = Array.from({ length: MAX_LOADS_EACH }, () => send([START], { authorization: other }));
    const statuses = async (sent: typeof own) => (await Promise.all(sent)).map(({ status }) => status).sort();
    expect(await statuses(own)).toEqual([...Array.from({ length: MAX_LOADS_EACH }, () => 408), 409]);
    expect(await statuses(others)).toEqual(Array.from({ length: MAX_LOADS_EACH }, () => 408));
    await expect.poll(async () => (await send([START])).status, { timeout: 10_000 }).toBe(408);
  });

  it('are received as long as they come', async () => {
    const body = [...pieces(20, 500), '\r\n--x--\r\n'];
    const length = body.reduce((sum, piece) => sum + piece.length, 0);
    const { status, ms } = await send(body, { 'content-length': String(length) });
    expect(status).not.toBe(408);
    expect(ms).toBeGreaterThan(limits.requestTimeoutMs * 2);
  });

  it('are given up when nothing comes, whatever came before', async () => {
    const { status, message, ms } = await send(pieces(1, 100_000));
    expect([status, message]).toEqual([408, expect.stringContaining('nothing came for 0.5 s')]);
    expect(ms).toBeLessThan(10_000);
  });

  it('are given up when they come too slowly to end', async () => {
    const { status, message } = await send(pieces(200, 10));
    expect([status, message]).toEqual([408, expect.stringContaining('slower than 1000 bytes a second')]);
  });

  it('are no way for other bodies, nor for readers who may not send files', async () => {
    const json = { 'content-type': 'application/json' };
    expect((await send(['[', ...Array.from({ length: 200 }, () => ' ')], json, '/v3/clients')).status).toBe(408);
    expect((await send(pieces(200, 10), { authorization: 'Bearer nobody' })).status).toBe(401);
  });
});
