import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import exceljs from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../src/base/database/database.ts';
import { formatRounded } from '../src/base/index.ts';
import { runProgram } from '../src/cli.ts';
import { loadCatalogue } from '../src/numbers/report/catalogue/load-catalogue.ts';
import { allParametersOf } from '../src/numbers/report/catalogue/parameters.ts';
import { MAX_RECORD_BYTES } from '../src/records/ingest/reading/relation.ts';
import { settings } from '../src/records/resource/company-resources.ts';
import { type Field, type Fields, MAX_JSON_PARTS } from '../src/records/resource/field.ts';
import type { ResourceDefinition } from '../src/records/resource/resource.ts';
import { resources } from '../src/records/resource/resources.ts';
import { MAX_CELL_CHARACTERS } from '../src/records/spreadsheet/cell-value.ts';
import { OCTOBER_TOTALS, writeCappedOctober } from './companies/capped-october.ts';
import { sheetBook } from './ingest/sheet-book.ts';
import { OCTOBER_LOADED } from './sql/company.ts';

const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
];
const RULES = 'D1 D2 D3 D4 D5 D6 D7 D8 S1 S2 R1 R2 R3 R4 R5 A1 A2 A3 A4'.split(' ');
const catalogue = loadCatalogue('reports');
const folder = mkdtempSync(join(tmpdir(), 'plumbline-docs-'));
const database = join(folder, 'company.duckdb');
beforeAll(() => run('load', 'fixtures/company', '--database', database));
afterAll(() => rmSync(folder, { recursive: true }));

const readText = (file: string): string => readFileSync(file, 'utf8');

/** Returns the text below a heading, up to the next one of its level or above. */
function readSection(file: string, heading: string): string {
  const level = heading.indexOf(' ');
  const [, rest = ''] = `\n${readText(file)}`.split(`\n${heading}\n`);
  return rest.split(new RegExp(`\n#{1,${level}} `))[0] ?? '';
}

