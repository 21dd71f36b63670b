import { Decimal } from 'decimal.js';
import type { Workbook as ExcelWorkbook, Worksheet } from 'exceljs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { unzip } from '../../../packages/xlsx/test/unzip.ts';
import { formatRounded } from '../../../src/base/exact-decimal.ts';
import { loadCatalogue } from '../../../src/numbers/report/catalogue/load-catalogue.ts';
import { readWorkbook, runReport } from '../../reports.ts';
import { openCompany, readExcel } from './company.ts';
import { evaluate, savedValue } from './formula.ts';
import { readBytes } from './stub.ts';

const catalogue = loadCatalogue('reports');
const window = { start_date: '2026-01-01', end_date: '2026-06-30', cutoff_date: '2026-05-31' };
const now = new Date('2026-06-15T12:00:00Z');
const company = await openCompany();
afterAll(() => company.close());

async function writeBytes(sent: Record<string, string>, seesRates = true, report = 'projects'): Promise<Buffer> {
  return readBytes(await readWorkbook(company.database, catalogue, report, sent, { now, seesRates }));
}

async function write(...given: Parameters<typeof writeBytes>): Promise<ExcelWorkbook> {
  return readExcel(await writeBytes(...given));
}

const summaryOf = (workbook: ExcelWorkbook): Worksheet => workbook.getWorksheet('Summary') as Worksheet;

function textsOf(workbook: ExcelWorkbook): string[] {
  const texts: string[] = [];
  summaryOf(workbook).eachRow((row) => row.eachCell((cell) => texts.push(String(savedValue(cell.value) ?? ''))));
  return texts;
}

/** Returns the conditional formats of a column. */
function conditionsOn(sheet: Worksheet, column: string) {
  const all = (sheet as unknown as { conditionalFormattings: { ref: string; rules: Rule[] }[] }).conditionalFormattings;
  return all.filter(({ ref }) => ref.startsWith(`${column}2:`)).flatMap(({ rules }) => rules);
}

interface Rule {
  readonly type: string;
  readonly priority: number;
  readonly formulae: readonly string[];
}

/** Returns the saved values of the row with a label, from a heading on. */
function rowOf(workbook: ExcelWorkbook, label: string, heading = 'Key figures'): (string | null)[] {
  let isBelow = false;
  let found: (string | null)[] | undefined;
  summaryOf(workbook).eachRow((row) => {
    const text = row.getCell(2).text;
    if (text.startsWith(heading)) isBelow = true;
    if (found || !isBelow || !text.startsWith(label)) return;
    found = Array.from({ length: 14 }, (_, i) => savedValue(row.getCell(i + 1).value)?.toString() ?? null);
  });
  expect(found, label).toBeDefined();
  return found ?? [];
}

/** Tests whether a row is one of some below a heading. */
function isBelow(workbook: ExcelWorkbook, row: number, heading: string, count: number): boolean {
  const above = Array.from({ length: count }, (_, i) => summaryOf(workbook).getCell(Math.max(1, row - 1 - i), 2).text);
  return above.some((text) => text.startsWith(heading));
}

