import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readLineKinds } from '../../src/numbers/relation/line-kinds.ts';
import { listMarked, readMarks } from '../../src/numbers/relation/relation-marks.ts';
import { splitHeader, sqlDirectory } from '../../src/numbers/relation/sql-file.ts';
import { readPartRows } from '../../src/numbers/report/source/part-rows.ts';

const header = (...lines: readonly string[]) =>
  splitHeader(
    'core/a.sql',
    [...lines, 'SELECT 1 AS a'].map((line, index) => (index < lines.length ? `-- ${line}` : line)).join('\n'),
  );

it('a header has lines for people, and marks for the program', () => {
  const { lines, marks, headerLines, body } = header(
    'One row per a.',
    'stored: table',
    'D4: a rule.',
    'hides: cost, fee',
  );
  expect(lines).toEqual(['One row per a.', 'D4: a rule.']);
  expect([...marks]).toEqual([
    ['stored', 'table'],
    ['hides', 'cost, fee'],
  ]);
  expect([headerLines, body]).toEqual([4, 'SELECT 1 AS a']);
});

it.each([
  [['One row per a.', 'hide: cost'], 'sql/core/a.sql:2: unknown mark "hide"'],
  [['One row per a.', 'key: a', 'key: b'], 'sql/core/a.sql:3: the mark "key" stands twice'],
])('the header %j is refused', (lines, message) => expect(() => header(...lines)).toThrow(message));

it('every finding says in words what it is, and what to do', () => {
  const findings = [...readMarks().keys()].filter((relation) => relation.startsWith('quality.'));
  expect(findings.length).toBeGreaterThan(20);
  for (const mark of ['says', 'remedy']) expect([...listMarked(mark).keys()]).toEqual(findings);
});

it('only findings tell of more than their own lines, of records, people or projects', () => {
  const telling = [...listMarked('tells_of')];
  expect(telling.filter(([relation]) => !relation.startsWith('quality.'))).toEqual([]);
  expect([...new Set(telling.map(([, whose]) => whose))].sort()).toEqual(['people', 'projects', 'records']);
});

/** Copies sql/ with one file changed. @returns the folder. */
function changedSql(file: string, change: (text: string) => string): string {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-marks-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  cpSync(sqlDirectory, folder, { recursive: true });
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), 'utf8')));
  return folder;
}

it('rows of a part that nobody knows are refused', () => {
  expect(readPartRows().get('core.ledger')).toBe('lines');
  const folder = changedSql('core/ledger.sql', (text) => text.replace('part: lines', 'part: line'));
  expect(() => readPartRows(folder)).toThrow('sql/core/ledger.sql: part: "line" is not one of lines, findings');
});

it.each([
  ['-- record: tasks task_id BIGINT\n', '', 'sql/kinds/scheduled.sql: the header has no mark "record"'],
  ['task_id BIGINT', 'task_id INTEGER', '"tasks task_id INTEGER" is not a resource, a column and BIGINT or VARCHAR'],
  ['rank: 1', 'rank: first', 'rank: "first" is no whole number'],
  ['changes_with: people_id', 'changes_with: role_id', 'changes_with: "role_id" is neither people_id nor project_id'],
  ['-- sorted: date\n', '-- sorted: date\n-- closes: date\n', 'the header has no mark "says"'],
])('a kind of lines with %j as %j is refused', (right, wrong, message) => {
  const folder = changedSql('kinds/scheduled.sql', (text) => text.replace(right, wrong));
  expect(() => readLineKinds(folder)).toThrow(message);
});
