import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { AppError, fullMessageOf, MAX_ERROR_CHARACTERS, safeMessageOf } from '../../src/base/error.ts';
import { fromSent, toSent } from '../../src/base/jobs/job-messages.ts';
import { addSecret } from '../../src/base/secrets.ts';
import { runProgram } from '../../src/cli.ts';
import { storeError } from '../../src/cluster/lake/s3-errors.ts';
import { parseStatementPage } from '../../src/cluster/trino/statement-page.ts';
import * as trino from '../../src/cluster/trino/trino-errors.ts';
import { formatAppError } from '../../src/doors/command/command.ts';
import { formatSummary } from '../../src/doors/command/load/load-summary.ts';
import { formatRun } from '../../src/doors/command/sync-summary.ts';
import { openOutput } from '../../src/doors/command/terminal.ts';
import { describeError, formatRawError, httpError } from '../../src/doors/http/protocol/errors.ts';
import { formatXml } from '../../src/doors/http/protocol/xml.ts';
import { readTokens } from '../../src/doors/identity/tokens.ts';
import { errorText } from '../../src/doors/mcp/tool-server.ts';
import { answerODataError } from '../../src/doors/odata/odata-errors.ts';
import { explainStatementError } from '../../src/doors/sandbox/statement-errors.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';
import type { Column, Meta, Table } from '../../src/numbers/report/catalogue/table.ts';
import type { LineExplanation } from '../../src/numbers/report/explain/explain-line.ts';
import type { NumberExplanation } from '../../src/numbers/report/explain/explain-number.ts';
import { formatLineExplanation, formatNumberExplanation } from '../../src/numbers/write/explanation.ts';
import { writeText } from '../../src/numbers/write/text-writer.ts';
import { badSourceStatus, foreignRedirect } from '../../src/pull/requests/request-errors.ts';
import { type IngestSummary, requireNothingSetAside } from '../../src/records/ingest/controls/ingest-summary.ts';
import { readParameters } from '../../src/store/ask/sent-parameters.ts';
import { readManifest } from '../../src/store/backup/manifest.ts';
import type { SyncRun } from '../../src/store/sync/history.ts';

const SECRET = 'Sesame-Secret-4711';
addSecret(SECRET);

const FORGED = 'Error: forged';
const LONG = 'x'.repeat(100_000);

/** Texts from outside, and how each is seen where it is shown. */
const HOSTILE: Readonly<Record<string, readonly [text: string, shown: string]>> = {
  'clears the screen': ['a\u001b[2Jb', 'a\\u001b[2Jb'],
  'rings the bell': ['a\u0007b', 'a\\u0007b'],
  'commands in 8 bits': ['a\u009b2Jb', 'a\\u009b2Jb'],
  'turns the direction': ['a\u202eb', 'a\\u202eb'],
  'breaks a line of Unicode': ['a\u2028b', 'a\\u2028b'],
  'forges a line': [`a\n${FORGED}`, 'a'],
  'overwrites its line': [`a\r${FORGED}`, 'a\\r'],
  'holds a secret': [`a ${SECRET} b`, 'a *** b'],
  'holds a secret as addresses write it': [`http://${SECRET.toLowerCase()}.example`, '***'],
  'holds a secret wherever it is cut': [SECRET.repeat(40), '***'],
  'is very long': [LONG, 'xxxxx'],
};

/** The longest output for a text of any length. Unit: characters. */
const MAX_OUTPUT = 4 * MAX_ERROR_CHARACTERS;

/** Matches what must not reach a terminal. A line feed ends the lines of the program itself. */
const RAW = /[^\P{Cc}\n]|[\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

const folder = mkdtempSync(join(tmpdir(), 'plumbline-doors-'));
afterAll(() => rmSync(folder, { recursive: true }));

type Show = (text: string) => string | Promise<string>;

/** Returns what is printed of an error that a door throws. */
async function thrown(work: () => unknown): Promise<string> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // As it is printed, and as it is stored, before anything is printed.
    return [...formatAppError(error), error.message, error.hint, ...error.fields.map(({ message }) => message)].join(
      '\n',
    );
  }
  return expect.fail('Nothing was thrown');
}

const told = (error: Error) => thrown(() => Promise.reject(error));

/** Returns what an output prints. */
function printed(...lines: readonly string[]): string {
  const stream = new PassThrough();
  openOutput(stream as unknown as NodeJS.WriteStream).print(...lines);
  return String(stream.read());
}

/** Returns what the program writes to standard error. */
async function program(args: readonly string[], failing?: string): Promise<string> {
  const stderr = new PassThrough();
  const stdout = {
    write() {
      throw new Error(failing);
    },
  };
  const streams = { stdout, stderr } as unknown as Record<'stdout' | 'stderr', NodeJS.WriteStream>;
  await runProgram(args, { ...streams, now: () => new Date() });
  return String(stderr.read());
}

function write(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content);
  return file;
}

