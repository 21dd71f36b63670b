import {
  BOOLEAN_FORMAT,
  type Content,
  columnRef,
  criteriaFormula,
  sumFormula,
  trimDecimal,
} from '../../../../../packages/xlsx/index.ts';
import { AppError, Exact, parseUnits } from '../../../../base/index.ts';
import type { Meta, Tie } from '../../../report/catalogue/table.ts';
import { formatUnits } from '../columns/exact-sum.ts';
import { capitalize } from './figures.ts';
import type { GridCell } from './grid-sheet.ts';
import { unitsContent, type WrittenTable } from './table-sheet.ts';

/** Excel's precision less one digit, which absorbs the error of float sums. Unit: digits. */
const SAFE_DIGITS = 14;

/** A tie-out: a live sum against a number that must equal it. */
export interface WorkbookCheck {
  readonly label: string;
  /** The live sum; undefined for a constant. */
  readonly formula?: string;
  readonly leftUnits: bigint;
  readonly rightUnits: bigint;
  readonly isCost: boolean;
}

type Compared = Required<Tie>;

/** The tie-outs of a workbook, and the effects of rounding, which are reported but never fail. */
export interface Checks {
  readonly checks: readonly WorkbookCheck[];
  /** Checks of the whole company, which a filtered workbook reports without numbers. */
  readonly wholes: readonly string[];
  readonly stated: readonly Compared[];
}

/**
 * Collects the tie-outs: rows of sheets and data against totals, and the report's own checks.
 * @throws AppError check when one fails: no workbook is better than a wrong one.
 */
export function collectChecks(tables: readonly WrittenTable[], meta: Meta): Checks {
  const base = tables.find(({ totals }) => totals);
  const others = meta.checks.filter(({ words }) => !base?.columns.some(({ name }) => name === words.subject));
  const ties = others.filter(isCompared);
  const stated = ties.filter(isStated);
  const checks = [
    ...(base ? tables.flatMap((table) => sheetChecks(table, base)) : []),
    ...(base ? tables.flatMap((table) => totalChecks(table, base)) : []),
    ...(base ? tables.flatMap((table) => dataChecks(table, base)) : []),
    ...tables.filter(({ totals }) => !totals).map(countCheck),
    ...ties.filter((tie) => !stated.includes(tie)).map(tieCheck),
  ];
  const broken = checks.find(({ leftUnits, rightUnits }) => leftUnits !== rightUnits);
  if (broken) {
    const [left, right] = [formatUnits(broken.leftUnits), formatUnits(broken.rightUnits)];
    const numbers = `${left} against ${right}`;
    throw new AppError(
      'check',
      `The workbook does not tie out (${broken.label})${broken.isCost ? '' : `: ${numbers}`}`,
      {
        ...(broken.isCost && { evidence: numbers }),
        hint: 'No numbers are shown, because they would be wrong. Please report this, with the query and the data version.',
      },
    );
  }
  const wholes = others.filter((tie) => !isCompared(tie)).map(sentenceOf);
  return { checks, wholes, stated };
}

/** Tests whether a check is informational: rounding, or a passed check with different numbers. */
function isStated({ words, ok, left, right }: Compared): boolean {
  return words.isRounding || (ok && parseUnits(left) !== parseUnits(right));
}

function isCompared(tie: Tie): tie is Compared {
  return tie.left !== undefined && tie.right !== undefined;
}

function sheetChecks(table: WrittenTable, base: WrittenTable): WorkbookCheck[] {
  const tables = table.parts.map((part) => part.table);
  return table.columns.flatMap((column, i) => {
    const units = table.sums[i];
    const isShared = table.derivations[i]?.total === 'sum' && !table.layout.hasOwnDays;
    const total = (isShared ? totalOf(base, column.name) : undefined) ?? table.totals?.[i] ?? null;
    const of = isShared && total === totalOf(base, column.name) ? base : table;
    if (units === undefined || total === null || (!isShared && units !== parseUnits(String(total)))) return [];
    return [
      {
        label: `${column.label}: the rows of ${table.sheet} against the total of ${of.sheet}`,
        formula: sumFormula(tables, table.headers[i] ?? ''),
        leftUnits: units,
        rightUnits: parseUnits(String(total)),
        isCost: column.needsRates,
      },
    ];
  });
}

