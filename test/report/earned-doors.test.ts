import { Decimal } from 'decimal.js';
import type { Workbook, Worksheet } from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/base/database/database.ts';
import { explainNumber } from '../../src/numbers/report/explain/explain-number.ts';
import { parseNumberQuery } from '../../src/numbers/report/request/number.ts';
import { parseQuery } from '../../src/numbers/report/request/parse-query.ts';
import { readCompany } from '../../src/numbers/report/source/read-company.ts';
import { readWorkbook } from '../../src/numbers/report/workbook/workbook.ts';
import { describeNumber, formatNumberExplanation } from '../../src/numbers/write/explanation.ts';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { loadBundled } from '../sql/company.ts';
import { readExcel } from '../write/xlsx/company.ts';
import { evaluate, savedValue } from '../write/xlsx/formula.ts';
import { readBytes } from '../write/xlsx/stub.ts';

const catalogues = readCatalogues();
const NOW = new Date('2026-02-01T12:00:00Z');
const TODAY = '2026-02-01';
const WINDOW = { start_date: '2025-01-01', end_date: '2025-12-31', cutoff_date: '2025-09-30' };

let file: Awaited<ReturnType<typeof loadBundled>>;
let database: Database;
beforeAll(async () => {
  file = await loadBundled();
  database = await openDatabase(file.file, { readOnly: true });
});
afterAll(async () => {
  await database.close();
  file.remove();
});

const contextOf = async () => ({ database, company: await readCompany(database), now: NOW });

describe('earned value explained', () => {
  const explain = async (sent: Record<string, string>) => {
    const context = await contextOf();
    const number = parseNumberQuery(
      catalogues,
      { ...WINDOW, report: 'projects', project_id: '501', ...sent },
      { today: TODAY, company: context.company },
    );
    return explainNumber(context, number);
  };

  it('opens an index down to sums of lines', async () => {
    const explained = await explain({ measure: 'spi' });
    const { operands, unit } = describeNumber(explained);
    expect(unit).toBe('index');
    expect(operands.map(({ measure, lines }) => [measure, lines !== null])).toEqual([
      ['earned_value', false],
      ['indexed_planned_value', false],
      ['percent_complete', false],
      ['budget_at_completion', true],
      ['planned_value', true],
      ['progress_part', true],
      ['progress_whole', true],
      ['indexed_budget_at_completion', false],
    ]);
    const [ev, pv] = operands.map(({ value }) => new Decimal(String(value)));
    expect(new Decimal(String(explained.value)).toFixed(4)).toBe(ev?.div(pv ?? 1).toFixed(4));
    expect(formatNumberExplanation(explained)).toContain('Planned value (PV)');
  });

  it('opens a sum by its lines, people and months, in the unit that is asked for', { tags: ['slow'] }, async () => {
    const explained = await explain({ measure: 'actual_to_date', earned_in: 'cost', technique: 'completed' });
    expect(explained.measure).toMatchObject({ unit: 'money', needs_rates: true });
    expect(explained.terms.map(({ label }) => label)).toEqual(['Logged up to the cutoff']);
    expect(explained.lines).toContain('earned_in=cost');
    const people = explained.parts.person?.map(({ value }) => new Decimal(String(value))) ?? [];
    expect(people.reduce((total, value) => total.plus(value)).equals(String(explained.value))).toBe(true);
  });
});

describe('the sheet Earned value', { tags: ['slow'] }, () => {
  const write = async (name: string, sent: Record<string, string>): Promise<Workbook> => {
    const context = await contextOf();
    const query = parseQuery(catalogues, name, { ...WINDOW, ...sent }, { today: TODAY, company: context.company });
    return readExcel(await readBytes(await readWorkbook(context, query, catalogues.full)));
  };
  const sheetOf = (workbook: Workbook) => workbook.getWorksheet('Earned value') as Worksheet;

  it.each([
    { name: 'projects', sent: { fields: 'name,spi' } as Record<string, string>, total: '#Totals' },
    { name: 'phases', sent: { fields: 'name,eac_cpi', earned_in: 'fees', technique: 'completed' }, total: 'SUBTOTAL' },
    { name: 'pivot', sent: { group_by: 'client,month', measures: 'cpi' }, total: '#Totals' },
    // Logged time without any plan: all that was to be done is done, and nothing was budgeted for it.
    {
      name: 'phases',
      sent: { fields: 'name,percent_complete,tcpi,eac_cpi,eac_budget,cpi', project_id: '501', phase_id: '0' },
      total: '#Totals',
    },
  ])('has live formulas in every row and total: $name $sent', async ({ name, sent, total }) => {
    const workbook = await write(name, sent);
    const sheet = sheetOf(workbook);
    const headers = sheet.getRow(1).values as string[];
    let formulas = 0;
    let isTotalLive = false;
    sheet.eachRow((row) =>
      row.eachCell((cell, place) => {
        if (!cell.formula) return;
        formulas += 1;
        const [found, saved] = [evaluate(workbook, sheet, cell.formula), savedValue(cell.value)];
        expect(String(found), `${cell.address} ${headers[place]} ${cell.formula}`).toBe(String(saved));
        if (cell.formula.includes(total)) isTotalLive = true;
      }),
    );
    expect(formulas).toBeGreaterThan(sheet.rowCount * 5);
    expect(isTotalLive).toBe(true);
  });

  it('says what the indexes say, and when they lie', async () => {
    const textOf = (workbook: Workbook) => JSON.stringify(workbook.getWorksheet('Summary')?.getSheetValues());
    const byHours = textOf(await write('pivot', { group_by: 'client', measures: 'cpi' }));
    expect(byHours).toContain('SPI returns to 1 at the end of a late project');
    expect(byHours).toContain('CPI is BAC / EAC by plan by construction');
    expect(byHours).toContain('Technique: remaining, Source of budget at completion: mixed');
    const byCost = textOf(await write('projects', { fields: 'name,cpi', earned_in: 'cost' }));
    expect(byCost).not.toContain('by construction');
    expect((await write('projects', {})).getWorksheet('Earned value')).toBeUndefined();
  });
});