const summaryOf = (text: string): IngestSummary => ({
  resources: [
    {
      resource: 'people',
      files: 1,
      read: 1,
      loaded: 0,
      setAside: 1,
      duplicates: 0,
      itemsSetAside: 0,
      roundedValues: 0,
    },
  ],
  reasons: [
    {
      resource: 'people',
      list: null,
      reason: text,
      count: 1,
      example: { file: text, position: 1, id: text, item: text },
      values: [{ field: 'name', text }],
    },
  ],
  unknownFields: [{ resource: 'people', fields: [text] }],
  ignoredFiles: [text],
  encodings: [],
  conflicts: [],
  foundNames: [],
  nameQuestions: [],
  nearNames: [],
  controls: [],
});

const url = new URL('https://api.example.com/v3/tasks');
const page = (rest: object) => parseStatementPage({ id: 'q', stats: {}, ...rest }, url);

/** Doors of words: errors, summaries and logs. */
const WORDS: Readonly<Record<string, Show>> = {
  'the message of an error': (text) => told(new AppError('input', `no ${text}`)),
  'the way out of an error': (text) => told(new AppError('input', 'no', { hint: text })),
  'the fields of an error': (text) => told(new AppError('input', 'no', { fields: [{ field: text, message: text }] })),
  'the list of an error': (text) => told(new AppError('input', 'no', { items: [text] })),
  'the evidence of an error': (text) => told(new AppError('input', 'no', { evidence: text.slice(0, 1_000) })),
  'an argument': (text) => program([text]),
  'a flag': (text) => program(['status', `--${text}`]),
  'a fault of the program': (text) => program(['--version'], text.slice(0, 1_000)),
  'the summary of a load': (text) => printed(...formatSummary(summaryOf(text))),
  'a strict load': (text) => thrown(() => requireNothingSetAside(summaryOf(text))),
  'the summary of a sync': (text) =>
    printed(
      ...formatRun({ reads: [], differences: [], load: summaryOf(text), notes: [] } as unknown as SyncRun, false),
    ),
  'the stored message of a sync': (text) => safeMessageOf(new Error(text)),
  'the message of a source': (text) =>
    told(badSourceStatus(url, 500, JSON.stringify({ message: text.slice(0, 50_000) }))),
  'the message of a source as raw bytes': (text) =>
    told(badSourceStatus(url, 500, `{"message":"${text.slice(0, 50_000)}"`)),
  'an error of the process that reads a source': (text) =>
    printed(fromSent(toSent(new Error(text.slice(0, 1_000)))).message),
  'a refusal of the process that reads a source': (text) => told(fromSent(toSent(new AppError('source', text)))),
  'the message of a coordinator': (text) =>
    told(trino.failedStatement(page({ error: { message: text } }).error ?? expect.fail())),
  'the name of an error of a coordinator': (text) =>
    told(trino.failedStatement(page({ error: { message: 'no', errorName: text } }).error ?? expect.fail())),
  'the whole error of a coordinator': (text) =>
    told(trino.failedStatement(page({ error: { a: text, message: { b: text } } }).error ?? expect.fail())),
  'a page of a coordinator': (text) => told(trino.badClusterStatus(url, 500, text)),
  'the next address of a coordinator': (text) => told(trino.foreignAddress(url, text)),
  'the code of a bucket': (text) =>
    told(storeError(Object.assign(new Error('no'), { Code: text }), 's3:GetObject', 's3://lake/a')),
  'the message of a bucket': (text) =>
    told(storeError(Object.assign(new Error(text), { Code: 'Odd' }), 's3:GetObject', 's3://lake/a')),
  'the region of a bucket': (text) =>
    told(
      storeError(
        Object.assign(new Error('no'), { Code: 'PermanentRedirect', Region: text }),
        's3:GetObject',
        's3://lake/a',
      ),
    ),
  'a refusal of the engine': (text) =>
    told(
      explainStatementError(new Error(JSON.stringify({ exception_type: 'Binder', exception_message: text })), text, 0),
    ),
  'a fault of the engine': (text) => told(explainStatementError(new Error(text), text, 0)),
  'the version in a backup': (text) => {
    const files = [{ name: 'company.duckdb', bytes: 1, mode: '600', sha256: 'a'.repeat(64) }];
    const manifest = { program_version: `999.0.0 ${text}`.slice(0, 5_000), data_format: 1, files };
    write('manifest.json', JSON.stringify(manifest));
    return thrown(() => readManifest(folder));
  },
  'the name of a file in a backup': (text) => {
    const files = [{ name: text.slice(0, 5_000) }];
    write('manifest.json', JSON.stringify({ program_version: '0.1.0', data_format: 1, files }));
    return thrown(() => readManifest(folder));
  },
  'an error answer in JSON': (text) => JSON.stringify(describeError(httpError(404, text))),
  'an error answer in XML': (text) => formatXml({ ...describeError(httpError(404, text)), errors: [] }),
  'the faults of an error answer': (text) =>
    JSON.stringify(describeError(new AppError('usage', 'no', { fields: [{ field: text, message: text }] }))),
  'an unreadable request': (text) => formatRawError(400, 'Bad Request', text, {}).split('\r\n').at(-1) ?? '',
  'an error answer of OData': (text) => {
    let body = '';
    const reply = { code: () => reply, headers: () => reply, type: () => reply, send: (sent: string) => (body = sent) };
    answerODataError(httpError(400, text), {} as FastifyRequest, reply as unknown as FastifyReply);
    return body;
  },
  'an argument of a tool': (text) => thrown(() => readParameters({ project_id: { text } })),
  'an error of a tool': (text) => errorText(new AppError('usage', text, { hint: text })),
  'the log of the tools': (text) =>
    printed(fullMessageOf(new AppError('check', 'no', { evidence: text.slice(0, 1_000) }))),
};