describe('the summary of a half year', () => {
  let bytes: Buffer;
  let workbook: ExcelWorkbook;
  beforeAll(async () => {
    bytes = await writeBytes(window);
    workbook = await readExcel(bytes);
  });

  it.each([
    ['the prior period', 9, { start_date: '2025-07-01', end_date: '2025-12-31', cutoff_date: '2025-11-30' }],
    [
      'the same period of last year',
      11,
      { start_date: '2025-01-01', end_date: '2025-06-30', cutoff_date: '2025-05-31' },
    ],
  ])('shows %s as that report has it', async (_, place, other) => {
    const { columns, totals } = await runReport(company.database, catalogue, 'projects', other, { now });
    for (const [label, name] of [
      ['Hours', 'actual_hours'],
      ['Labour cost', 'actual_cost'],
      ['Profit', 'actual_profit'],
    ]) {
      const total = String(totals?.[columns.findIndex((column) => column.name === name)]);
      expect(Number(rowOf(workbook, label ?? '')[place]), label).toBe(Number(total));
    }
    expect(textsOf(workbook)).toContainEqual(
      expect.stringContaining(`${other.start_date} to ${other.end_date}, actual to ${other.cutoff_date}`),
    );
  });

  it('has all that revenue and profit are made of, in every column', () => {
    const numbers = (label: string) => rowOf(workbook, label).map((value) => new Decimal(Number(value ?? 0)));
    const [cost, fees, spent, billed] = ['Labour cost', 'Value of work', 'Expenses (cost)', 'Expenses billed'].map(
      numbers,
    );
    const [byContract, revenue, profit] = ['By contract', 'Revenue', 'Profit'].map(numbers);
    // Scheduled, to date, actual, variance, forecast.
    for (const column of [3, 4, 5, 6, 8]) {
      const sum = (fees?.[column] ?? new Decimal(0)).plus(billed?.[column] ?? 0).plus(byContract?.[column] ?? 0);
      expect(sum.toFixed(2), `revenue in column ${column}`).toBe(revenue?.[column]?.toFixed(2));
      const rest = sum.minus(cost?.[column] ?? 0).minus(spent?.[column] ?? 0);
      expect(rest.toFixed(2), `profit in column ${column}`).toBe(profit?.[column]?.toFixed(2));
    }
    expect(spent?.[5]?.isZero(), 'expenses to date').toBe(false);
  });

  it('computes revenue, profit, margin and the rate per hour from the rows shown', () => {
    const formulas = (label: string) => {
      const formulas: Record<number, string | undefined> = {};
      summaryOf(workbook).eachRow((row) => {
        if (row.getCell(2).text === label)
          for (const place of [4, 5, 6, 9]) formulas[place] ??= row.getCell(place).formula;
      });
      return Object.values(formulas);
    };
    for (const formula of formulas('Revenue')) expect(formula).toMatch(/^[D-I]\d+(\+[D-I]\d+){2}$/);
    for (const formula of formulas('Profit')) expect(formula).toMatch(/^[D-I]\d+-[D-I]\d+-[D-I]\d+$/);
    for (const formula of [...formulas('Margin'), ...formulas('Effective rate per hour')])
      expect(formula).toMatch(/^IF\([D-I]\d+=0,"",ROUND\(\([D-I]\d+\)\/\([D-I]\d+\),4\)\)$/);
    const [rate, fees, hours] = ['Effective rate per hour', 'Value of work', 'Hours'].map((label) =>
      Number(rowOf(workbook, label)[5]),
    );
    expect(rate).toBeCloseTo((fees ?? 0) / (hours ?? 1), 4);
    const [, , , , toDate, , variance, share] = rowOf(workbook, 'Profit').map(Number);
    expect(share).toBeCloseTo((variance ?? 0) / (toDate ?? 1), 4);
  });

  it('has tentative work on lines of its own', async () => {
    const { columns, totals } = await runReport(company.database, catalogue, 'projects', window, { now });
    for (const name of ['tentative_hours', 'tentative_fees']) {
      const total = Number(totals?.[columns.findIndex((column) => column.name === name)]);
      expect(total).toBeGreaterThan(0);
      expect(Number(rowOf(workbook, `Tentative work, ${name === 'tentative_fees' ? 'value' : 'hours'}`)[3])).toBe(
        total,
      );
    }
  });

  it('names the clients with the most and the least profit, as a pivot has them', async () => {
    const measures = 'actual_revenue,actual_profit,actual_margin_percent';
    const table = await runReport(
      company.database,
      catalogue,
      'pivot',
      { ...window, group_by: 'client', measures },
      { now },
    );
    const rows: (readonly unknown[])[] = [];
    for await (const chunk of table.rows) rows.push(...chunk);
    // The row of no client is internal work, which stands in a line of its own.
    expect(rows.some(([client]) => client === null)).toBe(true);
    const ofClients = rows.filter(([client]) => client !== null);
    const profits = ofClients.map((row) => Number(row[3])).sort((a, b) => b - a);
    const found: [number, number][] = [];
    summaryOf(workbook).eachRow((row, number) => {
      if (!summaryOf(workbook).getCell(number, 2).text || !isBelow(workbook, number, 'Clients with the most profit', 5))
        return;
      found.push([Number(savedValue(row.getCell(5).value)), Number(savedValue(row.getCell(10).value))]);
    });
    expect(found.map(([most]) => most)).toEqual(profits.slice(0, 5));
    expect(found.map(([, least]) => least)).toEqual(profits.slice(5).slice(-5).reverse());
  });

  it('tells of the overbooked person', () => {
    expect(textsOf(workbook).join('\n')).toMatch(/Overbooked, from 120 %: Olumide Adeyemi 129 % in fiscal 2026-Q4/);
    expect(textsOf(workbook)).toContainEqual(expect.stringMatching(/^35 people, [\d.]+ full-time equivalents$/));
  });

  it('names projects that are over or at risk, worst first, each with its manager and reason', () => {
    const projects = workbook.getWorksheet('Projects') as Worksheet;
    const headers = (projects.getRow(1).values as string[]).slice(1);
    const column = (label: string) =>
      Array.from({ length: projects.rowCount - 2 }, (_, i) => projects.getCell(i + 2, headers.indexOf(label) + 1).text);
    const standings = column('Standing').filter((text) => text !== '');
    const order = ['over', 'at risk', 'on plan'];
    expect(standings).toEqual([...standings].sort((a, b) => order.indexOf(a) - order.indexOf(b)));
    expect(standings[0]).toBe('over');
    expect(column('Project').slice(-3)).toEqual(expect.arrayContaining(['Unknown project 597', 'Unknown project 599']));
    const worst = rowOf(workbook, column('Project')[0] ?? '', 'Projects: ');
    expect([worst[5], worst[6], worst[8]]).toEqual(['● over', column('Manager')[0], column('Reason')[0]]);
  });

  it('says which hours a figure leaves out, beside it', async () => {
    const { columns, totals } = await runReport(company.database, catalogue, 'projects', window, { now });
    const total = (name: string) => String(totals?.[columns.findIndex((column) => column.name === name)]);
    const cost = formatRounded(total('actual_hours_without_cost_rate'), 2);
    const fees = formatRounded(total('actual_hours_without_bill_rate'), 2);
    expect(rowOf(workbook, 'Labour cost')[13]).toBe(`${cost} h without cost`);
    expect(rowOf(workbook, 'Margin')[13]).toBe(`${cost} h without cost, ${fees} h without fees`);
    expect(rowOf(workbook, 'Hours')[13]).toBeNull();
  });

  it('tells right arithmetic from errors in the records', () => {
    const [checks, records] = ['B4', 'B5'].map((place) => String(savedValue(summaryOf(workbook).getCell(place).value)));
    expect(checks).toMatch(/^The arithmetic is right: all \d+ checks hold$/);
    const findings = workbook.getWorksheet('Data quality') as Worksheet;
    const errors: string[] = [];
    findings.eachRow((row) => {
      if (row.getCell(2).text === 'error') errors.push(row.getCell(1).text);
    });
    const [, causes, found] =
      /^Errors in the records: (\d+) causes in (\d+) findings; see the findings below$/.exec(records ?? '') ?? [];
    expect(Number(found)).toBe(errors.length);
    expect(Number(causes)).toBeGreaterThanOrEqual(new Set(errors).size);
    expect(Number(causes)).toBeLessThan(errors.length / 10);
    expect(rowOf(workbook, 'Errors', 'Findings in the data')[2]).toBe(`${causes} causes in ${found} findings`);
  });

  it('names the largest overruns, and links each to its row', () => {
    const projects = workbook.getWorksheet('Projects') as Worksheet;
    const headers = (projects.getRow(1).values as string[]).slice(1);
    const at = (row: number, label: string) => savedValue(projects.getCell(row, headers.indexOf(label) + 1).value);
    const [, summary = ''] =
      [...unzip(bytes)].find(([name, text]) => name.includes('worksheets/') && text.includes('tabSelected="1"')) ?? [];
    const links = [...summary.matchAll(/<hyperlink ref="(B\d+)" location="'Projects'!A(\d+)"/g)].map(
      ([, cell = '', row]) => ({ text: summaryOf(workbook).getCell(cell).text, row: Number(row) }),
    );
    const overruns = links.filter(({ text }) => text.includes(' over what was scheduled to date'));
    expect(overruns.length).toBeGreaterThan(0);
    const of = (row: number, label: string) => Number(at(row, label) ?? 0);
    // The thresholds of the rules above_plan and loss.
    const isOver = (row: number) => {
      const [hours, cost] = [of(row, 'Variance hours'), of(row, 'Variance labour cost')];
      const isByCost = cost >= 0.1 * of(row, 'Scheduled labour cost to date');
      return hours >= 20 ? isByCost || hours >= 0.1 * of(row, 'Scheduled hours to date') : isByCost && cost >= 1000;
    };
    const largest = (isPlanned: boolean) =>
      Array.from({ length: projects.rowCount - 2 }, (_, i) => i + 2)
        .filter((row) => (Number(at(row, 'Scheduled hours to date')) !== 0) === isPlanned)
        .filter((row) => (isPlanned ? isOver(row) : Number(at(row, 'Variance hours')) >= 20))
        .map((row) => Number(at(row, 'Variance labour cost') ?? 0))
        .sort((a, b) => b - a)
        .slice(0, 5);
    expect(overruns.map(({ row }) => Number(at(row, 'Variance labour cost')))).toEqual(largest(true));
    const unplanned = links.filter(({ text }) => / without a plan| on a tentative plan/.test(text));
    expect(unplanned.map(({ row }) => Number(at(row, 'Variance labour cost')))).toEqual(largest(false));
    for (const { text, row } of unplanned) {
      const plan =
        Number(at(row, 'Tentative hours')) > 0
          ? "on a tentative plan, which doesn't count as scheduled"
          : 'without a plan';
      expect(text).toMatch(new RegExp(` has .* EUR ${plan}\\.$`));
      expect(text.startsWith(`${at(row, 'Project')} has `), text).toBe(true);
    }
    expect(unplanned.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^Archive migration has 36\.00 h /));
    expect(unplanned.map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/^Loyalty programme has 40\.25 h and 3,989\.79 EUR on a tentative plan/),
    );
    for (const { text, row } of overruns) {
      expect(text).toContain(
        `${formatRounded(String(at(row, 'Variance labour cost')), 2)} EUR over what was scheduled to date`,
      );
      expect(text.startsWith(String(at(row, 'Project')))).toBe(true);
    }
  });

  it('adds up budgets in each unit apart', () => {
    const projects = workbook.getWorksheet('Projects') as Worksheet;
    const headers = (projects.getRow(1).values as string[]).slice(1);
    const place = (label: string) => headers.indexOf(label) + 1;
    for (const unit of ['EUR', 'hours']) {
      let [total, used] = [new Decimal(0), new Decimal(0)];
      projects.eachRow((row) => {
        if (row.getCell(place('Budget unit')).text !== unit) return;
        total = total.plus(Number(row.getCell(place('Whole-life budget')).value));
        used = used.plus(Number(row.getCell(place('Whole-life budget used')).value));
      });
      let found: (string | null)[] = [];
      summaryOf(workbook).eachRow((row) => {
        if (row.getCell(2).text.endsWith(`budgets in ${unit}`))
          found = [4, 6].map((cell) => savedValue(row.getCell(cell).value)?.toString() ?? null);
      });
      expect(found, unit).toEqual([total.toString(), used.toString()]);
    }
  });

  it('marks the use of budgets at the thresholds, with bars, in Projects', () => {
    const sheets = unzip(bytes);
    const projects = [...sheets].find(
      ([name, text]) => name.includes('worksheets/') && text.includes('Budget used % of budget'),
    );
    expect(projects?.[1]).toContain('<cfRule type="dataBar"');
    expect(projects?.[1]).toMatch(/operator="greaterThan"[^>]*stopIfTrue="1"><formula>1<\/formula>/);
    expect(projects?.[1]).toMatch(/operator="greaterThanOrEqual"[^>]*stopIfTrue="1"><formula>0.8<\/formula>/);
  });

  it('leaves fees beyond a budget of money unjudged, before any other rule', () => {
    const projects = workbook.getWorksheet('Projects') as Worksheet;
    const headers = (projects.getRow(1).values as string[]).slice(1);
    const place = (label: string) => headers.indexOf(label) + 1;
    const column = projects.getColumn(place('Variance value of work')).letter;
    const rules = conditionsOn(projects, column);
    const [first] = rules.sort((a, b) => a.priority - b.priority);
    expect(first?.type).toBe('expression');
    const xml = [...unzip(bytes).values()].find((text) => text.includes(`sqref="${column}2:`)) ?? '';
    const own = xml.slice(xml.indexOf(`sqref="${column}2:`));
    expect(own.slice(0, own.indexOf('</conditionalFormatting>'))).toMatch(/type="expression"[^>]* stopIfTrue="1"/);
    const holds = (row: number) =>
      evaluate(workbook, projects, (first?.formulae[0] ?? '').replaceAll(/(\$?[A-Z]+)2\b/g, `$1${row}`));
    const kinds = new Set<string>();
    for (let row = 2; row < projects.rowCount; row += 1) {
      const [unit, used, budget, variance] = [
        'Budget unit',
        'Whole-life budget used',
        'Whole-life budget',
        'Variance value of work',
      ].map((label) => savedValue(projects.getCell(row, place(label)).value));
      const isBeyond = unit === 'EUR' && Number(used) > Number(budget) && Number(variance) > 0;
      expect(holds(row), `row ${row}`).toBe(isBeyond);
      kinds.add(`${unit} ${Number(used) > Number(budget)} ${Number(variance) > 0} ${isBeyond}`);
    }
    expect(kinds).toContain('EUR true true true');
    expect(kinds).toContain('EUR false true false');
  });

  it('leaves a plan that nobody logged unjudged as a saving', () => {
    const projects = workbook.getWorksheet('Projects') as Worksheet;
    const headers = (projects.getRow(1).values as string[]).slice(1);
    const place = (label: string) => headers.indexOf(label) + 1;
    const [first] = conditionsOn(projects, projects.getColumn(place('Variance labour cost')).letter).sort(
      (a, b) => a.priority - b.priority,
    );
    const unjudged: unknown[] = [];
    for (let row = 2; row < projects.rowCount; row += 1) {
      const formula = (first?.formulae[0] ?? '').replaceAll(/(\$?[A-Z]+)2\b/g, `$1${row}`);
      const [cost, variance] = ['Actual labour cost', 'Variance labour cost'].map((label) =>
        savedValue(projects.getCell(row, place(label)).value),
      );
      const isUnlogged = cost !== null && Number(cost) === 0 && Number(variance) < 0;
      expect(evaluate(workbook, projects, formula), `row ${row}`).toBe(isUnlogged);
      if (isUnlogged) unjudged.push(savedValue(projects.getCell(row, place('Project')).value));
    }
    expect(unjudged).toEqual(['Studio & learning', 'Unknown project 598']);
  });

  it('says below fees what of them nobody owes, and between fees and revenue what contracts pay otherwise', async () => {
    const measures = 'fees_beyond_budget,actual_contract_adjustment,missing_hours';
    const sent = { ...window, group_by: 'project', measures };
    const { columns, totals } = await runReport(company.database, catalogue, 'pivot', sent, { now });
    const totalOf = (name: string) => String(totals?.[columns.findIndex((column) => column.name === name)]);
    for (const [label, name] of [
      ['of which beyond contracts', 'fees_beyond_budget'],
      ['By contract', 'actual_contract_adjustment'],
    ] as const)
      expect(Number(rowOf(workbook, label)[5]), label).toBe(Number(totalOf(name)));
    expect(textsOf(workbook)).toContainEqual(
      expect.stringContaining(`Missing time: ${formatRounded(totalOf('missing_hours'), 2)} h of `),
    );
  });

  it('names the day on which each budget breaks, and the losses, as the sentences about projects have them', () => {
    const [passed, later] = ['Kestrel', 'Fraud'].map((name) => rowOf(workbook, name, 'Budgets passed or at risk: 2'));
    // 26 August 2025 and 2 June 2026, as Excel counts days.
    expect([passed?.[3], later?.[3]]).toEqual(['45895', '46175']);
    expect([passed?.[6], passed?.[9]]).toEqual(['Partner intranet', '-70604.55']);
    expect(textsOf(workbook)).toContain('Losses: 2 projects');
  });

  it('draws columns from 0, and the bridge in steps', () => {
    const charts = [...unzip(bytes)].filter(([name]) => /charts\/chart\d/.test(name)).map(([, text]) => text);
    expect(charts).toHaveLength(3);
    const [bridge = '', ...others] = charts.filter((chart) => chart.includes('<c:grouping val="stacked"/>'));
    expect(others).toEqual([]);
    for (const chart of charts.filter((each) => each !== bridge))
      expect(chart).toContain('<c:orientation val="minMax"/><c:min val="0"/>');
    // Effects of less than a tenth of the profit are slivers on an axis from 0.
    const [, start] = /<c:min val="(\d+)"\/>/.exec(bridge) ?? [];
    const [planned, actual] = ['Scheduled to date', 'Actual'].map((label) =>
      Number(rowOf(workbook, label, 'Profit bridge')[3]),
    );
    expect(Number(start)).toBeGreaterThan(0);
    expect(Number(start)).toBeLessThan(Math.min(planned ?? 0, actual ?? 0));
    expect(bridge).toContain(`(axis from ${formatRounded(start ?? '', 0)})`);
    expect(bridge.match(/<c:dLbls>/g)).toHaveLength(5);
  });

  it('groups findings by cause and person, with an estimate and what to do', () => {
    const texts = textsOf(workbook);
    const cause = texts.find((text) => text.startsWith('no cost rate from '));
    expect(cause).toMatch(
      /^no cost rate from \d{4}-\d\d-\d\d: \d+ records? and \d+ scheduled days?, [\d,.]+ h logged, [\d,.]+ h scheduled, about [\d,]+ EUR$/,
    );
    expect(texts).toContain('Give the person a contract with a cost rate from that day, or the role a cost rate.');
    expect(texts).toContain('Unknown person 999');
    expect(texts).toContain('Restore the record of the person, or correct the id in the records of the work.');
    let all = 0;
    (workbook.getWorksheet('Data quality') as Worksheet).eachRow((row) => {
      row.eachCell(({ value }) => {
        if (['error', 'warning', 'notice'].includes(String(value))) all += 1;
      });
    });
    const counted = texts.flatMap((text) => /^\d+ causes? in (\d+) findings?$/.exec(text)?.[1] ?? []);
    expect(counted.reduce((sum, count) => sum + Number(count), 0)).toBe(all);
    expect(
      texts.some((text) => /^About: an estimate of what is logged, at the average .* EUR of cost/.test(text)),
    ).toBe(true);
  });
});

