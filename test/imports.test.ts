import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** The houses of src, the files beside them, and the houses that each may import. */
const HOUSES: Readonly<Record<string, string>> = {
  base: '',
  records: 'base',
  numbers: 'base records',
  pull: 'base records',
  store: 'base records numbers pull',
  cluster: 'base records numbers store',
  doors: 'base records numbers pull store',
  cli: 'base doors',
  main: 'base cli',
};

/** The largest share of a house's files, and of all files, that other houses may import. Unit: %. */
const MOST_DOORS = 20;
const MOST_DOORS_IN_ALL = 15;

/** Rooms of a part, and the rooms or files of the same part that they may import. */
const ROOMS: Readonly<Record<string, string>> = {
  'doors/command/history': 'doors/command/command doors/command/output',
  'doors/command/load': 'doors/command/command doors/command/progress',
  'store/history/closing': 'store/history store/history/log',
  'store/history/asked': 'store/history store/history/log',
  'store/history/log': 'store/history/history-files store/history/state-names',
  'doors/http/protocol': '',
  'doors/http/page': 'doors/http/protocol',
  'doors/http/reports': 'doors/http/protocol',
  'doors/http/records': 'doors/http/protocol',
  'doors/http/history': 'doors/http/protocol',
  'doors/http/preview': 'doors/http/protocol',
  'doors/http/sign-in': 'doors/http/protocol',
  'doors/http/loads': 'doors/http/preview doors/http/protocol',
  'doors/http/description': 'doors/http/protocol doors/http/records doors/http/reports',
  'numbers/report/layout': '',
  'numbers/report/catalogue': 'numbers/report/layout',
  'numbers/report/request': 'numbers/report/catalogue',
  'numbers/report/source': 'numbers/report/catalogue numbers/report/request',
  'numbers/report/kinds': 'numbers/report/catalogue numbers/report/request numbers/report/source',
  'numbers/report/plan': 'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds',
  'numbers/report/compare':
    'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds numbers/report/plan',
  'numbers/report/run':
    'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds numbers/report/plan numbers/report/compare',
  'numbers/report/insights':
    'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds numbers/report/plan numbers/report/run',
  'numbers/report/explain':
    'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds numbers/report/plan numbers/report/run',
  'numbers/report/workbook':
    'numbers/report/layout numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds numbers/report/plan numbers/report/run numbers/report/insights numbers/report/explain',
  'numbers/report/preview':
    'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/run numbers/report/insights',
  'numbers/report/marts':
    'numbers/report/catalogue numbers/report/request numbers/report/source numbers/report/kinds numbers/report/plan',
  'numbers/report/describe': 'numbers/report/catalogue numbers/report/compare numbers/report/kinds numbers/report/plan',
  'numbers/write/xlsx/columns': '',
  'numbers/write/xlsx/sheets': 'numbers/write/xlsx/columns',
  'numbers/write/xlsx/summary': 'numbers/write/xlsx/columns numbers/write/xlsx/sheets',
  'doors/deliver/schedule': '',
  'doors/deliver/setup': 'doors/deliver/schedule',
  'doors/deliver/content': 'doors/deliver/setup',
  'doors/deliver/message': 'doors/deliver/setup doors/deliver/content',
  'doors/counterpart': '',
  'doors/postgres': 'doors/counterpart',
  'cluster/trino': '',
  'cluster/lake': 'cluster/trino',
  'cluster/build': 'cluster/trino cluster/lake',
  'records/ingest/records': '',
  'records/ingest/mapping': 'records/ingest/records',
  'records/ingest/merging': 'records/ingest/mapping',
  'records/ingest/reading': 'records/ingest/records records/ingest/mapping records/ingest/merging',
  'records/ingest/sample': 'records/ingest/records records/ingest/mapping records/ingest/reading',
  'records/ingest/proposal':
    'records/ingest/records records/ingest/mapping records/ingest/reading records/ingest/sample',
  'records/ingest/controls':
    'records/ingest/records records/ingest/mapping records/ingest/merging records/ingest/reading',
  'store/record/planned':
    'store/record/node store/record/read store/record/record-paths store/record/records store/record/storage store/record/unknown-fields',
  'store/record/storage':
    'store/record/node store/record/records store/record/rules store/record/resource store/record/value',
};

