import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { declareBody } from '../../base/body/index.ts';
import { readConfig } from '../../base/config/index.ts';
import { AppError } from '../../base/index.ts';
import { describeLoading } from '../../numbers/report/catalogue/index.ts';
import { readCompany } from '../../numbers/report/source/index.ts';
import { SQL_FORMATS, writeSqlAnswer, writeTable } from '../../numbers/write/index.ts';
import { openReadable } from '../../store/generation/index.ts';
import { findStateFiles } from '../../store/history/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead } from '../command/command.ts';
import { CSV_FLAG, parseCsvStyle } from '../command/csv-flag.ts';
import { parseFormat } from '../command/format-flag.ts';
import { writeOutput } from '../command/output.ts';
import { readStateFlag, STATE_FLAG } from '../command/state-flag.ts';
import { NAMED_STATES, type NamedStates } from './attached-states.ts';
import type { SqlParameter } from './protocol.ts';
import { cutNote, tableOf } from './result-table.ts';
import { openSandbox } from './sandbox.ts';
import { DEFAULT_ROWS, DEFAULT_TIMEOUT_MS, MAX_ATTACHED_STATES, MAX_ROWS, MAX_TIMEOUT_MS } from './sandbox-limits.ts';
import { parseParameter } from './sql-parameters.ts';

/** The formats that fit the result of any SELECT. */
const PRINTED_FORMATS = ['table', ...SQL_FORMATS] as const;

const namedStates = declareBody(NAMED_STATES);

export const sql: Command = {
  name: 'sql',
  summary:
    'Runs one SELECT on the database, in a separate process with limits. It can read every schema and change nothing.',
  usage: 'sql "SELECT ..."',
  flags: [
    STATE_FLAG,
    {
      name: 'state',
      argument: 'NAME=S',
      isRepeated: true,
      help: `Reads the marts of a kept state beside that, as NAME.marts.lines. May be repeated, up to ${MAX_ATTACHED_STATES} times.`,
    },
    {
      name: 'param',
      argument: 'NAME=VALUE',
      isRepeated: true,
      help: 'The value of $NAME, as text. NAME:T=VALUE gives another type: number, boolean, date or null. May be repeated.',
    },
    { name: 'limit', argument: 'N', help: `The maximum number of rows, up to ${MAX_ROWS}. Default: ${DEFAULT_ROWS}.` },
    {
      name: 'timeout',
      argument: 'S',
      help: `The maximum number of seconds, up to ${MAX_TIMEOUT_MS / 1000}. Default: ${DEFAULT_TIMEOUT_MS / 1000}.`,
    },
    {
      name: 'format',
      argument: 'F',
      help: `One of ${PRINTED_FORMATS.join(', ')}. Default: that in the name of --output, else table on a terminal and json elsewhere.`,
    },
    CSV_FLAG,
    { name: 'output', argument: 'FILE', help: 'Write to a file, whole or not at all. Default: standard output.' },
  ],
  examples: [
    'sql "SELECT kind, SUM(hours) AS hours, SUM(fee) AS fees FROM marts.lines GROUP BY kind"',
    `sql 'SELECT * FROM marts.lines WHERE date >= $start' --param start=2026-01-01 --limit 100 --output lines.csv`,
    'sql "DESCRIBE marts.lines"',
    "sql \"SELECT now.hours - march.hours FROM (SELECT SUM(hours) AS hours FROM marts.lines WHERE kind = 'actual') AS now, (SELECT SUM(hours) AS hours FROM march.marts.lines WHERE kind = 'actual') AS march\" --state march=2026-03",
    'sql - < query.sql',
  ],
  async run(positionals, flags, context) {
    const [given] = positionals;
    if (given === undefined || positionals.length > 1) {
      throw new AppError('usage', `sql takes one SELECT${givenInstead(positionals)}`, {
        hint: 'Put it in quotes, or give - and the SELECT on standard input.',
      });
    }
    const format = parseSqlFormat(flags, context);
    const csv = parseCsvStyle(flags, format);
    const parameters = parseParameters(flags['param']);
    const maxRows = parseCount(flags, 'limit', 'rows', { standard: DEFAULT_ROWS, most: MAX_ROWS });
    const seconds = { standard: DEFAULT_TIMEOUT_MS / 1000, most: MAX_TIMEOUT_MS / 1000 };
    const timeoutMs = parseCount(flags, 'timeout', 'seconds', seconds) * 1000;
    const config = readConfig(flags);
    const home = resolve(config.database);
    const relations = context.doors.flatMap((door) => door.relations ?? []);
    const files = await findStateFiles(home, { main: readStateFlag(flags), states: parseStates(flags['state']) });
    const file = files?.main ?? config.database;
    const database = await openReadable(file, { memoryLimitMib: config.memoryLimitMib });
    const company = await readCompany(database).finally(() => database.close());
    const sandbox = openSandbox(file, { size: 1, states: files?.states ?? {}, home, relations });
    const statement = given === '-' ? await text(process.stdin) : given;
    const query = { sql: statement, parameters, maxRows, timeoutMs };
    const answer = await sandbox.query(query).finally(() => sandbox.close());
    const loading = describeLoading(company);
    const table = tableOf(answer, { company, loading, parameters, maxRows, now: context.now() });
    const bytes =
      format === 'table'
        ? writeTable(format, table, { isWhole: !context.stdout.isTTY || flags['output'] !== undefined })
        : writeSqlAnswer(format, table, answer, csv);
    if (typeof flags['output'] === 'string') await writeOutput(flags['output'], bytes);
    else await context.stdout.write(bytes);
    if (format !== 'table') for (const note of answer.notes) context.stderr.print(note);
    if (answer.isTruncated) context.stderr.print(`${cutNote(maxRows)} More: --limit, up to ${MAX_ROWS}.`);
  },
};