/** Compares the totals of a sheet without a native table. */
function totalChecks({ sheet, columns, totals, totalCells }: WrittenTable, base: WrittenTable): WorkbookCheck[] {
  return columns.flatMap(({ name, label, unit, needsRates }, i) => {
    const [formula, total, own] = [totalCells?.get(name), totalOf(base, name) ?? null, totals?.[i] ?? null];
    if (formula === undefined || total === null || own === null || ['percent', 'rate', 'index'].includes(unit))
      return [];
    const [leftUnits, rightUnits] = [own, total].map((value) => parseUnits(String(value))) as [bigint, bigint];
    return [
      {
        label: `${label}: the subtotals of ${sheet} against the total of ${base.sheet}`,
        formula,
        leftUnits,
        rightUnits,
        isCost: needsRates,
      },
    ];
  });
}

function dataChecks(data: WrittenTable, base: WrittenTable): WorkbookCheck[] {
  const tables = data.parts.map(({ table }) => table);
  const headerOf = (name: string) => data.headers[data.columns.findIndex((column) => column.name === name)] ?? '';
  return data.tallied.flatMap(({ sum, units }) => {
    const total = totalOf(base, sum.measure) ?? null;
    const column = base.columns.find(({ name }) => name === sum.measure);
    if (total === null || !column) return [];
    return [
      {
        label: `${column.label}: the lines of ${data.sheet} against the total of ${base.sheet}`,
        formula: criteriaFormula(tables, sum.amount, sum.criteria, headerOf),
        leftUnits: units,
        rightUnits: parseUnits(String(total)),
        isCost: column.needsRates,
      },
    ];
  });
}

/** Compares the rows. An empty native table has one blank row, which COUNTA ignores. */
function countCheck({ sheet, parts, headers, rowCount }: WrittenTable): WorkbookCheck {
  const count = rowCount === 0 ? 'COUNTA' : 'ROWS';
  const units = parseUnits(String(rowCount));
  return {
    label: `Rows of ${sheet}: written against read`,
    formula: parts.map(({ table }) => `${count}(${columnRef(table, headers[0] ?? '')})`).join('+'),
    leftUnits: units,
    rightUnits: units,
    isCost: false,
  };
}

function tieCheck(tie: Compared): WorkbookCheck {
  const [leftUnits, rightUnits] = [parseUnits(tie.left), parseUnits(tie.right)];
  return { label: sentenceOf(tie), leftUnits, rightUnits, isCost: false };
}

function sentenceOf({ words: { subject, sides } }: Tie): string {
  return `${capitalize(subject)}: ${sides.join(' against ')}`;
}

function totalOf({ columns, totals }: WrittenTable, name: string) {
  return totals?.[columns.findIndex((column) => column.name === name)];
}

/** Returns the decimals for comparing float sums: four, or fewer where Excel's digits run out. */
export function comparedDecimals(units: bigint): number {
  const whole = formatUnits(units).replace('-', '').split('.')[0]?.length ?? 1;
  return Math.max(0, Math.min(4, SAFE_DIGITS - whole));
}

export function checkCells(check: WorkbookCheck, row: number): GridCell[] {
  const number = { format: '#,##0.00##' };
  const { formula, leftUnits, rightUnits } = check;
  const difference = `ROUND(B${row}-C${row},${comparedDecimals(rightUnits)})`;
  const left = unitsContent(leftUnits);
  return [
    { content: { text: check.label } },
    { content: formula === undefined ? left : { formula, cached: left }, style: number },
    { content: unitsContent(rightUnits), style: number },
    { content: { formula: difference, cached: { number: '0' } }, style: number },
    holdsCell({ formula: `D${row}=0`, cached: { boolean: true } }),
  ];
}

/** Returns the cells of a company-wide check in the same columns, without numbers. */
export function wholeCells(label: string): GridCell[] {
  return [{ content: { text: label } }, undefined, undefined, undefined, holdsCell({ boolean: true })];
}

function holdsCell(content: Content): GridCell {
  return { content, style: { format: BOOLEAN_FORMAT, align: 'center', bold: true } };
}

/** Returns the cells of a rounding effect in the same columns. */
export function statedCells({ words: { subject }, left, right }: Compared, row: number): GridCell[] {
  const number = { format: '#,##0.00##' };
  const moved = new Exact(left).minus(right).toFixed();
  return [
    { content: { text: capitalize(subject) } },
    { content: { number: trimDecimal(left) }, style: number },
    { content: { number: trimDecimal(right) }, style: number },
    { content: { formula: `B${row}-C${row}`, cached: { number: moved } }, style: number },
  ];
}
