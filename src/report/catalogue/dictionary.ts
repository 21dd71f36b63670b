import {
  type Attribute,
  type Catalogue,
  type Dimension,
  type Measure,
  measuresOf,
  parsePercent,
  parsePoints,
  parseSum,
  type Report,
} from './catalogue.ts';
import { conditionOf } from './line-set.ts';
import { allParametersOf } from './parameters.ts';

const AMOUNT_WORDS: Readonly<Record<string, string>> = {
  hours: 'hours',
  cost: 'cost',
  fee: 'fee',
  hours_without_cost_rate: 'hours without a cost rate',
  hours_without_bill_rate: 'billable hours without a bill rate',
};

const PEOPLE_WORDS: Readonly<Record<NonNullable<Measure['people']>, string>> = {
  capacity: "work hours less time off, over the row's employees and contractors and its days",
  capacity_to_date: 'the same up to the cutoff',
  time_off: "time off within work hours, over the row's employees and contractors and its days",
  overtime:
    "scheduled hours above capacity, person by person and day by day, over the row's employees and contractors and its days",
  future_overtime: 'the same after today',
  unscheduled:
    "capacity above scheduled hours, person by person and day by day, over the row's employees and contractors and its days",
};

const BUDGET_WORDS: Readonly<Record<NonNullable<Measure['budget']>, string>> = {
  total: "the row's budgets added up, if they have one unit",
  used: 'the part of those budgets used up to the cutoff',
  remaining: '`budget_total` less what is known of `budget_used`',
  forecast: '`budget_used` plus hours or fees after the cutoff',
};

const EFFECT_WORDS: Readonly<Record<NonNullable<Measure['effect']>, string>> = {
  hours:
    'person by person on each project, over lines with cost and fee: actual less scheduled hours to date, x scheduled profit / scheduled hours, rounded once to the minor unit; where no hours were scheduled, the actual profit',
  rate: 'person by person on each project, over lines with cost and fee: actual less scheduled profit to date, less `hours_effect`',
  unpriced: 'known cost and fee of lines that lack one of them: fee less cost, actual less scheduled to date',
};

const INTRODUCTION = `# Measures, dimensions and columns

<!-- Made from reports/ by src/report/catalogue/dictionary.ts; test/report/dictionary.test.ts compares them. Don't edit it:
     npx vitest run test/report/dictionary.test.ts -u -->

Every column of every report, as \`reports/\` defines it. [Reports](reports.md) describes how parameters choose lines, and
how reports treat unknown values. [Ledger](ledger.md) describes where lines come from.`;

const MEASURES_INTRODUCTION = `Hours are decimal hours. Money is in the company's currency, with its minor units. A percentage has two decimals. A budget is in
hours or in money: \`budget_unit\` says which.

*Adds up* says whether rows add up to the total. A measure that doesn't is computed separately for each row and for the total.
*Over people*: rows of different people or periods add up; other rows may share people. *Over projects*: rows of different projects,
phases or tasks add up if their budgets have one unit; rows of periods repeat the same budget.

*Rates* marks the columns that reveal a cost.`;

const LINES_INTRODUCTION = `The sets of lines that measures sum. \`is_asked\`: the status is in the parameter \`status\`. \`is_to_date\`: the date is on or before the
cutoff. \`is_future\`: the date is after today. Canceled lines are in none of these sets.`;

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

/** Describes the derivation of a measure: measures in backticks, sets of lines in asterisks. */
export function describeDerivation({ sum, percent, points, people, budget, effect }: Measure): string {
  if (sum) return describeSum(sum);
  if (points) {
    const [minuend, subtrahend] = parsePoints(points);
    return `\`${minuend}\` less \`${subtrahend}\``;
  }
  if (percent) {
    const [part, whole] = parsePercent(percent);
    return `\`${part}\` / \`${whole}\` x 100`;
  }
  if (effect) return EFFECT_WORDS[effect];
  return people ? PEOPLE_WORDS[people] : BUDGET_WORDS[budget ?? 'total'];
}

/** Describes a term of a sum, such as "hours of *scheduled to date* lines". */
export function describeTerm({ lines, amount }: { readonly lines: string; readonly amount: string }): string {
  return `${AMOUNT_WORDS[amount] ?? amount} of *${spaced(lines)}* lines`;
}

/** Describes a sum, such as "hours of actual, less hours of scheduled to date". */
function describeSum(sum: string): string {
  return parseSum(sum)
    .map(({ sign, lines, amount }, index) => {
      const term = describeTerm({ lines, amount });
      if (index === 0) return sign < 0 ? `less ${term}` : term;
      return `${sign < 0 ? 'less' : 'plus'} ${term}`;
    })
    .join(', ');
}

/** Returns whether rows of a measure add up: yes, no, over people, over projects, over people and projects. */
export function describeAddition({ sum, people, budget, effect }: Measure): string {
  if (sum) return 'yes';
  if (effect) return 'over people and projects';
  if (people) return 'over people';
  return budget ? 'over projects' : 'no';
}

function formatLines({ lines }: Catalogue): string {
  const rows = [...lines].map(([name, set]) => [`*${spaced(name)}*`, `\`${conditionOf(set)}\``]);
  return formatTable(['lines', 'condition'], rows);
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
  const measures = measuresOf(catalogue, report);
  const groups = [...new Set(measures.map(({ group }) => group))];
  const parameters = allParametersOf(catalogue, report).map(({ name }) => `\`${name}\``);
  return [
    `### ${report.name}`,
    report.description,
    `**A row:** ${report.row}`,
    formatColumns(catalogue, report),
    ...(groups.length > 0 ? [`**Measures:** all of ${groups.join(', ')}.`] : []),
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

function spaced(name: string): string {
  return name.replaceAll('_', ' ');
}
