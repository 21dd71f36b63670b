import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** Parts of src (folders or top-level files) and their allowed imports; `type` allows types only. */
const ARROWS: Readonly<Record<string, string>> = {
  secrets: '',
  'foreign-text': 'secrets',
  error: 'foreign-text secrets',
  'exact-decimal': '',
  'json-object': '',
  pace: '',
  'regular-file': 'error',
  'text-list': '',
  'tuple-key': '',
  'nearest-name': '',
  'connection-failure': 'error',
  config: 'error foreign-text secrets',
  database: 'error',
  resource: '',
  calendar: 'nearest-name resource',
  faults: 'error',
  body: 'error foreign-text json-object',
  'private-files': '',
  signals: '',
  'replace-file': 'signals',
  backup: 'config database error generation live record regular-file replace-file signals',
  generation: 'config database error model private-files record replace-file report resource signals tuple-key',
  history:
    'ask calendar config database error exact-decimal generation ingest/reading/hash json-object nearest-name private-files replace-file report resource signals text-list write',
  identity: 'calendar config database error generation json-object replace-file report resource setup-file',
  ask: 'body calendar database error faults foreign-text generation pace record report type:live write',
  live: 'calendar config database error foreign-text generation ingest model private-files record replace-file report resource signals',
  loads: 'database error foreign-text generation ingest json-object live model record resource sync',
  record:
    'body calendar database error exact-decimal faults foreign-text json-object regular-file replace-file resource',
  ingest:
    'config/package calendar database error exact-decimal foreign-text json-object nearest-name regular-file resource signals spreadsheet yaml-line',
  pull: 'calendar config connection-failure error foreign-text json-object resource secrets signals',
  'tie-out': 'ask calendar database error exact-decimal generation pull report',
  sync: 'database error generation history ingest live model pull record resource tie-out',
  model: 'database error',
  report: 'calendar config/package database error exact-decimal nearest-name pace resource text-list tuple-key',
  write: 'config/package database error exact-decimal foreign-text pace text-list tuple-key type:report',
  template: 'resource write',
  spreadsheet: 'error exact-decimal foreign-text',
  cluster:
    'config connection-failure database error foreign-text generation ingest json-object model replace-file resource secrets',
  mcp: 'ask body config database error faults foreign-text json-object nearest-name record report sandbox write',
  sandbox: 'body config database error faults json-object type:report',
  odata: 'body database error foreign-text json-object nearest-name report resource write',
  'yaml-line': '',
  'setup-file': 'error foreign-text yaml-line',
  deliver:
    'ask calendar cluster/lake/s3-store config connection-failure database error exact-decimal foreign-text generation history identity nearest-name odata pace replace-file report secrets setup-file tuple-key write',
  http: 'ask body calendar config database deliver error faults foreign-text generation history identity json-object live loads mcp nearest-name odata pace record report resource sandbox secrets sync tuple-key write',
  command:
    'ask backup body cluster config database deliver error foreign-text history identity ingest generation json-object live loads mcp model pull record regular-file replace-file report resource sandbox secrets signals spreadsheet sync template tie-out write',
  'serve-command': 'command config deliver error generation history http live pull signals sync',
  cli: 'command config database error serve-command',
  main: 'cli private-files signals',
};

