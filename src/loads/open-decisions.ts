import type { MappingFileEntry, OpenChoice, OpenDecision } from './load-json.ts';

/** Separates the decisions of one entry. */
const SEPARATOR = '; ';

/** Reads the decisions that the entries of a mapping leave open. */
export function readDecisions(entries: readonly MappingFileEntry[]): OpenDecision[] {
  return entries.flatMap(({ file, sheet, open }) => {
    if (open === undefined) return [];
    const places = entries.flatMap((entry, place) => (entry.file === file && entry.sheet === sheet ? [place] : []));
    return open
      .split(SEPARATOR)
      .map((text) => ({ file, sheet: sheet ?? null, entries: places, text, choices: choicesOf(text) }));
  });
}

function choicesOf(text: string): OpenChoice[] {
  const days = [...text.matchAll(/([0-9]{4}-[0-9]{2}-[0-9]{2}) as ([A-Z][A-Z/.: -]*[A-Z])/g)];
  const swapped = /, or write dates: ([A-Z][A-Z/.: -]*[A-Z])$/.exec(text);
  const marks = [...text.matchAll(/(?:is|or) ([^,]{1,60}?) with decimal: (comma|point)/g)];
  const budgets = [...text.matchAll(/budget_type: \{value: ([12])\} for (hours|fees)/g)];
  return [
    ...days.map(([, day, dates = '']) => ({ label: `${day} (${dates})`, members: { dates } })),
    ...(swapped ? [{ label: `They are right (${swapped[1]})`, members: { dates: swapped[1] ?? '' } }] : []),
    ...marks.map(([, value, decimal = '']) => ({ label: `${value} (decimal ${decimal})`, members: { decimal } })),
    ...budgets.map(([, value, unit = '']) => ({
      label: `It is in ${unit === 'fees' ? 'money' : unit}`,
      resource: 'projects',
      fields: { budget_type: { value: Number(value) } },
    })),
  ];
}