describe('the summary of other windows and readers', () => {
  it('has the fiscal year to date beside a month, and says where the plan ends', { tags: ['slow'] }, async () => {
    const may = { start_date: '2026-05-01', end_date: '2026-05-31', cutoff_date: '2026-05-31' };
    const workbook = await write(may, true, 'board');
    const year = { ...may, start_date: '2026-04-01' };
    const { columns, totals } = await runReport(company.database, catalogue, 'projects', year, { now });
    const total = totals?.[columns.findIndex(({ name }) => name === 'actual_profit')];
    const heading = 'Fiscal year to date, 2026-04-01 to 2026-05-31';
    expect(Number(rowOf(workbook, 'Profit', heading)[5])).toBe(Number(total));
    const lastYear = { start_date: '2025-04-01', end_date: '2025-05-31', cutoff_date: '2025-05-31' };
    const before = await runReport(company.database, catalogue, 'projects', lastYear, { now });
    const [then, growth] = rowOf(workbook, 'Profit', heading).slice(11).map(Number);
    expect(then).toBe(Number(before.totals?.[columns.findIndex(({ name }) => name === 'actual_profit')]));
    expect(growth).toBeCloseTo(Number(total) / (then ?? 0) - 1, 4);
    const ahead = await write({ ...may, end_date: '2026-09-30' });
    const sentence =
      'No billable work is scheduled after 2026-06-30: what is forecast for the days from then to 2026-09-30 has no fees.';
    expect(textsOf(ahead)).toContain(sentence);
    // The year of its outlook goes on.
    expect(textsOf(workbook)).toContain(sentence.replace('2026-09-30', '2027-03-31'));
  });

  it('has the pipeline on page 1 of its workbook, largest first', { tags: ['slow'] }, async () => {
    const row = rowOf(await write(window, true, 'pipeline'), 'Driver app', 'Tentative projects: 4');
    expect([row[3], row[8], row[9]]).toEqual(['Atlas Freight', '954', '120612']);
  });

  it('tells internal work in a line, and as no loss (K6)', { tags: ['slow'] }, async () => {
    const [internal] = await company.database.rows<{ names: string[]; hours: string; cost: string }>(
      `SELECT LIST(DISTINCT lines.project) AS names, CAST(SUM(hours) AS VARCHAR) AS hours, CAST(SUM(cost) AS VARCHAR) AS cost
       FROM marts.lines JOIN marts.projects USING (project_id)
       WHERE non_billable AND kind = 'actual' AND date BETWEEN '${window.start_date}' AND '${window.cutoff_date}'`,
    );
    const { names = [], hours = '', cost = '' } = internal ?? {};
    const line = (amount: string) => `Internal work: ${formatRounded(hours, 2)} h${amount}.`;
    const texts = textsOf(await write(window, true, 'board'));
    expect(texts).toContain(line(`, ${formatRounded(cost, 2)} EUR`));
    const losses = texts.findIndex((text) => text.startsWith('Losses'));
    const standings = texts.findIndex((text) => text.startsWith('Projects:'));
    expect(losses).toBeGreaterThan(0);
    expect(texts.slice(losses, standings).filter((text) => names.includes(text))).toEqual([]);
    expect(textsOf(await write(window, false, 'board'))).toContain(line(''));
  });

  it('tells of a single check in the singular', async () => {
    const workbook = await write({ start_date: '2026-05-01', end_date: '2026-05-31' }, true, 'data-quality');
    const state = textsOf(workbook).find((text) => text.startsWith('The arithmetic'));
    expect(state).toBe('The arithmetic is right: the one check holds');
  });

  it('has the rows of a list that has no sheet in other workbooks', async () => {
    const workbook = await write({ start_date: '2026-01-01', end_date: '2026-06-30' }, true, 'retainers');
    const rows = await company.database.rows(`SELECT retainers.date FROM marts.retainers
      JOIN marts.projects ON projects.project_id = retainers.project_id
      WHERE projects.active AND retainers.date BETWEEN DATE '2026-01-01' AND DATE '2026-06-30'`);
    expect(rows.length).toBeGreaterThan(2);
    expect(workbook.getWorksheet('Retainers')?.rowCount).toBe(rows.length + 1);
  });

  it('says where there are no records to compare with, and shows no zeros', { tags: ['slow'] }, async () => {
    const early = { start_date: '2025-01-01', end_date: '2025-01-31', cutoff_date: '2025-01-31' };
    const workbook = await write(early);
    expect(textsOf(workbook)).toContainEqual(
      expect.stringContaining('Prior period: 2024-12-01 to 2024-12-31 has no records'),
    );
    expect(rowOf(workbook, 'Hours').slice(9, 13)).toEqual([null, null, null, null]);
  });

  it.each([
    ['all of it is actual, since it ended by the cutoff 2026-05-31', '2026-05-28', '2026-05-31'],
    ['all of it is plan, since it begins after the cutoff 2026-05-31', '2026-06-01', '2026-06-05'],
    ['actual to 2026-05-31, plan after it', '2026-05-28', '2026-06-05'],
  ])('says that %s', { tags: ['slow'] }, async (words, start_date, end_date) => {
    const workbook = await write({ start_date, end_date, cutoff_date: '2026-05-31' });
    expect(savedValue(summaryOf(workbook).getCell('B3').value)).toBe(
      `${start_date} to ${end_date}, amounts in EUR; ${words}`,
    );
  });

  it('has no bridge, cost, margin or estimate of cost for a reader without rates', { tags: ['slow'] }, async () => {
    const workbook = await write({ ...window, start_date: '2026-05-01', end_date: '2026-05-31' }, false);
    const texts = textsOf(workbook);
    expect(workbook.getWorksheet('Profit bridge')).toBeUndefined();
    expect(texts.filter((text) => /profit|margin|labour|of cost|EUR at risk/i.test(text))).toEqual([]);
    const causes = texts.filter((text) => text.startsWith('no cost rate from '));
    expect(causes.length).toBeGreaterThan(0);
    expect(causes.filter((text) => text.includes('EUR'))).toEqual([]);
    expect(texts).toContainEqual(expect.stringMatching(/^Largest overruns, by hours/));
  });

  it('names nothing of other projects in a filtered book', { tags: ['slow'] }, async () => {
    const rows = await company.database.rows<{ project: string }>(
      'SELECT project FROM marts.projects WHERE project_id <> 501 AND length(project) > 3',
    );
    const texts = textsOf(await write({ ...window, project_id: '501' }));
    expect(rows.length).toBeGreaterThan(10);
    const found = rows.filter(({ project }) => texts.some((text) => text.includes(project)));
    expect(found).toEqual([]);
  });
});

