import { baselineName, type Catalogue, type Column } from './catalogue.ts';

/** The words of readers for the measures of a subject, such as "Labour cost against plan". */
const ASPECTS: Readonly<Record<string, (subject: string) => string>> = {
  scheduled: (subject) => `Planned ${subject.toLowerCase()}`,
  scheduled_to_date: (subject) => `Planned ${subject.toLowerCase()} to date`,
  actual: (subject) => `Actual ${subject.toLowerCase()}`,
  forecast: (subject) => `Forecast ${subject.toLowerCase()}`,
  variance: (subject) => `${subject} against plan`,
  variance_percent: (subject) => `${subject} against plan, %`,
};

/** The words of readers for other measures. */
const WORDS: Readonly<Record<string, string>> = {
  actual_margin_percent: 'Margin, %',
  budget_total: 'Budget',
  budget_used: 'Budget used',
  budget_used_percent: 'Budget used, %',
  scheduled_percent: 'Planned of capacity, %',
  utilization_percent: 'Utilized, %',
};

/** Returns columns with the words of readers instead of those of the catalogue, which a baseline names more exactly. */
export function worded(catalogue: Catalogue, columns: readonly Column[]): readonly Column[] {
  if (baselineName() !== undefined) return columns;
  const words = new Map(Object.entries(WORDS));
  for (const { label, measures } of catalogue.subjects)
    for (const [aspect, name] of Object.entries(measures)) {
      const write = ASPECTS[aspect];
      if (name !== undefined && write && !words.has(name)) words.set(name, write(label));
    }
  return columns.map((column) => ({ ...column, label: words.get(column.name) ?? column.label }));
}
