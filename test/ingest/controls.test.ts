import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { describeDifferences } from '../../src/records/ingest/controls/own-controls.ts';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { type Files, withDataset } from './dataset.ts';
import { run } from './own-data.ts';

const time = (more: string, file = 't.csv') =>
  `files: [{file: "${file}", resource: logged_time, ${more}, fields: {logged_time_id: {row: true}, people_id: {name: Who}, date: Day, hours: H}}]`;

/** Loads files by a mapping, and returns the control totals with the differences. */
const controlsOf = (files: Files, mapping: string, strict = false) =>
  withDataset(files, async ({ summary: { controls } }) => ({ controls, differences: describeDifferences(controls) }), {
    mapping: parseMapping(mapping, 'mapping.yaml', inputResources),
    strict,
  });

const TOTAL = 'total: {Who: Total}';

describe('control totals', () => {
  it('count the rows left out by their condition, and records set aside', async () => {
    const rows = 'Who,Day,H,Type\nAda,2026-03-02,1,Work\nAda,2026-03-02,1,Break\nAda,2026-03-03,x,Work\n--- Ada,,2,\n';
    const { controls } = await controlsOf({ 't.csv': rows }, time('where: {Type: work}, skip: {Who: "--- *"}'));
    expect(controls).toMatchObject([
      { read: 2, records: 1, setAside: 1, duplicates: 0, leftOut: [{ condition: "Type isn't work", rows: 2 }] },
    ]);
  });

  it.each([
    ['the same', 'Total,,3.75', []],
    ['other hours', 'Total,,4.00', ['t.csv: its total row, in H, says hours of 4 h; its records have 3.7500 h']],
    ['no number', 'Total,,n/a', []],
  ])('compare a total row: %s', async (_, total, expected) => {
    const { differences, controls } = await controlsOf(
      { 't.csv': `Who,Day,H\nAda,2026-03-02,1.5\nBo,2026-03-02,2.25\n${total}\n` },
      time(TOTAL),
    );
    expect(differences).toEqual(expected);
    expect(controls).toMatchObject([
      { records: 2, hours: '3.7500', leftOut: [{ condition: 'Who is Total', rows: 1 }] },
    ]);
  });

  it('leave rounding of each row to a column of rounded hours, and no more', async () => {
    const rows = (third: string) =>
      `Who,Day,H,Short\nAda,2026-03-02,1.333,1.3\nAda,2026-03-03,1.25,1.3\nAda,2026-03-04,2,${third}\n`;
    const mapping = time('controls: {hours: Short}');
    expect((await controlsOf({ 't.csv': rows('2.0') }, mapping)).differences).toEqual([]);
    expect((await controlsOf({ 't.csv': rows('2.5') }, mapping)).differences).toEqual([
      't.csv: its column Short, says hours of 5.1 h; its records have 4.5830 h',
    ]);
  });

  it('compare the cost of expenses with a total row, to the cent', async () => {
    const entry = (total: string) =>
      controlsOf(
        { 't.csv': `Project,Day,Amount\nWeb,2026-03-02,"$1,000.50"\nWeb,2026-03-03,$20\nTotal,,${total}\n` },
        `files: [{file: t.csv, resource: project_expenses, decimal: point, total: {Project: Total},
          fields: {project_expense_id: {row: true}, project_id: {name: Project}, date: Day, cost: Amount}}]`,
      );
    expect((await entry('"$1,020.50"')).differences).toEqual([]);
    expect((await entry('"$1,021.50"')).differences).toHaveLength(1);
  });

  it('tell records that another file has, too, instead of a difference', async () => {
    const rows = (...days: number[]) =>
      `Who,Day,H\n${days.map((day) => `Ada,2026-03-0${day},1\n`).join('')}Total,,${days.length}\n`;
    const files = { 't1.csv': rows(2, 3), 't2.csv': rows(3, 4, 5) };
    const { controls, differences } = await controlsOf(files, time(`${TOTAL}, overlap: newest`, 't*.csv'));
    expect(controls.map(({ duplicates }) => duplicates)).toEqual([1, 0]);
    expect(differences).toEqual([]);
  });

  it('stop a strict load that differs', async () => {
    const files = { 't.csv': 'Who,Day,H\nAda,2026-03-02,1\nTotal,,2\n' };
    await expect(controlsOf(files, time(TOTAL), true)).rejects.toThrow('Files have other totals than their records:');
  });
});

describe('load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-controls-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  it('tells them with amounts, which it compares with the ledger and never reads', { tags: ['slow'] }, async () => {
    const header =
      'Date,Client,Project,Task,Hours,Billable?,First Name,Last Name,Billable Rate,Billable Amount,Cost Amount';
    const row = '2026-03-02,Acme,Web,Build,2,Yes,Ada,King,100,250,80';
    writeFileSync(join(folder, 'harvest_time_report_2026.csv'), `${header}\n${row}\n`);
    const { code, output } = await run('load', folder, '--format', 'json', '--database', join(folder, 'd.duckdb'));
    expect(code, output).toBe(0);
    const result = JSON.parse(output);
    expect(result.controls).toMatchObject([
      { resource: 'logged_time', records: 1, hours: '2.0000', billable_hours: '2.0000', fees: '200.0000', cost: null },
    ]);
    expect(result.differences).toEqual([
      'harvest_time_report_2026.csv: its column Billable Amount, says fees of 250; its records have 200.0000',
      'harvest_time_report_2026.csv: its column Cost Amount, says cost of 80; its records have none',
    ]);
    expect((await run('load', folder, '--format', 'xml')).output).toContain('is not a format of loads');
  });

  it('counts billable hours by the rule: a blank is billable, and nothing in a non-billable project', {
    tags: ['slow'],
  }, async () => {
    const directory = join(folder, 'billable');
    mkdirSync(directory);
    const write = (name: string, text: string) => writeFileSync(join(directory, name), text);
    write('projects.csv', 'project_id,name,non_billable\n1,Web,0\n2,Inside,1\n');
    write('phases.csv', 'phase_id,project_id,name,non_billable\n11,1,Design,0\n12,1,Gift,1\n');
    write('project_tasks.csv', 'task_meta_id,project_id,task_name,billable\n21,1,Build,1\n22,1,Meet,0\n');
    write(
      'mapping.yaml',
      'files: [{file: t.csv, resource: logged_time, fields: {logged_time_id: {row: true}, people_id: Who, date: Day, hours: H, billable: B, project_id: P, phase_id: Ph, task_meta_id: T}}]',
    );
    // 1 + 2 + 5 count; of the others the record, the project, the phase or the project task says no.
    const rows = ['1,,1,,', '2,,1,11,', '4,0,1,,', '8,,2,,', '16,,1,12,', '5,1,1,,22', '6,,1,,22'];
    write('t.csv', `Who,Day,H,B,P,Ph,T\n${rows.map((row) => `7,2026-03-02,${row}\n`).join('')}`);
    const file = join(folder, 'b.duckdb');
    for (const flags of [['--dry-run'], []]) {
      const { code, output } = await run('load', directory, '--format', 'json', '--database', file, ...flags);
      expect(code, output).toBe(0);
      expect(JSON.parse(output).controls).toMatchObject([{ hours: '42.0000', billable_hours: '8.0000' }]);
    }
  });
});
