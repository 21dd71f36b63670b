import { expect, it } from 'vitest';
import { formatDictionary } from '../../src/report/dictionary.ts';
import { describeLineSet } from '../../src/report/line-set.ts';
import { loadCatalogue } from '../../src/report/load-catalogue.ts';

const catalogue = loadCatalogue('reports');
const text = formatDictionary(catalogue);

it('docs/measures.md matches the definitions', async () => {
  await expect(text).toMatchFileSnapshot('../../docs/measures.md');
});

it('every measure has one row with its definition', () => {
  for (const { name, label, description } of catalogue.measures.values()) {
    const rows = text.split('\n').filter((line) => line.startsWith(`| \`${name}\` | ${label} |`));
    expect(rows, name).toHaveLength(1);
    expect(rows[0]).toContain(description);
    expect(rows[0]).not.toContain('undefined');
  }
});

it('sums and percentages are described in words', () => {
  expect(text).toContain(
    'fee of *actual* lines, plus fee of *expense* lines, less cost of *actual* lines, less cost of *expense* lines',
  );
  expect(text).toContain('`variance_hours` / `scheduled_to_date_hours` x 100');
});

it('each set of lines is described in words', () => {
  for (const [name, set] of catalogue.lines) expect(describeLineSet(set), name).not.toMatch(/\bis_|\bNOT\b/);
});

it('every report and every dimension has its columns', () => {
  for (const { attributes } of catalogue.dimensions.values()) {
    for (const name of Object.keys(attributes)) expect(text).toContain(`| \`${name}\` |`);
  }
  for (const { name, columns, list } of catalogue.reports.values()) {
    const [, section = ''] = text.split(`\n### ${name}\n`);
    for (const column of Object.keys({ ...columns, ...list })) expect(section).toContain(`| \`${column}\` |`);
  }
});

/** Columns whose name means several things: of the row, of a line, or of the day of a person. Every other name means one thing. */
const HOMONYMS = [
  'active',
  'capacity_hours',
  'client',
  'client_id',
  'date',
  'hours',
  'name',
  'people_id',
  'role',
  'role_id',
  'scheduled_hours',
  'status',
  'task_meta_id',
  'time_off_hours',
];

it('a column of one name has one meaning in all reports, dimensions and measures, unless several were decided', () => {
  const attributes = [...catalogue.dimensions.values()].flatMap((dimension) => Object.entries(dimension.attributes));
  const listed = [...catalogue.reports.values()].flatMap(({ columns = {}, list = {}, contributions }) => [
    ...Object.entries(columns).map(([name, target]) => {
      const [dimension = '', attribute = ''] = target.split('.');
      return [name, catalogue.dimensions.get(dimension)?.attributes[attribute]] as const;
    }),
    ...Object.entries({ ...list, ...contributions?.columns }),
  ]);
  const measures = [...catalogue.measures.values()].map((measure) => [measure.name, measure] as const);
  const meanings = new Map<string, Set<string>>();
  for (const [name, entry] of [...attributes, ...listed, ...measures]) {
    const known = meanings.get(name) ?? new Set();
    meanings.set(name, known.add(`${entry?.unit}: ${entry?.description}`));
  }
  const homonyms = [...meanings].filter(([, found]) => found.size > 1).map(([name]) => name);
  expect(homonyms.sort()).toEqual(HOMONYMS);
});