/** The files that other houses may import beside indexes: the rooms of a report that are one file to others, and the store of a lake. */
const OTHER_DOORS = [
  'cluster/cluster.ts',
  'cluster/lake/s3-store.ts',
  'numbers/report/describe/describe-catalogue.ts',
  'numbers/report/explain/explain-request.ts',
  'numbers/report/insights/insights.ts',
  'numbers/report/preview/preview.ts',
  'numbers/report/request/number.ts',
  'numbers/report/run/run.ts',
  'numbers/report/workbook/workbook.ts',
];

const IMPORT = /(?:(?:import|export)(?<type> type)?\s[^;'"]*?from\s+|import\(\s*)'(?<path>\.[^']*)'/g;

const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

/** Returns every import of a folder's files by its path, as paths without extensions. */
function importsOf(folder: string, names: readonly string[]) {
  return names.flatMap((file) => {
    const found = [...readFileSync(join(folder, file), 'utf8').matchAll(IMPORT)];
    return found.map(({ 0: text, groups = {} }) => ({
      file,
      isType: groups['type'] !== undefined,
      isLater: text.startsWith('import('),
      target: join(file, '..', groups['path'] ?? '').replace(/\.tsx?$/, ''),
    }));
  });
}

/** Every import of a file of src by its path. */
const allImports = importsOf('src', files);

/** Every import between files of src. */
const imports = allImports.filter(({ target }) => !target.startsWith('..'));

const packages = readdirSync('packages');

const houseOf = (file: string): string => file.split(/[/.]/)[0] ?? '';

/** The imports of files of other houses; the program begins in two files, which are no house. */
const entered = imports.filter(({ file, target }) => houseOf(file) !== houseOf(target));

it('houses import each other one way', () => {
  const wrong = entered.filter(({ file, target, isLater }) => {
    const isWing = isLater && houseOf(file) === 'doors' && houseOf(target) === 'cluster';
    return !isWing && !HOUSES[houseOf(file)]?.split(' ').includes(houseOf(target));
  });
  expect(wrong).toEqual([]);
});

it('rooms of a house import each other in no circle', () => {
  const roomOf = (file: string) => file.split('/').slice(0, -1).slice(0, 2).join('/');
  const inside = imports.filter(({ file, target }) => roomOf(file) !== roomOf(target));
  expect(inCircles(inside.map(({ file, target }) => [roomOf(file), roomOf(target)]))).toEqual([]);
});

it('others import a house by its doors, which are few', () => {
  // The list of commands names the file of each.
  const doors = new Set(entered.filter(({ file }) => houseOf(file) !== 'cli').map(({ target }) => `${target}.ts`));
  expect([...doors].filter((file) => !file.endsWith('/index.ts')).sort()).toEqual(['cli.ts', ...OTHER_DOORS]);
  const shareOf = (house: string) => {
    const own = files.filter((file) => houseOf(file) === house);
    return (100 * own.filter((file) => doors.has(file)).length) / own.length;
  };
  const shares = Object.keys(HOUSES).map((house) => [house, shareOf(house)] as const);
  expect(shares.filter(([house, share]) => house !== 'cli' && share > MOST_DOORS)).toEqual([]);
  expect((100 * doors.size) / files.length).toBeLessThan(MOST_DOORS_IN_ALL);
});

it('src imports a package by its index alone', () => {
  const outside = new Set(allImports.map(({ target }) => target).filter((target) => target.startsWith('..')));
  expect([...outside].sort()).toEqual(packages.map((name) => `../packages/${name}/index`));
});

it.each(packages)('the package %s imports nothing but its own files, and packages of npm', (name) => {
  const own = readdirSync(join('packages', name), { recursive: true, encoding: 'utf8' });
  const leading = own
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const found = [...readFileSync(join('packages', name, file), 'utf8').matchAll(IMPORT)];
      return found.map(({ groups = {} }) => join(file, '..', groups['path'] ?? ''));
    });
  expect(leading.length).toBeGreaterThan(0);
  expect(leading.filter((target) => !own.includes(target))).toEqual([]);
});

it('an index names what others take, and nothing else', () => {
  const indexes = [
    ...files.filter((file) => file.endsWith('/index.ts')).map((file) => join('src', file)),
    ...packages.map((name) => join('packages', name, 'index.ts')),
  ];
  expect(indexes.length).toBeGreaterThan(20);
  const others = indexes.filter(
    (file) => !/^(?:export (?:type )?\{[^}]*\} from '\.\/[^']*';\n)+$/.test(readFileSync(file, 'utf8')),
  );
  expect(others).toEqual([]);
});

/** Files of src that name a day's length or a date's parts: the room of days, and the serial numbers of Excel, which count days. */
const DAY_FILES = ['base/calendar/day.ts', 'pull/run-start.ts', 'records/spreadsheet/cell-value.ts'];

it('days are computed in one room', () => {
  const own = files.filter((file) =>
    /date-fns|setUTC|Date\.UTC\((?!2000)|86_400_000/.test(readFileSync(join('src', file), 'utf8')),
  );
  expect(own.sort()).toEqual(DAY_FILES);
});

it('decimals are computed in one precision', () => {
  const own = files.filter((file) => readFileSync(join('src', file), 'utf8').includes("from 'decimal.js'"));
  expect(own).toEqual(['base/exact-decimal.ts']);
});

/** Returns what is in a circle of arrows, or leads into one. */
function inCircles(arrows: readonly (readonly [string, string])[]): readonly string[] {
  const left = new Map<string, string[]>();
  for (const [from, to] of arrows) left.set(from, [...(left.get(from) ?? []), to]);
  for (let size = -1; size !== left.size; ) {
    size = left.size;
    for (const [from, targets] of left) if (!targets.some((target) => left.has(target))) left.delete(from);
  }
  return [...left.keys()];
}

it('files import each other in no circle, types included', () =>
  expect(inCircles(imports.map(({ file, target }) => [file, `${target}.ts`]))).toEqual([]));

/** A file of the bundle: what it holds of each file of src, and the files that it imports. */
interface Bundled {
  readonly entryPoint?: string;
  readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
  readonly imports: readonly { readonly path: string; readonly kind: string }[];
}

/** Returns the files that the program loads with one of its files: of an index, what is used of it alone. */
function loadedBy(file: string): readonly string[] {
  const bundle: Readonly<Record<string, Bundled>> = JSON.parse(readFileSync('dist/program.json', 'utf8'));
  const [start = ''] = Object.keys(bundle).filter((path) => bundle[path]?.entryPoint === `src/${file}`);
  const loaded = new Set([start]);
  for (const each of loaded)
    for (const { path, kind } of bundle[each]?.imports ?? [])
      if (kind === 'import-statement' && bundle[path]) loaded.add(path);
  const inputs = [...loaded].flatMap((path) => Object.entries(bundle[path]?.inputs ?? {}));
  const held = inputs.flatMap(([path, { bytesInOutput }]) => (bytesInOutput > 0 ? [path] : []));
  return held.filter((path) => path.startsWith('src/')).map((path) => path.slice('src/'.length));
}

it('a server without deliveries loads nothing of them: it starts no slower, and holds no more memory', () => {
  const loaded = loadedBy('doors/command/serve-command.ts');
  expect(loaded.length).toBeGreaterThan(300);
  expect(loaded.filter((file) => file.startsWith('doors/deliver/'))).toEqual([]);
});

it('a statement of SQL, of a kept state, too, loads no report: that would be half of its processor time', () => {
  const loaded = loadedBy('doors/sandbox/sql-command.ts');
  expect(loaded).toContain('store/history/readable-state.ts');
  expect(loaded.filter((file) => /\/report\/(run|plan|kinds|workbook)\/|load-catalogue/.test(file))).toEqual([]);
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

/** A relation of the models or of records, as statements name it. */
const RELATION = /\b(?:core|marts|staging|sync|service)\.[a-z_]+|\bsource\.generation\b/g;

it('only the room of sources names a relation in src/numbers/report', () => {
  const rooms = files.filter((file) => file.startsWith('numbers/report/'));
  const named = rooms.flatMap((file) => {
    const code = readFileSync(join('src', file), 'utf8').replaceAll(
      /^(?:im|ex)port .* from .*|\/\*[\s\S]*?\*\/|\/\/.*/gm,
      '',
    );
    return [...code.matchAll(RELATION)].map(([relation]) => ({ file, relation }));
  });
  expect(named.some(({ file }) => file === 'numbers/report/source/relations.ts')).toBe(true);
  expect(named.filter(({ file }) => dirname(file) !== 'numbers/report/source')).toEqual([]);
});

it('the digest of a measure has each rule by which sources compute what lines earn', () => {
  const read = (file: string) => readFileSync(join('src/numbers/report', file), 'utf8');
  const sources = readdirSync('src/numbers/report/source').map((file) => read(join('source', file)));
  const rules = sources.flatMap((code) => [...code.matchAll(/readRule\('([^']+)'\)/g)].map(([, path = '']) => path));
  expect(rules.length).toBeGreaterThan(5);
  // It gives lines their names alone.
  const computing = rules.filter((path) => path !== 'facts/named_revenue');
  const digest = read('catalogue/measure-digest.ts');
  expect(computing.filter((path) => !digest.includes(`'${path}'`))).toEqual([]);
});

/** A question of which kind a measure is, by the keys of definitions. */
const KIND_ASKED =
  /\bkind [!=]== '(?:sum|percent|points|ratio|index|person_days|missing|people|timesheet|budget|effect|earned)'/;

it('only the kinds of measures know which kind one is', () => {
  const asked = files.filter((file) => KIND_ASKED.test(readFileSync(join('src', file), 'utf8')));
  // A cell of a spreadsheet has kinds of its own.
  expect(asked.sort()).toEqual(['numbers/report/kinds/lines.ts', 'records/spreadsheet/cell-value.ts']);
});

const pages = readdirSync('page', { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

it('rooms of the page import each other in no circle', () => {
  const arrows = importsOf('page', pages).flatMap(({ file, target }) => {
    const [from, to] = [dirname(file), dirname(target)];
    return from === to || from === '.' || to.startsWith('..') ? [] : [[from, to] as const];
  });
  expect(arrows.length).toBeGreaterThan(100);
  expect(inCircles(arrows)).toEqual([]);
});

it.each(['page', 'test/long'])('no folder of %s has more than 30 files', (house) => {
  const folders = readdirSync(house, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const rooms = [house, ...folders.map(({ name }) => join(house, name))];
  expect(rooms.length).toBeGreaterThan(5);
  expect(rooms.filter((room) => readdirSync(room).length > 30)).toEqual([]);
});

it('the page takes nothing of src but types, which lead to no other part', () => {
  const taken = pages.flatMap((file) =>
    readFileSync(join('page', file), 'utf8')
      .split(/;\n/)
      .filter((statement) => statement.includes('/src/')),
  );
  const types = new Set(taken.map((statement) => /^import type [^;]*\/src\/(.*)'$/.exec(statement)?.[1] ?? statement));
  const layout = 'numbers/report/layout';
  expect([...types].sort()).toEqual([
    'doors/deliver/delivery-status.ts',
    `${layout}/workbook-definition.ts`,
    'store/loads/load-json.ts',
  ]);
  const leading = imports.filter(({ file }) => types.has(file));
  expect(leading.map(({ isType, target }) => [isType, target])).toEqual([[true, `${layout}/block-definition`]]);
  expect(imports.filter(({ file }) => file === `${layout}/block-definition.ts`)).toEqual([]);
});

it('no folder has a file of its name beside it', () => {
  const folders = new Set(files.map((file) => dirname(file)));
  expect(files.filter((file) => folders.has(file.replace('.ts', '')))).toEqual([]);
});

it('the cluster is a wing: one import() opens it, another its store of files, and outside it only types are named', () => {
  const outside = imports.filter(({ file, target }) => target.startsWith('cluster/') && !file.startsWith('cluster/'));
  const named = outside.filter(({ isType }) => !isType).map(({ file, target }) => [file, target]);
  expect(named.sort()).toEqual([
    ['doors/command/load/load-dataset.ts', 'cluster/cluster'],
    ['doors/deliver/sender/bucket-sender.ts', 'cluster/lake/s3-store'],
  ]);
  for (const { isLater } of outside.filter(({ isType }) => !isType)) expect(isLater).toBe(true);
});