it('the summary of a window without lines says so, and has no charts', { tags: ['slow'] }, async () => {
  const bytes = await writeBytes({ start_date: '1990-01-01', end_date: '1990-03-31' });
  expect(textsOf(await readExcel(bytes))).toContain(
    'Nothing is scheduled, logged or spent in this window, with these filters.',
  );
  expect([...(await unzip(bytes)).keys()].filter((name) => name.includes('chart'))).toEqual([]);
});

describe('the summary of a pivot', () => {
  const month = { start_date: '2026-05-01', end_date: '2026-05-31', cutoff_date: '2026-05-31' };

  it.each([
    ['actual_fees', 'Actual value of work'],
    ['capacity_hours,utilization_percent', 'Capacity hours'],
  ])(
    'of %s has a key figure for each of its measures, even if none has a plan beside it',
    { tags: ['slow'] },
    async (measures, label) => {
      const sent = { ...month, group_by: 'client', measures };
      const { columns, totals } = await runReport(company.database, catalogue, 'pivot', sent, { now });
      const total = totals?.[columns.findIndex((column) => column.name === measures.split(',')[0])];
      const workbook = await write(sent, true, 'pivot');
      expect(rowOf(workbook, label)[5]).toBe(new Decimal(String(total)).toString());
      expect(textsOf(workbook)).not.toContain('Further figures');
    },
  );

  it('has the further measures below those with a plan', { tags: ['slow'] }, async () => {
    const sent = { ...month, group_by: 'client', measures: 'scheduled_hours,actual_hours,capacity_hours' };
    const workbook = await write(sent, true, 'pivot');
    expect(rowOf(workbook, 'Hours')[3]).not.toBeNull();
    expect(rowOf(workbook, 'Capacity hours', 'Further figures')[5]).not.toBeNull();
  });

  it('has the plan beside a further measure, in words that tell it from a plan to date', {
    tags: ['slow'],
  }, async () => {
    const measures = 'scheduled_hours,actual_hours,capacity_hours';
    const sent = { ...month, group_by: 'client', measures };
    const { columns, totals } = await runReport(company.database, catalogue, 'projects', month, { now });
    const total = (name: string) => new Decimal(String(totals?.[columns.findIndex((column) => column.name === name)]));
    const projects = await write(month);
    expect(rowOf(projects, 'Further figures').slice(3, 6)).toEqual(['Scheduled', null, 'Actual']);
    for (const kind of ['billable', 'non_billable']) {
      const label = { billable: 'Billable hours', non_billable: 'Non-billable hours' }[kind] ?? '';
      const [plan, , actual] = rowOf(projects, label, 'Further figures').slice(3, 6);
      expect(plan, label).toBe(total(`scheduled_${kind}_hours`).toString());
      expect(actual, label).toBe(total(`actual_${kind}_hours`).toString());
    }
    const pivot = rowOf(await write(sent, true, 'pivot'), 'Further figures');
    expect(pivot.slice(3, 6), 'capacity has no plan').toEqual([null, null, 'Total']);
  });
});

it('begins that of timesheets with who misses most, without people who have no capacity', {
  tags: ['slow'],
}, async () => {
  const workbook = await write(window, true, 'timesheets');
  const [, , , hours, revenue] = rowOf(workbook, 'Amara Okafor', 'Missing time: 1,534.33 h of 34 people');
  expect([hours, revenue]).toEqual(['81', '5365']);
});
