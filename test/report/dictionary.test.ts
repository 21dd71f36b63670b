import { expect, it } from 'vitest';
import { formatDictionary } from '../../scripts/measures-guide.ts';
import { describeLineSet } from '../../src/numbers/report/catalogue/line-set.ts';
import { loadCatalogue } from '../../src/numbers/report/catalogue/load-catalogue.ts';

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
    'earned revenue of *actual* lines, plus earned revenue of *expense to date* lines, plus earned revenue of *revenue to date* lines, less cost of *actual* lines, less cost of *expense to date* lines',
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

/** Columns whose name means several things, each with the places that share a meaning. Every other name means one thing. */
const HOMONYMS: Readonly<Record<string, readonly string[]>> = {
  active: ['dimension person', 'dimension project, report board, report projects'],
  actual_hours: ['contributions of lines', 'measure'],
  billable: ['dimension billable, report lines', 'report changes'],
  capacity_hours: ['contributions of lines', 'measure'],
  client: [
    'dimension client',
    'dimension contract, dimension project, report board, report contracts, report pipeline, report projects, report retainers',
  ],
  client_id: [
    'dimension client, report clients',
    'dimension contract, dimension project, report board, report contracts, report pipeline, report projects',
  ],
  contribution: ['contributions of lines', 'report changed-lines'],
  date: ['report data-quality', 'report lines', 'report retainers'],
  hours: ['report changes', 'report data-quality', 'report lines'],
  name: [
    'report board, report pipeline, report projects',
    'report clients',
    'report contracts',
    'report people, report timesheets',
    'report phases',
    'report tasks',
  ],
  people_id: ['dimension person, report people, report timesheets', 'report lines'],
  role: ['dimension person, report people, report timesheets', 'dimension role, report lines'],
  role_id: ['dimension person, report people, report timesheets', 'dimension role, report lines'],
  scheduled_hours: ['contributions of lines', 'measure'],
  status: ['report board, report pipeline, report projects', 'report changes', 'report lines', 'report phases'],
  task_meta_id: ['dimension task, report tasks', 'report lines'],
  time_off_hours: ['contributions of lines', 'measure'],
  unit: ['report changes', 'report retainers'],
};

it('a column of one name has one meaning in all reports, dimensions and measures, unless several were decided', () => {
  const attributes = [...catalogue.dimensions.values()].flatMap(({ name: dimension, attributes: own }) =>
    Object.entries(own).map(([name, entry]) => ({ name, entry, place: `dimension ${dimension}` })),
  );
  const listed = [...catalogue.reports.values()].flatMap(({ name: report, columns = {}, list = {}, contributions }) => [
    ...Object.entries(columns).map(([name, target]) => {
      const [dimension = '', attribute = ''] = target.split('.');
      return { name, entry: catalogue.dimensions.get(dimension)?.attributes[attribute], place: `report ${report}` };
    }),
    ...Object.entries(list).map(([name, entry]) => ({ name, entry, place: `report ${report}` })),
    ...Object.entries(contributions?.columns ?? {}).map(([name, entry]) => ({
      name,
      entry,
      place: `contributions of ${report}`,
    })),
  ]);
  const measures = [...catalogue.measures.values()].map((entry) => ({ name: entry.name, entry, place: 'measure' }));
  const meanings = new Map<string, Map<string, Set<string>>>();
  for (const { name, entry, place } of [...attributes, ...listed, ...measures]) {
    const known = meanings.get(name) ?? new Map<string, Set<string>>();
    const meaning = `${entry?.unit}: ${entry?.description}`;
    meanings.set(name, known.set(meaning, (known.get(meaning) ?? new Set()).add(place)));
  }
  const homonyms = [...meanings].flatMap(([name, found]) =>
    found.size > 1 ? [[name, [...found.values()].map((places) => [...places].sort().join(', ')).sort()]] : [],
  );
  expect(Object.fromEntries(homonyms)).toEqual(HOMONYMS);
});
