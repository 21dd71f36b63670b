import fc from 'fast-check';
import { expect } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { SEED } from '../seed.ts';
import { withDataset } from './dataset.ts';

/*
 * Random histories of a month that is exported twice, against a plain model of what counts: the second export has corrections, deletions,
 * twins and further entries, and is whole or split. Each history has an entry of the mapping of its own, so many are one load.
 */

/** The ways to find entries of two files the same: by their ids, or by their content, with a decision where that differs. */
const MODES = ['ids', 'rows', 'newest', 'add'] as const;

interface Entry {
  readonly id: number;
  readonly person: number;
  readonly day: number;
  readonly project: number;
  readonly quarters: number;
}

interface Month {
  readonly mode: (typeof MODES)[number];
  readonly files: readonly (readonly Entry[])[];
  /** The entries at the second export. */
  readonly truth: readonly Entry[];
}

/** The e-mail and the rate of a person in each of two files; '' is a blank cell. */
type Card = readonly (readonly [mail: string, rate: string])[];

interface History {
  readonly month: Month;
  readonly cards: readonly Card[];
}

const entry = fc.record({
  person: fc.integer({ min: 0, max: 1 }),
  day: fc.integer({ min: 1, max: 5 }),
  project: fc.integer({ min: 0, max: 1 }),
  quarters: fc.integer({ min: 1, max: 12 }),
  fate: fc.constantFrom('kept', 'kept', 'kept', 'corrected', 'deleted', 'doubled'),
});

const SPLITS: Readonly<Record<string, (entry: Entry) => number>> = {
  whole: () => 0,
  'by person': ({ person }) => person,
  'by project': ({ project }) => project,
  'by half': ({ day }) => (day < 3 ? 0 : 1),
};

const month = fc
  .record({
    mode: fc.constantFrom(...MODES),
    first: fc.array(entry, { minLength: 1, maxLength: 8 }),
    added: fc.array(entry, { maxLength: 4 }),
    split: fc.constantFrom(...Object.keys(SPLITS)),
  })
  .map(({ mode, first, added, split }): Month => {
    const before = first.map(({ fate: _, ...each }, id) => ({ ...each, id }));
    const after = first.flatMap(({ fate, ...each }, id) => {
      if (fate === 'deleted') return [];
      const quarters = fate === 'corrected' ? each.quarters + 1 : each.quarters;
      return [{ ...each, id, quarters }, ...(fate === 'doubled' ? [{ ...each, id: id + 100 }] : [])];
    });
    const truth = [...after, ...added.map(({ fate: _, ...each }, at) => ({ ...each, id: 200 + at }))];
    const parts = [0, 1].map((part) => truth.filter((each) => SPLITS[split]?.(each) === part));
    return { mode, files: [before, ...parts].filter((file) => file.length > 0), truth };
  });

const card = fc.array(fc.tuple(fc.constantFrom('', 'a@x', 'b@x'), fc.constantFrom('', '80', '90.50')), {
  minLength: 2,
  maxLength: 2,
});

const history: fc.Arbitrary<History> = fc.record({ month, cards: fc.array(card, { minLength: 2, maxLength: 2 }) });

/** A history with its number, and the entries that count; undefined where a person has to say it. */
interface CountedHistory {
  readonly at: number;
  readonly history: History;
  readonly counting: readonly Entry[] | undefined;
}

/** Returns what an entry says; equal ones are twins. */
const contentOf = ({ person, day, project, quarters }: Entry) =>
  `${'AB'[person]},P${project},2026-03-0${day},${quarters / 4}`;

const dayOf = ({ person, day }: Entry) => `${person} ${day}`;

/** Returns the entries by some text. */
function groupBy(entries: readonly Entry[], textOf: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const each of entries) groups.set(textOf(each), [...(groups.get(textOf(each)) ?? []), each]);
  return groups;
}

/** Returns the entries of several files, equal ones in the greatest number that one file has. */
function joinEqual(files: readonly (readonly Entry[])[]): Entry[] {
  const most = new Map<string, Entry[]>();
  for (const file of files)
    for (const [content, twins] of groupBy(file, contentOf))
      if (twins.length > (most.get(content)?.length ?? 0)) most.set(content, twins);
  return [...most.values()].flat();
}

/** Returns the entries that count; undefined where a person has to say it. */
function countingEntries({ mode, files }: Month): readonly Entry[] | undefined {
  if (mode === 'ids') return [...new Map(files.flat().map((each) => [each.id, each])).values()];
  if (mode === 'add') return joinEqual(files);
  const days = [...groupBy(files.flat(), dayOf).keys()].map((day) => {
    const having = files.map((file) => file.filter((each) => dayOf(each) === day)).filter((each) => each.length > 0);
    const last = having.at(-1) ?? [];
    const isWhole = joinEqual(having).length === last.length;
    return mode === 'newest' || isWhole ? last : undefined;
  });
  return days.includes(undefined) ? undefined : days.flatMap((each) => each ?? []);
}

/** Returns the hours of each person, project and day, with the number of a history. */
function hoursOf(entries: readonly Entry[], at: number): string[] {
  const groups = groupBy(entries, ({ person, project, day }) => `${at}${'AB'[person]} P${project} 0${day}`);
  return [...groups].map(
    ([key, each]) => `${key} ${(each.reduce((sum, { quarters }) => sum + quarters, 0) / 4).toFixed(2)}`,
  );
}

