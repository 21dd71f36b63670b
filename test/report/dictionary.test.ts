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