/** Rooms of a part, and the rooms or files of the same part that they may import. */
const ROOMS: Readonly<Record<string, string>> = {
  'command/history': 'command/command command/output',
  'command/load': 'command/command command/progress',
  'history/closing': 'history',
  'history/asked': 'history',
  'http/protocol': '',
  'http/page': 'http/protocol',
  'http/deliveries': 'http/protocol',
  'http/reports': 'http/protocol',
  'http/records': 'http/protocol',
  'http/history': 'http/protocol',
  'http/preview': 'http/protocol',
  'http/sign-in': 'http/protocol',
  'http/loads': 'http/preview http/protocol',
  'http/odata': 'http/protocol http/reports http/sql',
  'http/sql': 'http/protocol',
  'http/mcp': 'http/preview http/protocol http/reports http/sql',
  'http/description': 'http/protocol http/records http/reports',
  'report/layout': '',
  'report/catalogue': 'report/layout',
  'report/request': 'report/catalogue',
  'report/source': 'report/catalogue report/request',
  'report/kinds': 'report/catalogue report/request report/source',
  'report/plan': 'report/catalogue report/request report/source report/kinds',
  'report/compare': 'report/catalogue report/request report/source report/kinds report/plan',
  'report/run': 'report/catalogue report/request report/source report/kinds report/plan report/compare',
  'report/insights': 'report/catalogue report/request report/source report/kinds report/plan report/run',
  'report/explain': 'report/catalogue report/request report/source report/kinds report/plan report/run',
  'report/workbook':
    'report/layout report/catalogue report/request report/source report/kinds report/plan report/run report/insights report/explain',
  'report/preview': 'report/catalogue report/request report/source report/run report/insights',
  'report/marts': 'report/catalogue report/request report/source report/kinds report/plan',
  'report/describe': 'report/catalogue report/compare report/kinds report/plan',
  'write/xlsx/package': '',
  'write/xlsx/sheets': 'write/xlsx/package',
  'write/xlsx/summary': 'write/xlsx/package write/xlsx/sheets',
  'write/xlsx/pivot': 'write/xlsx/package write/xlsx/sheets',
  'deliver/schedule': '',
  'deliver/setup': 'deliver/schedule',
  'deliver/content': 'deliver/setup',
  'deliver/message': 'deliver/setup deliver/content',
  'deliver/postgres': '',
  'cluster/trino': '',
  'cluster/lake': 'cluster/trino',
  'cluster/build': 'cluster/trino cluster/lake',
  'ingest/records': '',
  'ingest/mapping': 'ingest/records',
  'ingest/merging': 'ingest/mapping',
  'ingest/reading': 'ingest/records ingest/mapping ingest/merging',
  'ingest/proposal': 'ingest/records ingest/mapping ingest/reading',
  'ingest/controls': 'ingest/records ingest/mapping ingest/reading',
  'record/planned': 'record/node record/read record/record-paths record/records record/storage record/unknown-fields',
  'record/storage': 'record/node record/records record/rules record/resource record/value',
};

/** The files of src/report that other parts may import. */
const REPORT_DOORS = [
  'catalogue/definitions',
  'catalogue/load-catalogue',
  'catalogue/table',
  'describe/describe-catalogue',
  'explain/explain-request',
  'insights/insights',
  'marts/macros',
  'marts/marts',
  'marts/marts-catalog',
  'marts/star',
  'preview/preview',
  'request/number',
  'run/run',
  'source/part-views',
  'source/read-company',
  'workbook/workbook',
];