/** Returns a person's e-mail, of which the first counts, and rate, which counts if there is one only; and which of them conflict. */
function joinCard(card: Card): { mail: string; rate: string; conflicts: string[] } {
  const [mails, rates] = [0, 1].map((at) => [
    ...new Set(card.map((each) => each[at] ?? '').filter((text) => text !== '')),
  ]);
  const conflicts = [
    ...((mails?.length ?? 0) > 1 ? ['email'] : []),
    ...((rates?.length ?? 0) > 1 ? ['cost_rate'] : []),
  ];
  const rate = rates?.length === 1 ? Number(rates[0]).toFixed(2) : '';
  return { mail: mails?.[0] ?? '', rate, conflicts };
}

/** Returns an e-mail that nobody else has: of one that two names have, a load asks whose it is. */
const mailOf = (name: string, mail: string) => (mail === '' ? '' : `${name}.${mail}`);

/** Loads histories at once, and returns the hours, the people and the conflicts. */
function loadHistories(histories: readonly CountedHistory[]) {
  const times = histories.flatMap(({ at, history: { month } }) =>
    month.files.map((file, part) => {
      // A column that nothing reads: no two files have the same bytes.
      const rows = file.map((each) => `${at}-${each.id},${at}${contentOf(each)},${part}\n`);
      return [`h${at}-${part}.csv`, `Id,Who,Project,Day,H,Export\n${rows.join('')}`] as const;
    }),
  );
  const teams = [0, 1].map((part) => {
    const rows = histories.flatMap(({ at, history: { cards } }) =>
      cards.map((each, person) => {
        const [mail = '', rate = ''] = each[part] ?? [];
        const name = `${at}${'AB'[person]}`;
        return `${name},${mailOf(name, mail)},${rate},${part}\n`;
      }),
    );
    return [`team${part}.csv`, `Who,Mail,Rate,Export\n${rows.join('')}`] as const;
  });
  const entries = histories.map(({ at, history: { month } }) => {
    const id = month.mode === 'ids' ? '{name: Id}' : '{row: true}';
    const overlap = ['newest', 'add'].includes(month.mode) ? `overlap: ${month.mode}, ` : '';
    return `  - {file: "h${at}-*.csv", resource: logged_time, ${overlap}fields: {logged_time_id: ${id}, people_id: {name: Who}, project_id: {name: Project}, date: Day, hours: H}}`;
  });
  const people = teams.map(
    ([file]) =>
      `  - {file: ${file}, resource: people, fields: {people_id: {name: Who}, name: Who, email: Mail, cost_rate: Rate}}`,
  );
  const projects = ['  - {file: "h*.csv", resource: projects, fields: {project_id: {name: Project}, name: Project}}'];
  const text = ['files:', ...people, ...projects, ...entries].join('\n');
  return withDataset(
    Object.fromEntries([...times, ...teams]),
    async ({ rows, summary }) => ({
      setAside: summary.reasons,
      hours: await textsOf(
        rows(`SELECT concat_ws(' ', people.name, projects.name, strftime(date, '%d'), CAST(sum(hours) AS DECIMAL(9, 2))) AS text
          FROM source.logged_time JOIN source.people USING (people_id) JOIN source.projects USING (project_id)
          GROUP BY people.name, projects.name, date`),
      ),
      people: await textsOf(
        rows(`SELECT name || ',' || COALESCE(email, '') || ',' || COALESCE(CAST(CAST(cost_rate AS DECIMAL(9, 2)) AS VARCHAR), '') AS text
          FROM source.people`),
      ),
      conflicts: summary.conflicts.map((sentence) => sentence.replace(/^people (\S+) has (\S+) .*/, '$1 $2')).sort(),
    }),
    { mapping: parseMapping(text, 'mapping.yaml', inputResources) },
  );
}

const textsOf = async (rows: Promise<Record<string, unknown>[]>) => (await rows).map(({ text }) => String(text)).sort();

/** The most histories of one load. */
const LOADED_AT_ONCE = 25;

/**
 * Proves that random months come in as the model says, or are refused where it can't say, and that what comes in without a decision is the
 * truth, but for days of which the later export has nothing.
 * @returns the number of histories that were refused.
 */
export async function proveMonths(count: number): Promise<number> {
  let refused = 0;
  const size = Math.min(count, LOADED_AT_ONCE);
  const batch = fc.array(history, { minLength: size, maxLength: size });
  for (const histories of fc.sample(batch, { numRuns: Math.ceil(count / size), seed: SEED })) {
    const all = histories.map((each, at) => ({ at, history: each, counting: countingEntries(each.month) }));
    await proveLoaded(all.filter(({ counting }) => counting !== undefined));
    const unclear = all.filter(({ counting }) => counting === undefined);
    for (const each of unclear) await expect(loadHistories([each])).rejects.toThrow('have different entries of');
    refused += unclear.length;
  }
  return refused;
}

/** Proves that histories come in as the model says, and what it says itself. */
async function proveLoaded(clear: readonly CountedHistory[]): Promise<void> {
  const found = await loadHistories(clear);
  const cards = clear.flatMap(({ at, history: { cards } }) =>
    cards.map((each, person) => ({ name: `${at}${'AB'[person]}`, ...joinCard(each) })),
  );
  expect(found).toEqual({
    setAside: [],
    hours: clear.flatMap(({ at, counting = [] }) => hoursOf(counting, at)).sort(),
    people: cards.map(({ name, mail, rate }) => `${name},${mailOf(name, mail)},${rate}`).sort(),
    conflicts: cards.flatMap(({ name, conflicts }) => conflicts.map((field) => `${name} ${field}`)).sort(),
  });
  for (const {
    at,
    history: { month },
    counting = [],
  } of clear.filter((each) => each.history.month.mode === 'rows')) {
    const days = new Set(month.truth.map(dayOf));
    const later = counting.filter((each) => days.has(dayOf(each)));
    expect(hoursOf(later, at).sort()).toEqual(hoursOf(month.truth, at).sort());
  }
}
