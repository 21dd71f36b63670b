import type { Attribute, Catalogue, Dimension, Report } from '../src/numbers/report/catalogue/catalogue.ts';
import { conditionOf } from '../src/numbers/report/catalogue/line-set.ts';
import { spaced } from '../src/numbers/report/catalogue/measure-formula.ts';
import type { Measure } from '../src/numbers/report/catalogue/measure-kinds.ts';
import { allParametersOf } from '../src/numbers/report/catalogue/parameters.ts';
import { describeAddition, describeDerivation } from '../src/numbers/report/kinds/kinds.ts';

const INTRODUCTION = `# Measures, dimensions and columns

<!-- Made from reports/ by scripts/measures-guide.ts; test/report/dictionary.test.ts compares them. Don't edit it:
     npx vitest run test/report/dictionary.test.ts -u -->

Every column of every report, as \`reports/\` defines it. [Reports](reports.md) describes how parameters choose lines, and
how reports treat unknown values. [Ledger](ledger.md) describes where lines come from.`;

const MEASURES_INTRODUCTION = `Hours are decimal hours. Money is in the company's currency, with its minor units. A percentage has two decimals. A budget is in
hours or in money: \`budget_unit\` says which, and of retainers \`retainer_unit\`.

*Adds up* says whether rows add up to the total. A measure that doesn't is computed separately for each row and for the total.
*Over people*: rows of different people or periods add up; other rows may share people. *Over people and weeks*: so do rows of different
people or of whole weeks. *Over projects*: rows of different projects,
phases or tasks add up if their budgets have one unit; rows of periods repeat the same budget. A balance of retainers is that of the end of each period.
*Over projects and periods*: both add up, if the retainers have one unit.

*Rates* marks the columns that reveal a cost.`;

const LINES_INTRODUCTION = `The sets of lines that measures sum. \`is_asked\`: the status is in the parameter \`status\`. \`is_to_date\`: the date is on or before the
cutoff. \`is_future\`: the date is after today. Canceled lines are in none of these sets. *Plan*: of scheduled lines, the plan that a
[baseline](history.md) exchanges (compared), or always that of the reported state (current), or of the baseline alone.`;

export function formatDictionary(catalogue: Catalogue): string {
  const measures = [...catalogue.measures.values()];
  const groups = [...new Set(measures.map(({ group }) => group))];
  const sections = [
    INTRODUCTION,
    `## Measures\n\n${MEASURES_INTRODUCTION}`,
    ...groups.map((group) => formatGroup(group, measures)),
    `### Sets of lines\n\n${LINES_INTRODUCTION}\n\n${formatLines(catalogue)}`,
    `## Dimensions\n\n${formatDimensions([...catalogue.dimensions.values()])}`,
    '## Reports',
    ...[...catalogue.reports.values()].map((report) => formatReport(catalogue, report)),
  ];
  return `${sections.join('\n\n')}\n`;
}

function formatGroup(group: string, measures: readonly Measure[]): string {
  const rows = measures
    .filter((measure) => measure.group === group)
    .map((measure) => [
      `\`${measure.name}\``,
      measure.label,
      measure.unit,
      measure.description,
      describeDerivation(measure),
      describeAddition(measure),
      measure.needs_rates ? 'yes' : 'no',
    ]);
  const header = ['name', 'label', 'unit', 'meaning', 'derivation', 'adds up', 'rates'];
  return `### ${capitalize(group)}\n\n${formatTable(header, rows)}`;
}

function formatLines({ lines }: Catalogue): string {
  const rows = [...lines].map(([name, set]) => [`*${spaced(name)}*`, `\`${conditionOf(set)}\``, set.plan ?? '']);
  return formatTable(['lines', 'condition', 'plan'], rows);
}

function formatDimensions(dimensions: readonly Dimension[]): string {
  const header = ['dimension', 'column', 'label', 'unit', 'meaning', 'in a pivot'];
  const rows = dimensions.flatMap((dimension) =>
    Object.entries(dimension.attributes).map(([column, attribute], index) => [
      index === 0 ? `\`${dimension.name}\`` : '',
      `\`${column}\``,
      attribute.label,
      attribute.unit,
      attribute.description,
      dimension.shown.includes(column) ? 'shown' : '',
    ]),
  );
  const notes = [
    listNote(dimensions, ({ person }) => person, 'Rows by *NAMES* are rows of people: idle people count in them.'),
    listNote(dimensions, ({ overlaps }) => overlaps, 'Rows by *NAMES* may share lines; totals count each line once.'),
    listNote(dimensions, ({ period }) => period, "Rows by *NAMES* are periods of the company's own calendar."),
  ];
  return [formatTable(header, rows), notes.filter((note) => note !== '').join('\n')].join('\n\n');
}

function listNote(dimensions: readonly Dimension[], isNoted: (dimension: Dimension) => unknown, note: string): string {
  const names = dimensions.filter(isNoted).map(({ name }) => spaced(name));
  return names.length === 0 ? '' : note.replace('NAMES', names.join(', '));
}

function formatReport(catalogue: Catalogue, report: Report): string {
  const parameters = allParametersOf(catalogue, report).map(({ name }) => `\`${name}\``);
  return [
    `### ${report.name}`,
    report.description,
    `**A row:** ${report.row}`,
    formatColumns(catalogue, report),
    ...(report.measures ? [`**Measures:** all of ${report.measures.join(', ')}.`] : []),
    ...(report.named ? [`**Only when named:** all of ${report.named.join(', ')}.`] : []),
    ...(report.aliases ? [formatAliases(report.aliases)] : []),
    `**Parameters:** ${parameters.join(', ')}.`,
  ].join('\n\n');
}

function formatAliases(aliases: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(aliases).map(([name, measure]) => `\`${name}\` (\`${measure}\`)`);
  return `**Aliases in JSON:** ${pairs.join(', ')}.`;
}

function formatColumns(catalogue: Catalogue, report: Report): string {
  const named = Object.entries(report.columns ?? {}).flatMap(([column, target]) => {
    const [dimension = '', attribute = ''] = target.split('.');
    const entry = catalogue.dimensions.get(dimension)?.attributes[attribute];
    return entry ? [columnRow(column, entry)] : [];
  });
  const listed = Object.entries(report.list ?? {}).map(([column, entry]) => columnRow(column, entry));
  const rows = [...named, ...listed];
  if (rows.length === 0) return '**Columns:** those of the dimensions that `group_by` names.';
  return formatTable(['column', 'label', 'unit', 'meaning', 'rates'], rows);
}

function columnRow(column: string, { label, unit, description, needs_rates }: Attribute): string[] {
  return [`\`${column}\``, label, unit, description, needs_rates ? 'yes' : 'no'];
}

function formatTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), `|${'---|'.repeat(header.length)}`, ...rows.map(line)].join('\n');
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