const IMPORT = /(?:(?:import|export)(?<type> type)?\s[^;'"]*?from\s+|import\(\s*)'(?<path>\.[^']*)'/g;

/** Every import between files of src, as paths without extensions. */
const imports = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => {
    const found = [...readFileSync(join('src', file), 'utf8').matchAll(IMPORT)];
    return found.map(({ 0: text, groups = {} }) => ({
      file,
      isType: groups['type'] !== undefined,
      isLater: text.startsWith('import('),
      target: join(file, '..', groups['path'] ?? '').replace('.ts', ''),
    }));
  });

it('imports go one way, and ingest, model and report never meet', () => {
  const wrong = imports.filter(({ file, isType, target }) => {
    const [part = ''] = file.split(/[/.]/);
    const [other = ''] = target.split('/');
    const allowed = ARROWS[part]?.split(' ') ?? [];
    const names = [other, target, ...(isType ? [`type:${other}`] : [])];
    return other !== part && !names.some((name) => allowed.includes(name));
  });
  expect(wrong).toEqual([]);
});

/** Files that name a day's length or a date's parts: the room of days, and the serial numbers of Excel, which count days. */
const DAY_FILES = [
  'calendar/day.ts',
  'pull/run-start.ts',
  'spreadsheet/cell-value.ts',
  'write/xlsx/package/decimal.ts',
];

it('days are computed in one room', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const own = files.filter((file) =>
    /date-fns|setUTC|Date\.UTC\((?!2000)|86_400_000/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(own.sort()).toEqual(DAY_FILES);
});

it('decimals are computed in one precision', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const own = files.filter((file) => readFileSync(join('src', file), 'utf8').includes("from 'decimal.js'"));
  expect(own).toEqual(['exact-decimal.ts']);
});

it('files import each other in no circle, types included', () => {
  const left = new Map<string, string[]>();
  for (const { file, target } of imports) left.set(file, [...(left.get(file) ?? []), `${target}.ts`]);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [file, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(file);
  }
  expect([...left.keys()]).toEqual([]);
});

/** Returns the files that a file loads when it starts. */
function loadedBy(file: string): readonly string[] {
  const loaded = new Set([file]);
  for (const each of loaded)
    for (const { file: from, isType, isLater, target } of imports)
      if (from === each && !isType && !isLater) loaded.add(`${target}.ts`);
  return [...loaded];
}

it('a server without deliveries loads nothing of them: it starts no slower, and holds no more memory', () => {
  const loaded = loadedBy('serve-command.ts');
  expect(loaded.length).toBeGreaterThan(300);
  // It names the rows of deliveries.runs for SQL, and reads them by import().
  expect(loaded.filter((file) => file.startsWith('deliver/'))).toEqual(['deliver/listed-sources.ts']);
});

it('a statement of SQL, of a kept state, too, loads no report: that would be half of its processor time', () => {
  const loaded = loadedBy('command/sql-command.ts');
  expect(loaded).toContain('history/readable-state.ts');
  expect(loaded.filter((file) => /^report\/(run|plan|kinds|workbook)\/|load-catalogue/.test(file))).toEqual([]);
});

it('rooms of a part import each other only as their map allows', () => {
  const wrong = imports.filter(({ file, target }) => {
    const room = dirname(file);
    const allowed = ROOMS[room]?.split(' ');
    const part = dirname(room);
    const isInside = dirname(target) === room || !target.startsWith(`${part}/`);
    return allowed && !isInside && !allowed.includes(target) && !allowed.includes(dirname(target));
  });
  expect(wrong).toEqual([]);
});

it('other parts know the rooms of a report by their doors', () => {
  const outside = imports.filter(({ file, target }) => target.startsWith('report/') && !file.startsWith('report/'));
  expect([...new Set(outside.map(({ target }) => target.slice('report/'.length)))].sort()).toEqual(REPORT_DOORS);
});

/** A relation of the models or of records, as statements name it. */
const RELATION = /\b(?:core|marts|staging|sync|service)\.[a-z_]+|\bsource\.generation\b/g;

it('only the room of sources names a relation in src/report', () => {
  const files = readdirSync('src/report', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const named = files.flatMap((file) => {
    const code = readFileSync(join('src/report', file), 'utf8').replaceAll(/^import .*|\/\*[\s\S]*?\*\/|\/\/.*/gm, '');
    return [...code.matchAll(RELATION)].map(([relation]) => ({ file, relation }));
  });
  expect(named.some(({ file }) => file === 'source/relations.ts')).toBe(true);
  expect(named.filter(({ file }) => dirname(file) !== 'source')).toEqual([]);
});

/** A question of which kind a measure is, by the keys of definitions. */
const KIND_ASKED =
  /\bkind [!=]== '(?:sum|percent|points|ratio|index|person_days|missing|people|timesheet|budget|effect|earned)'/;

it('only the kinds of measures know which kind one is', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const asked = files.filter((file) => KIND_ASKED.test(readFileSync(join('src', file), 'utf8')));
  // A cell of a spreadsheet has kinds of its own.
  expect(asked.sort()).toEqual(['report/kinds/lines.ts', 'spreadsheet/cell-value.ts']);
});

it('the page takes nothing of src but types, which lead to no other part', () => {
  const pages = readdirSync('page', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const taken = pages.flatMap((file) =>
    readFileSync(join('page', file), 'utf8')
      .split('\n')
      .filter((line) => line.includes('/src/')),
  );
  const files = new Set(taken.map((line) => /^import type .*\/src\/(.*)';$/.exec(line)?.[1] ?? line));
  expect([...files].sort()).toEqual([
    'deliver/delivery-status.ts',
    'loads/load-json.ts',
    'report/layout/workbook-definition.ts',
  ]);
  const leading = imports.filter(({ file }) => files.has(file));
  expect(leading.map(({ isType, target }) => [isType, target])).toEqual([[true, 'report/layout/block-definition']]);
  expect(imports.filter(({ file }) => file === 'report/layout/block-definition.ts')).toEqual([]);
});

it('no folder has a file of its name beside it', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const folders = new Set(files.map((file) => dirname(file)));
  expect(files.filter((file) => folders.has(file.replace('.ts', '')))).toEqual([]);
});

it('the cluster is a wing: one import() opens it, another its store of files, and outside it only types are named', () => {
  const outside = imports.filter(({ file, target }) => target.startsWith('cluster/') && !file.startsWith('cluster/'));
  const named = outside.filter(({ isType }) => !isType).map(({ file, target }) => [file, target]);
  expect(named.sort()).toEqual([
    ['command/load/load-dataset.ts', 'cluster/cluster'],
    ['deliver/sender/bucket-sender.ts', 'cluster/lake/s3-store'],
  ]);
  expect(readFileSync('src/command/load/load-dataset.ts', 'utf8')).toContain("import('../../cluster/cluster.ts')");
});