/** Returns the text of all that doors show for a hostile text, and expects that it commands nothing. */
function expectSafe(output: string): void {
  expect(output).not.toMatch(RAW);
  expect(output).not.toMatch(new RegExp(`^${FORGED}`, 'm'));
}

describe.each(Object.entries(WORDS))('%s', (_, show) => {
  it.each(Object.entries(HOSTILE))('%s', async (_title, [text, shown]) => {
    const output = await show(text);
    expectSafe(output);
    expect(output.toLowerCase()).not.toContain(SECRET.slice(0, 'Sesame'.length).toLowerCase());
    expect(output.length).toBeLessThan(MAX_OUTPUT);
    // JSON doubles the backslash.
    expect(output.replaceAll('\\\\', '\\')).toContain(shown);
  });
});

describe('a redirect of a source', () => {
  it('names no secret', async () => {
    const output = await told(foreignRedirect(url, new URL(`http://${SECRET}.example/`)));
    expect(output).toContain('redirects /v3/tasks to http://***.example');
  });
});

describe('a file of tokens that is not JSON', () => {
  it.each(Object.values(HOSTILE))('quotes nothing of it: %j', async (text) => {
    const output = await thrown(() => readTokens(write('tokens.json', text)));
    expect(output).toContain('tokens.json: it is not JSON');
    expect(output).not.toContain(text.slice(0, 10));
  });
});

describe('a definition of a report', () => {
  it.each(['\u001b[2J', '\u202e', `"\n${FORGED}: [`])('is refused without a hidden character: %j', async (text) => {
    cpSync('reports/schema', join(folder, 'schema'), { recursive: true });
    mkdirSync(join(folder, 'catalogue'), { recursive: true });
    write('catalogue/measures.yaml', `a: "${text}\n*${text}: [`);
    const output = await thrown(() => loadCatalogue(folder));
    expectSafe(output);
    expect(output).toContain('reports/catalogue/measures.yaml:');
  });
});

const meta = {
  report: 'projects',
  parameters: { start_date: '2026-01-01', end_date: '2026-01-31' },
  currency: 'EUR',
  minor_units: 2,
  notes: [],
  checks: [],
  data_version: 'v1',
  loaded_at: '2026-01-01',
} as unknown as Meta;

const columnOf = (name: string, label: string): Column => ({
  name,
  label,
  unit: 'text',
  description: '',
  needsRates: false,
  better: undefined,
});

/** Doors of data, which hold no secret of the program and show each name as it is. */
const DATA: Readonly<Record<string, Show>> = {
  async 'a report'(text) {
    const table = {
      name: 'projects',
      label: text.slice(0, 1_000),
      columns: [columnOf('name', 'Name'), columnOf('across', text)],
      rows: (async function* () {
        yield [[text, text]];
      })(),
      totals: undefined,
      nested: undefined,
      meta: { ...meta, notes: [text.slice(0, 1_000)], currency: text.slice(0, 1_000) },
    } as unknown as Table;
    let output = '';
    for await (const part of writeText(table, ['name', 'across'])) output += part;
    return output;
  },
  'the explanation of a number'(text) {
    const name = text.slice(0, 1_000);
    return formatNumberExplanation({
      report: 'projects',
      measure: { name: 'actual_cost', label: name, unit: 'money' },
      value: '1',
      formula: name,
      terms: [{ sign: '+', label: name, value: '1', line_count: 1, hours_without_rate: null }],
      ratio: [],
      parts: { person: [{ key: '1', label: name, value: '1', line_count: 1, lines: null }] },
      lines: null,
      meta: { ...meta, currency: name },
    } as unknown as NumberExplanation);
  },
  'the explanation of a line'(text) {
    const name = text.slice(0, 1_000);
    const explanation = {
      columns: [columnOf('person', 'Person')],
      line: [name],
      steps: [
        {
          name: 'rate',
          title: name,
          rule: 'R1',
          text: name,
          facts: [{ label: name, value: name, unit: 'text' }],
          levels: [{ label: name, value: name, unit: 'text', wins: true }],
        },
      ],
    } as unknown as LineExplanation;
    return formatLineExplanation(explanation, meta);
  },
};

describe.each(Object.entries(DATA))('%s', (_, show) => {
  it.each(Object.entries(HOSTILE))('%s', async (title, [text, shown]) => {
    const output = await show(text);
    expectSafe(output);
    expect(output.length).toBeLessThan(MAX_OUTPUT);
    expect(output).toContain(title.startsWith('holds a secret') ? text : shown);
  });
});