/** Returns the cells of all table rows of a text, without headers and code marks. */
function readTable(text: string): string[][] {
  const rows = [...text.matchAll(/^\| ?(.*?) ?\|$/gm)].map(([, row = '']) => row.split(/ ?(?<!\\)\| ?/));
  const isRule = (row: readonly string[] | undefined) => row?.every((cell) => /^-+$/.test(cell)) ?? false;
  return rows
    .filter((row, index) => !isRule(row) && !isRule(rows[index + 1]))
    .map((row) => row.map((cell) => cell.replace(/^`([^`]*)`$/, '$1')));
}

/** Returns a function that runs the program at a moment. */
function runAt(now: Date) {
  return async (...args: string[]): Promise<{ code: number; output: string }> => {
    const stream = () => Object.assign(new PassThrough(), { isTTY: false });
    const [stdout, stderr] = [stream(), stream()];
    const texts: string[] = [];
    for (const each of [stdout, stderr]) each.on('data', (chunk) => texts.push(String(chunk)));
    const code = await runProgram(args, {
      stdout: stdout as unknown as NodeJS.WriteStream,
      stderr: stderr as unknown as NodeJS.WriteStream,
      now: () => now,
    });
    return { code, output: texts.join('') };
  };
}

const run = runAt(new Date('2026-06-15T12:00:00Z'));

describe('paths', () => {
  it.each(DOCUMENTS)('%s names files that exist', (document) => {
    const text = readText(document);
    const paths =
      text.match(/(?<!\/)\b(?:sql|src|packages|reports|docs|fixtures|scripts|bench|test)\/[\w./-]*[\w/]/g) ?? [];
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, link = '']) =>
      join(dirname(document), link),
    );
    expect([...paths, ...links].filter((path) => !existsSync(path))).toEqual([]);
  });
});

it('README begins with a picture and fits in 120 lines', () => {
  const lines = readText('README.md').trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(120);
  expect(lines.filter((line) => line.length > 160)).toEqual([]);
  expect(lines[2]).toMatch(/^!\[/);
});

describe('commands', () => {
  const lines = DOCUMENTS.flatMap((document) => readText(document).split('\n'));
  const examples = lines.flatMap((line) => /^(?: {4}|npx )plumbline (.*)$/.exec(line)?.[1] ?? []);

  it('every npm script named in the documents exists', () => {
    const { scripts } = JSON.parse(readText('package.json'));
    const named = [...lines.join('\n').matchAll(/npm run ([\w-]+)/g)].map(([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
    expect(named).toContain('demo');
  });

  it('every command and flag of an example is in the help', { tags: ['slow'] }, async () => {
    const { output: commands } = await run('--help');
    for (const example of examples) {
      const [command = '', argument = ''] = example.split(' ');
      expect(commands, example).toMatch(new RegExp(`^ {2}${command} `, 'm'));
      const report = catalogue.reports.has(argument) ? [argument] : [];
      const { output, code } = await run(command, ...report, '--help');
      expect(code).toBe(0);
      for (const [flag] of example.matchAll(/--[a-z-]+/g)) expect(output, example).toContain(`  ${flag} `);
    }
  });

  it('every flag mentioned in the text is in the help', { tags: ['slow'] }, async () => {
    const commands = [
      'load',
      'report',
      'export',
      'sql',
      'serve',
      'token',
      'access',
      'sessions',
      'journal',
      'status',
      'sync',
      'mcp',
      'backup',
      'restore',
      'template',
      'keep',
      'close',
      'reopen',
      'explain',
      'closings',
      'loads',
      'rates',
      'verify',
      'preview',
      'deliveries',
      'deliver',
    ];
    const help = (await Promise.all(commands.map((name) => run(name, '--help'))))
      .map(({ output }) => output)
      .join('\n');
    const passing = lines.filter((line) => !/npx vitest|npm run/.test(line)).join('\n');
    const flags = [...passing.matchAll(/`[^`\n]*?(--[a-z][a-z-]*)/g)].map(([, flag]) => flag);
    expect(flags.filter((flag) => !help.includes(`  ${flag} `))).toEqual([]);
  });

  it('the report in README is what the program prints', async () => {
    const [, shown = ''] = readSection('README.md', '## A report').split('```');
    expect(shown).toContain('\nTotal ');
    const measures = 'scheduled_to_date_hours,actual_hours,variance_hours,actual_fees,actual_cost';
    const asked = ['report', 'pivot', '--group-by', 'department', '--measures', measures, '--format', 'table'];
    const window = ['--start-date', '2026-01-01', '--end-date', '2026-06-30', '--cutoff-date', '2026-05-31'];
    const { output } = await run(...asked, ...window, '--database', database);
    expect(output.startsWith(shown.replace('text\n', '').trimEnd())).toBe(true);
  });

  it('the commands for own data in README lead to a report', { tags: ['slow'] }, async () => {
    const [, block = ''] = readSection('README.md', '## Your own data').split('```');
    const own = mkdtempSync(join(folder, 'own-'));
    for (const [, text = '', name = ''] of block.matchAll(/^printf '(.*)' > own\/(\S+)$/gm))
      writeFileSync(join(own, name), text.replaceAll('\\n', '\n'));
    const opened = join(own, 'own.duckdb');
    expect((await run('load', own, '--strict', '--database', opened)).code).toBe(0);
    const window = ['--start-date', '2026-06-01', '--end-date', '2026-06-30', '--fields', 'name,actual_hours'];
    const { output } = await run('report', 'projects', ...window, '--format', 'csv', '--database', opened);
    expect(output).toContain('Website,7.5');
  });

  /** Runs the commands of the month end, and returns what each says. */
  async function runMonthEnd(runOne = run, adapt = (command: string) => command): Promise<Map<string, string>> {
    const made = mkdtempSync(join(folder, 'month-end-'));
    const outputs = new Map<string, string>();
    for (const [, command = ''] of readText('docs/month-end.md').matchAll(/^ {4}plumbline (.*)$/gm)) {
      const own = adapt(command).replaceAll(/\b(board|memo|revenue)\.xlsx/g, (name) => join(made, name));
      const args = [...own.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
      const isShown = args[0] === 'report' && !args.includes('--output');
      const shown = isShown ? ['--format', 'table'] : [];
      const { code, output } = await runOne(...args, ...shown, '--database', join(made, 'company.duckdb'));
      expect(code, `${command}\n${output}`).toBe(0);
      outputs.set(command, output);
    }
    return outputs;
  }

  it('the month end of docs/month-end.md runs, and has its numbers', { tags: ['slow'], timeout: 300_000 }, async () => {
    const outputs = [...(await runMonthEnd()).values()].join('\n');
    const numbers = [...readText('docs/month-end.md').matchAll(/`([\d,]+\.\d\d)`/g)].map(([, number]) => number);
    expect(numbers).toHaveLength(7);
    for (const number of numbers) expect(outputs).toContain(number);
  });

  it('the same month end has the numbers of a consultancy', { tags: ['slow'], timeout: 120_000 }, async () => {
    const records = join(folder, 'october');
    writeCappedOctober(records);
    const outputs = await runMonthEnd(runAt(OCTOBER_LOADED), (command) =>
      command
        .replace('fixtures/company', records)
        .replaceAll('2026-05', '2026-10')
        .replace('2026-01-01', '2026-02-01')
        .replace('--project-id 505', '--project-id 104')
        .replace('May', 'October'),
    );
    const said = (begin: string) =>
      [...outputs].flatMap(([command, output]) => (command.includes(begin) ? output : [])).join('\n');
    const { actual_hours: hours, actual_cost: cost, actual_fees: fees } = OCTOBER_TOTALS['2026-10'] ?? {};
    const totals = [hours, cost, fees].map((value = '') => formatRounded(value, 2));
    for (const total of totals) expect(said('report projects --period')).toContain(total);
    for (const total of [cost, fees]) expect(said('sql')).toContain(total);
    // The value of work, what of it nobody owes, revenue by contract, profit.
    for (const number of ['226,642.05', '79,416.29', '179,285.55', '41,216.88'])
      expect(said('fees_beyond_budget')).toContain(number);
    // Three people haven't logged, on work by time: what the month end accrues.
    for (const number of ['59.00', '3,375.25', '7,816.25']) expect(said('missing_revenue')).toContain(number);
    expect(said('explain')).toContain('41146.70');
  });

  describe('the examples of README run', () => {
    const block = readSection('README.md', '## Commands').split('```')[1] ?? '';
    const commands = [...block.matchAll(/^npx plumbline (.*)$/gm)].map(([, text = '']) => text);
    expect(commands.length).toBeGreaterThan(5);

    it.each(commands)('%s', { tags: ['slow'] }, async (command) => {
      const placed = command
        .replace('company.duckdb', database)
        .replace(/ (people\.csv|projects\.xlsx|marts) /, (_, name: string) => ` ${join(folder, name)} `);
      const args = [...placed.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
      const { code, output } = await run(...args);
      expect(code, output).toBe(0);
    });
  });
});

describe('the folders in docs/architecture.md', () => {
  const [houses = '', rooms = ''] = ['# Architecture', '## The rooms of a report'].map((heading) =>
    (readSection('docs/architecture.md', heading).split('\n## ')[0] ?? '').trim(),
  );
  const listFolders = (parent: string) =>
    readdirSync(parent, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

  it('are the houses of src', () => {
    const named = [...houses.matchAll(/^\| \[`(\w+)`\]\(\.\.\/src\/\1\/README\.md\)/gm)].map(([, name]) => name);
    expect(named.sort()).toEqual(listFolders('src').sort());
  });

  it.each(listFolders('src'))(
    'the README of %s has about twenty lines, and a row for each room with the rooms in it',
    (house) => {
      const text = readText(join('src', house, 'README.md'));
      expect(text.split('\n').length).toBeLessThan(26);
      const rows = new Map(readTable(text).map(([name = '', contents = '']) => [name, contents]));
      for (const room of listFolders(join('src', house))) {
        expect(rows.has(room), room).toBe(true);
        // Those of a report have a table of their own.
        const inside = room === 'report' ? [] : listFolders(join('src', house, room));
        for (const inner of inside) expect(rows.get(room)).toContain(`\`${inner}\``);
      }
      const files = [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(existsSync(join('src', house, file)), file).toBe(true);
    },
  );

  it.each(readdirSync('packages'))(
    'the README of the package %s fits on a screen, and names files that exist',
    (name) => {
      const folder = join('packages', name);
      const text = readText(join(folder, 'README.md'));
      expect(text.split('\n').length).toBeLessThan(30);
      expect(houses).toContain(`[\`${folder}/\`](../${folder}/README.md)`);
      const files = [...text.matchAll(/`([\w/-]+\.ts)`/g)].map(([, file = '']) => file);
      expect(files.length).toBeGreaterThan(0);
      for (const file of files) expect(existsSync(join(folder, file)), file).toBe(true);
    },
  );

  it('have all rooms of src/numbers/report', () => {
    const named = readTable(rooms).map(([room]) => room);
    expect(named.sort()).toEqual(listFolders('src/numbers/report').sort());
  });
});

describe('rules', () => {
  const rows = readTable(readSection('docs/architecture.md', '## Where is a rule computed?'));

  it.each(RULES)('docs/architecture.md names the file that computes %s, and that file cites the rule', (rule) => {
    const files = rows.filter(([id]) => id === rule).map(([, , file = '']) => file);
    expect(files).toHaveLength(1);
    for (const file of files) expect(readText(file)).toMatch(new RegExp(`\\b${rule}\\b`));
  });

  it.each(['budgets', 'capacity', 'percent', 'periods'])(
    'docs/architecture.md names the file that computes %s',
    (subject) => {
      const [, , file = ''] = rows.find(([id]) => id === subject) ?? [];
      expect(readText(file).toLowerCase()).toContain(subject.replace(/s$/, ''));
    },
  );

  it.each(RULES)('docs/ledger.md explains %s with an example of two lines', (rule) => {
    expect(readText('docs/ledger.md')).toMatch(new RegExp(`\n\\*\\*${rule}, [^]*?\n\n> [^\n]+\n> [^\n]+\n\n?`));
  });

  it('docs/ledger.md has every column of the ledger', async () => {
    const opened = await openDatabase(database, { readOnly: true });
    const columns = await opened.rows<{ column_name: string }>('DESCRIBE marts.ledger').finally(() => opened.close());
    const section = readSection('docs/ledger.md', '## 2.1 Columns');
    const names = readTable(section).flatMap(([cell = '']) => cell.match(/\w+/g) ?? []);
    expect(names).toEqual(columns.map(({ column_name: name }) => name));
  });
});

describe('limits', () => {
  const sandbox = 'src/doors/sandbox/sandbox-limits.ts';
  const rows = [
    ...readTable(readText('docs/limits.md')),
    ...readTable(readSection('docs/mcp.md', '## Answers')),
    ...readTable(readSection('docs/odata.md', '## Limits')),
    ...readTable(readSection('docs/workbook.md', '## Size')).filter(([name = '']) => /^\w+$/.test(name)),
    ...readTable(readSection('docs/sql.md', '## Limits')).map(([name = '', value = '']) => [name, sandbox, value]),
  ];

  it.each(rows)('%s in %s is %s', (name, file = '', value = '') => {
    const [, source = ''] = new RegExp(`const ${name}\\b[^=]*= ([^;]+);`).exec(readText(file)) ?? [];
    const product = source.split(' * ').reduce((factor, text) => factor * Number(text.replaceAll(/[_']/g, '')), 1);
    expect(source.includes('-') ? source : `'${product}'`).toBe(`'${value.replaceAll(',', '')}'`);
  });

  it('every limit has one row', () => {
    const files = ['src', 'packages', 'page'].flatMap((root) =>
      readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => join(root, file)),
    );
    const limits = files
      .filter((file) => /\.tsx?$/.test(file))
      .flatMap((file) =>
        [...readText(file).matchAll(/^(?:export )?const (M(?:AX|IN)_\w+) = \d/gm)].map(([, name]) => `${name} ${file}`),
      );
    const documented = rows.map(([name, file]) => `${name} ${file}`);
    expect(limits.length).toBeGreaterThan(100);
    expect(limits.filter((limit) => !documented.includes(limit))).toEqual([]);
    expect(documented.filter((row, index) => documented.indexOf(row) !== index)).toEqual([]);
  });
});

describe('docs/reports.md', () => {
  it('has every parameter with its type, default and reports', () => {
    const rows = readTable(readSection('docs/reports.md', '## 3.1 Parameters'));
    expect(rows.map(([name]) => name)).toEqual([...catalogue.parameters.keys()]);
    for (const [name = '', type, , standard, takenBy] of rows) {
      const parameter = catalogue.parameters.get(name);
      const takes = [...catalogue.reports.values()].filter((report) =>
        allParametersOf(catalogue, report).some((each) => each.name === name),
      );
      const names = takes.map((report) => report.name).join(', ');
      expect({ name, type, takenBy }).toEqual({
        name,
        type: parameter?.type,
        takenBy: takes.length === catalogue.reports.size ? 'all' : names,
      });
      if (parameter?.default !== undefined) expect(standard).toBe(parameter.default);
    }
  });

  it('has every report and every dimension', () => {
    const section = readSection('docs/reports.md', '## 3.4 The reports');
    expect(
      readTable(section)
        .map(([name]) => name)
        .sort(),
    ).toEqual([...catalogue.reports.keys()].sort());
    for (const name of catalogue.dimensions.keys()) expect(section).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it('has a row for every data-quality check, with its severity', () => {
    const rows = readTable(readSection('docs/reports.md', '## 3.7 Data quality'));
    const names = readdirSync('sql/quality').map((file) => file.replace('.sql', ''));
    expect(rows.map(([name]) => name).sort()).toEqual(names.sort());
    expect(names).toEqual(
      [...readText('sql/marts/data_quality.sql').matchAll(/'(\w+)' AS "check"/g)].map(([, name]) => name).sort(),
    );
    for (const [name, severity, meaning, remedy] of rows) {
      expect(readText(`sql/quality/${name}.sql`)).toContain(`'${severity}' AS severity`);
      expect(meaning && remedy).toBeTruthy();
    }
  });
});

describe('docs/input.md', () => {
  const all: readonly Pick<ResourceDefinition, 'name' | 'fields' | 'lists' | 'nested'>[] = [
    { name: 'settings', fields: settings },
    ...resources,
  ];

  it.each(all)('has every field of $name, and no other', ({ name, fields, lists: ownLists = {}, nested = {} }) => {
    const rows = readTable(readSection('docs/input.md', `### ${name}`)).map(([cell = '', type, required]) => {
      return [cell.replaceAll('`', ''), type, required ?? ''];
    });
    const lists = Object.entries(ownLists).flatMap(([list, { within, fields: own }]) =>
      within
        ? [[`${within.list}.${within.field}`, 'list', '']]
        : [[list, 'list', ''], ...describeFields(own, `${list}.`)],
    );
    const expected = [...describeFields(fields), ...lists, ...Object.keys(nested).map((list) => [list, 'list', ''])];
    expect(rows.map((row) => row.join(' | ')).sort()).toEqual(expected.map((row) => row.join(' | ')).sort());
  });

  it('has every reason for setting a record aside, and no other', { tags: ['slow'] }, async () => {
    const documented = readTable(readSection('docs/input.md', '## 1.3 Records set aside')).map(([reason]) => reason);
    const given = await readReasons();
    const shapes = given.map((reason) =>
      reason
        .replace(/^[a-z_]+: /, 'FIELD: ')
        .replace(/not a day written (?!YYYY-MM-DD$).*/, 'not a day written FORMAT')
        .replace(/more than \d+ lists/, 'more than N lists')
        .replace(/not one of .*/, 'not one of CODES')
        .replace(/outside .*/, 'outside MIN to MAX')
        .replace(/has \d+ columns, the header has \d+/, 'has N columns, the header has M')
        .replace(/^cell [A-Z]+\d+ is #.*/, 'cell CELL is #ERROR')
        .replace(/^cell [A-Z]+\d+ /, 'cell CELL ')
        .replace(/(?<=retainer_id) \d+, .*/, ' N, ...'),
    );
    const columns = ['resource', '`file`, `position`', 'record_id', 'item', 'reasons', 'record'];
    expect(documented.filter((reason) => !columns.includes(reason ?? '')).sort()).toEqual([...new Set(shapes)].sort());
  });
});

const TYPES: Readonly<Record<Field['type'], string>> = {
  id: 'id',
  key: 'text',
  name: 'text',
  text: 'text',
  word: 'word',
  tag: 'text',
  boolean: 'boolean',
  integer: 'whole number',
  hours: 'hours',
  effort: 'hours of work',
  percent: 'percent',
  week: 'week',
  rate: 'rate',
  amount: 'amount',
  date: 'date',
  timestamp: 'time',
  color: 'color',
  ids: 'list of ids',
  json: 'JSON',
};

/** Lists the name, type and mark of every field. List items that are plain values have no row. */
function describeFields(fields: Fields, prefix = ''): string[][] {
  return Object.entries(fields)
    .filter(([, { from }]) => !from?.includes('$'))
    .map(([name, field]) => [
      (field.from ?? [name]).map((path) => prefix + path).join(' or '),
      field.codes ? 'code' : TYPES[field.type],
      field.required ? 'yes' : '',
    ]);
}

async function readReasons(): Promise<string[]> {
  const directory = mkdtempSync(join(folder, 'wrong-'));
  const write = (file: string, text: string) => writeFileSync(join(directory, file), text);
  const people: Record<string, unknown>[] = [
    { name: {} },
    { active: 'maybe' },
    { people_type_id: 9 },
    { cost_rate: -1 },
    { cost_rate: 1e12 },
    { cost_rate: 'n/a' },
    { work_days_hours: [8] },
    { start_date: '2026-02-31' },
    { start_date: '1969-12-31' },
    { start_date: '2026-02-02', end_date: '2026-02-01' },
    { contracts: { cost_rate: 1 } },
    { work_days_hours_history: [8] },
    { department: 'Design' },
  ];
  const wrongAccounts = [
    { account_id: 1, account_type: 'x' },
    { account_id: 2, department_filter: 'x' },
    { account_id: 3, access: Array(MAX_JSON_PARTS).fill([]) },
  ];
  const numbered = people.map((person, index) => ({ people_id: index + 1, ...person }));
  write('people.json', JSON.stringify([...numbered, {}, { people_id: 1.5 }, 'nobody']));
  write('accounts.json', JSON.stringify(wrongAccounts));
  write('project_stages.json', JSON.stringify([{ stage_id: 1, color: 'blue' }]));
  write('holidays.json', JSON.stringify([{ id: 1 }, { id: 2, date: '2026-02-02', end_date: '2026-02-01' }]));
  const task = { project_id: 1, people_id: 1, start_date: '2026-02-02', end_date: '2026-02-02', hours: 1 };
  const tasks = [{ people_id: 0 }, { repeat_end_date: '2026-02-01' }, { created: 'then' }];
  write('tasks.json', JSON.stringify(tasks.map((wrong, index) => ({ task_id: index + 1, ...task, ...wrong }))));
  const expense = { project_expense_id: 1, project_id: 1, date: '2026-02-02', cost: 99999999999, markup: 99999999999 };
  const costs = [1e11, -1e11].map((cost, index) => ({ ...expense, project_expense_id: index + 2, cost }));
  const raised = { ...expense, project_expense_id: 4, cost: 10, markup: -5, markup_type: 1 };
  write('project_expenses.json', JSON.stringify([expense, ...costs, raised]));
  const retainers = [
    { amounts: [{ amount: 1 }] },
    { amounts: [{ amount: 1 }] },
    { unit: 'fee', amounts: [{ amount: 1, price: 1 }] },
    { amounts: [{ amount: 1e8 }] },
    { amounts: [] },
    { amounts: [{ amount: 1 }], expires_after: 1 },
    { amounts: [{ amount: 1 }], start_date: '1970-01-01', end_date: '2099-12-31' },
  ].map((wrong, index) => ({ retainer_id: index + 1, project_id: 1, start_date: '2026-02-02', ...wrong }));
  write('retainers.json', JSON.stringify(retainers));
  const covers = [{}, { logged_time_id: 'a', project_expense_id: 1 }];
  write('invoice_lines.json', JSON.stringify([{ invoice_line_id: 1, invoice_id: 1, amount: 1, covers }]));
  write('clients.csv', 'client_id,name\n1,"a"b\n2,"open\n3,a,b\n');
  const undecodable = ['\\ud800', '\\x', '\u0001', Buffer.from([0xff]), '\\u0000'].flatMap((text, index) =>
    ['{"stage_id":', `${index + 2}`, ',"name":"', text, '"}\n'].map((part) => Buffer.from(part)),
  );
  writeFileSync(join(directory, 'project_stages.2.ndjson'), Buffer.concat(undecodable));
  const workbook = new exceljs.Workbook();
  const broken = [{ error: '#N/A' }, { formula: 'A1' }].map((value, index) => [index + 1, value as exceljs.CellValue]);
  workbook.addWorksheet('departments').addRows([['department_id', 'name'], ...broken]);
  await workbook.xlsx.writeFile(join(directory, 'book.xlsx'));
  const cells = ['<c t="b"><v>2</v></c>', '<c t="s"><v>7</v></c>', '<c r="B4"><v>1</v></c><c r="B4"><v>2</v></c>'];
  const texts = ['_xD800_', 'x'.repeat(MAX_CELL_CHARACTERS + 1)].map((text) => `<c t="str"><v>${text}</v></c>`);
  const rows = [...cells, ...texts].map((xml, index) => [`${index + 1}`, { xml }]);
  const roles = sheetBook([['role_id', 'name'], ...rows], { sheets: ['roles'] });
  writeFileSync(join(directory, 'roles.xlsx'), roles);
  write('departments.csv', `department_id,name\n9,${'x'.repeat(MAX_RECORD_BYTES - 10)}\n`);
  const file = join(folder, 'wrong.duckdb');
  const { code, output } = await run('load', directory, '--database', file);
  expect(code, output).toBe(0);
  const noted = mkdtempSync(join(folder, 'noted-'));
  const times = ['a;2026.02.02;1:00', 'b;02/02/2026;1.5'].map((row) => `${row};1\n`);
  writeFileSync(join(noted, 'logged_time.csv'), `logged_time_id;date;hours;people_id\n${times.join('')}`);
  writeFileSync(join(noted, 'people.csv'), 'people_id;cost_rate\n1;1.5\n');
  const notations = ['--date-format', 'DD/MM/YYYY', '--decimal-comma', '--hours-format', 'h:mm'];
  const otherFile = join(folder, 'noted.duckdb');
  expect((await run('load', noted, ...notations, '--database', otherFile)).code).toBe(0);
  return [...(await readRejected(file)), ...(await readRejected(otherFile))];
}

async function readRejected(file: string): Promise<string[]> {
  const opened = await openDatabase(file, { readOnly: true });
  const reasons = await opened
    .rows<{ reason: string }>('SELECT DISTINCT UNNEST(reasons) AS reason FROM source.rejected')
    .finally(() => opened.close());
  return reasons.map(({ reason }) => reason);
}
