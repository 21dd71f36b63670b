import { CONDITIONS, type Package, type SheetTail, type Style } from '../../../../packages/xlsx/index.ts';
import { tupleKey } from '../../../base/index.ts';
import type { Meta } from '../../report/catalogue/table.ts';
import type { Cover, SheetPlace } from '../../report/workbook/workbook.ts';
import { describeBaselineState } from '../describe-meta.ts';
import { cellName } from './columns/cell-name.ts';
import { cellContentOf } from './columns/column-content.ts';
import { type Checks, checkCells, statedCells, wholeCells } from './sheets/checks.ts';
import { type GridCell, writeGrid } from './sheets/grid-sheet.ts';
import type { WrittenTable } from './sheets/table-sheet.ts';
import { unitOf } from './summary/summary-figures.ts';

type Footer = SheetTail['footer'];

const ROUNDING =
  'Each amount is rounded once, on its line, half away from zero, to the minor unit of the currency. Every other number is an exact sum of lines.';

const CUTOFF_MEANING =
  'Why actuals count up to the cutoff: it was requested, it is the end of a closed period, or it is the last day, on or before today, with logged time, and the days after it on which nobody has capacity.';

const BASELINE_MEANING =
  'The kept state whose plan is compared: scheduled, to date, variance and bridges. What is still to come is of the reported state.';

/** Writes the parameters and everything else that makes the workbook reproducible. */
export async function writeParameters(book: Package, cover: Cover, footer: Footer): Promise<void> {
  const { meta } = cover;
  const { cutoff, baseline: plan } = meta;
  const parameters = cover.parameters.map(({ label, unit, value, name, meaning }) => [
    plain(label),
    named(unit === 'date' ? dateCell(value) : plain(value), cellName(name)),
    plain(name),
    plain(meaning),
  ]);
  const context: (readonly [string, string, string, string])[] = [
    ['Report', meta.report, 'report', cover.label],
    ['Company', cover.company ?? '', 'company', 'The company of these records.'],
    ['Currency', meta.currency, 'currency', `ISO 4217; its minor unit has ${meta.minor_units} decimals.`],
    ['Rounding', 'On each line', 'rounding', ROUNDING],
    ...(cutoff ? [['Reason of the cutoff', cutoff.reason, 'cutoff_reason', CUTOFF_MEANING] as const] : []),
    ...(plan ? [['Plan of', describeBaselineState(plan), 'baseline_state', BASELINE_MEANING] as const] : []),
    ['Data version', meta.data_version, 'data_version', 'The generation of data in every sheet.'],
    ['Loaded at', meta.loaded_at, 'loaded_at', 'The time when that generation was loaded.'],
    ...syncedContext(meta),
    ['Produced at', meta.generated_at, 'generated_at', 'The time when this file was produced.'],
    [
      'Definition',
      cover.definitionHash,
      'definition_hash',
      "SHA-256 of the report's definition with the measures and dimensions that it uses: the same hash, the same formulas.",
    ],
  ];
  await writeGrid(book, {
    name: 'Parameters',
    place: cover.pages.parameters,
    headers: ['Parameter', 'Value', 'Name', 'Meaning'],
    widths: [18, 70, 18, 100],
    frozenColumns: 1,
    rows: [...parameters, ...context.map((cells) => cells.map(plain))],
    footer,
  });
}

/** Writes tie-outs as live formulas, then company-wide checks, then the effects of rounding. */
export async function writeChecks(
  book: Package,
  { checks, wholes, stated }: Checks,
  place: SheetPlace,
  footer: Footer,
): Promise<void> {
  const heading: Style = { bold: true };
  const rows = [...checks.map((check, i) => checkCells(check, i + 2)), ...wholes.map(wholeCells)];
  const firstBelow = rows.length + 3;
  const below =
    stated.length === 0
      ? []
      : [
          ['Effect of rounding: reported, never a failure', 'Before rounding', 'As rounded', 'Moved'].map(
            (text, i): GridCell => ({ content: { text }, style: i === 0 ? heading : { ...heading, align: 'right' } }),
          ),
          ...stated.map((tie, i) => statedCells(tie, firstBelow + 1 + i)),
        ];
  const range = `E2:E${rows.length + 1}`;
  await writeGrid(book, {
    name: 'Checks',
    place,
    headers: ['Check', 'Sum', 'Must be', 'Difference', 'Holds'],
    widths: [76, 20, 20, 14, 11],
    frozenColumns: 1,
    rows,
    below,
    conditions: [
      { range, when: { formula: 'E2=TRUE' }, style: CONDITIONS.good },
      { range, when: { formula: 'E2=FALSE' }, style: CONDITIONS.bad },
    ],
    footer,
  });
}

/** Writes the meaning of every column, once for all sheets that share it. */
export async function writeDefinitions(
  book: Package,
  tables: readonly WrittenTable[],
  { meta: { currency }, pages }: Cover,
  footer: Footer,
): Promise<void> {
  const entries = new Map<string, { sheets: string[]; cells: GridCell[] }>();
  for (const { sheet, columns, headers, derivations } of tables) {
    for (const [i, { name, unit, description, better }] of columns.entries()) {
      const derivation = derivations[i];
      const texts = [
        headers[i] ?? '',
        name,
        unitOf(unit, currency),
        description,
        derivation?.formula ?? '',
        derivation?.source ?? '',
        better === 'more' || better === 'less' ? `${better} is favorable` : '',
      ];
      const key = tupleKey(...texts);
      const entry = entries.get(key) ?? { sheets: [], cells: texts.map(plain) };
      entry.sheets.push(sheet);
      entries.set(key, entry);
    }
  }
  await writeGrid(book, {
    name: 'Definitions',
    place: pages.definitions,
    headers: ['Column', 'Name', 'Unit', 'Meaning', 'Formula', 'Source', 'Sign', 'Sheets'],
    widths: [34, 34, 14, 64, 64, 40, 20, 26],
    frozenColumns: 1,
    rows: [...entries.values()].map(({ sheets, cells }) => [...cells, plain(sheets.join(', '))]),
    footer,
  });
}

function plain(text: string): GridCell {
  return text === '' ? undefined : { content: { text }, style: { wrap: true } };
}

/** Names a cell; a blank one has no name. */
function named(cell: GridCell, name: string): GridCell {
  return cell && { ...cell, name };
}

function dateCell(date: string): GridCell {
  const column = { name: '', label: '', unit: 'date', description: '', needsRates: false, better: undefined } as const;
  const content = cellContentOf(column, date);
  return content && { content, style: { format: 'yyyy-mm-dd', align: 'left', wrap: true } };
}

function syncedContext({ source, synced_at }: Meta): [string, string, string, string][] {
  if (source === undefined || synced_at === undefined) return [];
  const meaning = 'When the records were last known to equal those of the source.';
  return [
    ['Source', source, 'source', 'The service that the records come from.'],
    ['Synced at', synced_at, 'synced_at', meaning],
  ];
}
