import type { Workbook, Worksheet } from 'exceljs';
import { beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../../packages/xlsx/test/unzip.ts';
import { readWorkbook } from '../../src/numbers/report/workbook/workbook.ts';
import { catalogue } from '../sql/company.ts';
import { readExcel } from '../write/xlsx/company.ts';
import { evaluate, savedValue } from '../write/xlsx/formula.ts';
import { readBytes } from '../write/xlsx/stub.ts';
import { type BuiltState, buildState, useComparison } from './compared-company.ts';

const logged = (id: string, hours: number, date = '2026-03-05', project_id = 501) => ({
  logged_time_id: id,
  people_id: 101,
  project_id,
  date,
  hours,
});

const companyOf = (cost_rate: number, logged_time: readonly object[]) => ({
  people: [{ people_id: 101, name: 'Ana', cost_rate }],
  projects: [501, 502].map((project_id) => ({ project_id, name: `Project ${project_id}`, tags: ['a', 'b'] })),
  logged_time,
});

interface Conditional {
  readonly conditionalFormattings: readonly { readonly ref: string }[];
}

const MARCH = { start_date: '2026-03-01', end_date: '2026-03-31' };

describe('the workbook of changes', { tags: ['slow'] }, () => {
  let [then, now]: (BuiltState | undefined)[] = [];
  beforeAll(async () => {
    then = await buildState(companyOf(60, [logged('1', 8), logged('2', 6, '2026-03-06', 502)]));
    now = await buildState(
      companyOf(66, [logged('1', 5), logged('2', 6, '2026-03-06', 501), logged('3', 2, '2026-03-30')]),
    );
    return () => Promise.all([then?.close(), now?.close()]);
  });

  const write = (name: string, sent: Record<string, string>): Promise<{ bytes: Buffer; workbook: Workbook }> => {
    const state = { kept: then, days: undefined, day: '2026-04-03', cutoffDate: '2026-03-31', label: 'March' };
    return useComparison(
      [state],
      now,
      name,
      { ...MARCH, ...sent },
      { cutoffNow: '2026-03-31' },
      async (context, query) => {
        const bytes = await readBytes(await readWorkbook(context, query, catalogue));
        return { bytes, workbook: await readExcel(bytes) };
      },
    );
  };

  /** Returns the rows of Summary below a heading as label and amount, each computed again from its formula. */
  const bridgeOf = (workbook: Workbook, heading: string): [label: string, amount: string, isLive: boolean][] => {
    const summary = workbook.getWorksheet('Summary') as Worksheet;
    const rows: [string, string, boolean][] = [];
    let isBelow = false;
    summary.eachRow((row) => {
      const label = row.getCell(2).text;
      if (label === heading) isBelow = true;
      else if (row.getCell(3).text === 'Unit' || row.getCell(4).value === null) isBelow = false;
      else if (isBelow) {
        const { value, formula } = row.getCell(4);
        const saved = String(savedValue(value));
        if (formula) expect([label, String(evaluate(workbook, summary, formula))]).toEqual([label, saved]);
        rows.push([label, saved, formula !== undefined]);
      }
    });
    return rows;
  };

  it('leads from then to now by live sums of its rows, with a chart, and lists the lines', async () => {
    const sent = { group_by: 'project', measures: 'actual_cost,actual_hours,scheduled_percent,utilization_percent' };
    const { bytes, workbook } = await write('changes', sent);
    expect(bridgeOf(workbook, 'Actual labour cost')).toEqual([
      ['Then', '840', true],
      ['Late', '132', true],
      ['Hours', '-180', true],
      ['Rate', '66', true],
      ['Now', '858', true],
    ]);
    expect(bridgeOf(workbook, 'Actual hours').map(([, amount]) => amount)).toEqual(['14', '2', '-3', '13']);
    // A percentage is a fraction of 1, as on every sheet.
    const changes = workbook.getWorksheet('Changes') as Worksheet;
    const [header = [], ...rows] = changes.getSheetValues().filter(Array.isArray) as unknown[][];
    const columns = ['Project', 'Unit', 'Then', 'Now', 'Difference'].map((name) => header.indexOf(name));
    const shares = rows.filter((row) => row[header.indexOf('Measure')] === 'utilization_percent');
    expect(shares.map((row) => columns.map((column) => row[column]))).toEqual([
      ['Project 501', 'percent', 0.0455, 0.0739, 0.0284],
      ['Project 502', 'percent', 0.0341, undefined, undefined],
    ]);
    expect(changes.getRow(rows.indexOf(shares[0] ?? []) + 2).getCell(header.indexOf('Then')).numFmt).toBe('0.0%');
    const names = workbook.worksheets.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Summary', 'Changes', 'Changed lines', 'Checks', 'Definitions']));
    const lines = workbook.getWorksheet('Changed lines') as Worksheet;
    expect(lines.rowCount).toBe(4);
    const chart = [...(await unzip(bytes)).entries()].find(([path]) => path.includes('charts/chart'));
    expect(String(chart?.[1])).toContain('Actual labour cost, USD: from then to now');
    // Neither more nor less of a cost is better by itself.
    expect(String(chart?.[1]).match(/7FB69A|D98C94/)).toBeNull();
    const { conditionalFormattings } = workbook.getWorksheet('Summary') as unknown as Conditional;
    expect(conditionalFormattings.map(({ ref }) => ref).filter((ref) => ref.startsWith('D'))).toEqual([]);
  });

  it('X9: leaves out rows without a difference, whose values stay in then and now, and names both states', async () => {
    const sent = { group_by: 'person,week', measures: 'scheduled_hours,actual_hours' };
    const { workbook } = await write('changes', sent);
    expect(bridgeOf(workbook, 'Actual hours')).toEqual([
      ['Then', '14', true],
      ['Late', '2', true],
      ['Hours', '-3', true],
      ['Now', '13', true],
    ]);
    const changes = workbook.getWorksheet('Changes') as Worksheet;
    // The plan of the week is the same.
    expect(changes.getColumn('D').values.slice(2)).toEqual(['actual_hours', 'actual_hours']);
    const summary = workbook.getWorksheet('Summary') as Worksheet;
    const texts: string[] = [];
    summary.eachRow((row) => row.eachCell((cell) => texts.push(cell.text)));
    expect(texts.filter((text) => text.startsWith('Then: '))).toEqual(['Then: then@1 “March”, complete to 2026-04-03']);
    expect(texts.some((text) => text.startsWith('Now: the present data, complete to '))).toBe(true);
    expect(texts.join()).toContain('rows without a difference are left out.');
    expect(texts).not.toContain('Scheduled hours');
    const all = await write('changes', { ...sent, only_changed: '0' });
    expect(bridgeOf(all.workbook, 'Scheduled hours').map(([label]) => label)).toEqual(['Then', 'Now']);
  });

  it('has numbers in place of sums where rows overlap', async () => {
    const { workbook } = await write('changes', { group_by: 'tag', measures: 'actual_hours' });
    expect(bridgeOf(workbook, 'Actual hours')).toEqual([
      ['Then', '14', false],
      ['Late', '2', false],
      ['Hours', '-3', false],
      ['Now', '13', false],
    ]);
  });

  it('has no commentary beside a list of changed lines', async () => {
    const { workbook } = await write('changed-lines', { measure: 'actual_cost' });
    const texts: string[] = [];
    workbook.getWorksheet('Summary')?.eachRow((row) => row.eachCell((cell) => texts.push(cell.text)));
    expect(texts.filter((text) => text.includes('Commentary'))).toEqual([]);
    expect(texts).toContain('About');
  });
});
