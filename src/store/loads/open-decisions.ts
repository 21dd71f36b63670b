import { parse } from 'yaml';
import type { MappingFileEntry, OpenChoice, OpenDecision } from './load-json.ts';

/** Separates the decisions of one entry. */
const SEPARATOR = '; ';

/** The beginning of the question whose time a file has. */
const NOBODY = 'no column that is understood names a person';

/** Reads the decisions that the entries of a mapping leave open. */
export function readDecisions(entries: readonly MappingFileEntry[]): OpenDecision[] {
  return entries.flatMap(({ file, sheet, open }) => {
    if (open === undefined) return [];
    const places = entries.flatMap((entry, place) => (entry.file === file && entry.sheet === sheet ? [place] : []));
    const hours = places.map((place) => entries[place]?.fields?.['hours']).find((source) => source !== undefined);
    return open.split(SEPARATOR).map((text) => {
      const choices = [...choicesOf(text), ...hoursChoices(text, hours), ...personChoices(text), ...keepChoices(text)];
      return { file, sheet: sheet ?? null, entries: places, text, choices, takes_name: text.includes(NOBODY) };
    });
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
    ...(text.includes('write amounts: cents')
      ? [{ label: 'They are in hundredths', members: { amounts: 'cents' } }]
      : []),
    ...marks.map(([, value, decimal = '']) => ({ label: `${value} (decimal ${decimal})`, members: { decimal } })),
    ...budgets.map(([, value, unit = '']) => ({
      label: `It is in ${unit === 'fees' ? 'money' : unit}`,
      resource: 'projects',
      fields: { budget_type: { value: Number(value) } },
    })),
  ];
}

/** Returns the hours that a question offers: other columns, breaks that are taken off, or another unit. */
function hoursChoices(text: string, hours: unknown): OpenChoice[] {
  const others = sourcesOf(text, 'hours').map((source) => ({ label: `Read ${titleOf(source)}`, source }));
  const column = typeof hours === 'string' ? { column: hours } : hours;
  const less = sourcesOf(text, 'less').map((source) => ({
    label: `Take ${titleOf(source)} off`,
    source: { ...(column as object), less: source },
  }));
  const units = [...text.matchAll(/hours: (minutes|seconds|milliseconds|days|decimal)(?=,| at it)/g)];
  return [
    ...(others.length > 0 ? others : less).map(({ label, source }) => ({
      label,
      resource: 'logged_time',
      fields: { hours: source },
    })),
    ...units.map(([, unit = '']) => ({
      label: `It is in ${unit === 'decimal' ? 'hours' : unit}`,
      members: { hours: unit },
    })),
  ];
}

/** Returns the columns that may have the people whose time it is. */
function personChoices(text: string): OpenChoice[] {
  if (!text.includes(NOBODY)) return [];
  const [, offered = ''] = /, unless one of (.*) does \(then write/.exec(text) ?? [];
  return offered.split('), ').flatMap((item) => {
    const column = item.slice(0, Math.max(0, item.lastIndexOf(' (')));
    return column === '' ? [] : [{ label: column, person: column }];
  });
}

/** Returns the choice to leave a mapping as it is, if a question has one. */
function keepChoices(text: string): OpenChoice[] {
  const [found, reason] = /remove this line(?: (?:if|to) ([^,:;]+))?/.exec(text) ?? [];
  if (found === undefined) return [];
  return [{ label: reason === undefined ? 'Read it as it is' : `${reason.charAt(0).toUpperCase()}${reason.slice(1)}` }];
}

/** Returns the sources of a member that a question offers to write, in YAML. */
function sourcesOf(text: string, member: string): unknown[] {
  return [...text.matchAll(new RegExp(`(?:write|or) ${member}: `, 'g'))].flatMap(({ 0: words, index }) => {
    const rest = text.slice(index + words.length);
    const length = endOfSource(rest);
    return length === 0 ? [] : [parse(rest.slice(0, length)) as unknown];
  });
}

/** Returns the length of the quoted text or the object with which a text begins; 0 for another beginning. */
function endOfSource(text: string): number {
  if (!/^["{]/.test(text)) return 0;
  let [depth, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted && character === '\\') at += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && character === '{') depth += 1;
    else if (!isQuoted && character === '}') depth -= 1;
    if (depth === 0 && !isQuoted) return at + 1;
  }
  return 0;
}

/** Returns the words for a source of hours: its column, its breaks and its unit. */
function titleOf(source: unknown): string {
  if (typeof source === 'string') return source;
  const { column, less, hours } = source as Readonly<Record<'column' | 'less' | 'hours', unknown>>;
  const unit = hours === 'minutes' || hours === 'seconds' ? ` in ${hours}` : '';
  return `${String(column ?? 'it')}${unit}${less === undefined ? '' : ` less ${titleOf(less)}`}`;
}