function parseSqlFormat(flags: Flags, { stdout }: CommandContext): (typeof PRINTED_FORMATS)[number] {
  const format = parseFormat(flags, stdout.isTTY);
  const known = PRINTED_FORMATS.find((each) => each === format);
  if (known) return known;
  throw new AppError('usage', `--format: ${format} holds reports, not the result of any SELECT`, {
    hint: `Give one of ${PRINTED_FORMATS.join(', ')}.`,
  });
}

function parseParameters(flag: Flags[string]): Record<string, SqlParameter> {
  const given = typeof flag === 'object' ? flag : [];
  return Object.fromEntries(
    given.map((each) => {
      const [, name, type = 'text', value = ''] = /^(\w+)(?::(\w+))?=(.*)$/s.exec(each) ?? [];
      if (name !== undefined) return [name, parseParameter(name, type, value)];
      throw new AppError('usage', `--param: "${each}" is not NAME=VALUE`, {
        hint: 'Such as --param start=2026-01-01.',
      });
    }),
  );
}

function parseStates(flag: Flags[string]): NamedStates {
  const given = typeof flag === 'object' ? flag : [];
  const entries = given.map((each): [string, string] => {
    const [, name, reference] = /^([^=]+)=(.+)$/s.exec(each) ?? [];
    const hint = 'Such as --state march=2026-03.';
    if (name === undefined || reference === undefined)
      throw new AppError('usage', `--state: "${each}" is not NAME=S`, { hint });
    return [name, reference];
  });
  // A name such as __proto__ is one like any other.
  const states = Object.fromEntries(entries);
  const twice = entries.find(([name], index) => entries.findIndex(([other]) => other === name) < index);
  if (twice)
    throw new AppError('usage', `--state: ${twice[0]} is given twice`, { hint: 'Give each a name of its own.' });
  return namedStates.read(states, '--state');
}

function parseCount(
  flags: Flags,
  name: string,
  unit: string,
  { standard, most }: { standard: number; most: number },
): number {
  const flag = flags[name];
  if (flag === undefined) return standard;
  if (typeof flag === 'string' && /^[1-9]\d{0,8}$/.test(flag) && Number(flag) <= most) return Number(flag);
  throw new AppError('usage', `--${name}: "${String(flag)}" is not a whole number of ${unit} from 1 to ${most}`);
}
