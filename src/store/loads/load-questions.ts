import type { Database } from '../../base/database/index.ts';
import { AppError, formatBeside, formatForeign, formatReadable } from '../../base/index.ts';
import type { NameQuestion } from '../../records/ingest/index.ts';
import { resources } from '../../records/resource/index.ts';
import type { ComparedLoads } from './compare-loads.ts';
import type { Preferred } from './kept-fields.ts';
import type { KnownName, QuestionName, ToldQuestion } from './load-json.ts';

/*
 * Questions to a person before files are loaded: whether fewer days, people or hours than before are meant, whether entries of days
 * that were loaded before count beside them, and whether a name is that of a record which is there under another id.
 */

/** The most names that are asked for. Unit: names. */
export const MAX_ASKED_NAMES = 100;

/** The sums of logged time in files, before and after. Hours are decimals as texts. */
export interface TimeTotals {
  readonly entries: number;
  readonly hours: string;
  readonly days: number;
  readonly people: number;
}

/** Entries of days that loaded files have, too. */
export interface AddedDays {
  /** Days of people. */
  readonly days: number;
  readonly person: string;
  readonly date: string;
  readonly hours_before: string;
  readonly hours_after: string;
}

const TOTALS = `count(*) AS entries, CAST(COALESCE(sum(hours), 0) AS VARCHAR) AS hours, count(DISTINCT date) AS days,
  count(DISTINCT people_id) AS people`;

/** Reads the logged time of the files before, and of all files now. */
export async function readTimeTotals(session: Database): Promise<{ before: TimeTotals; after: TimeTotals }> {
  const [before] = await session.rows<TimeTotals>(`SELECT ${TOTALS} FROM loaded.source.logged_time`);
  const [after] = await session.rows<TimeTotals>(`SELECT ${TOTALS} FROM pulled.source.logged_time`);
  return { before: before as TimeTotals, after: after as TimeTotals };
}

/** Tells whether files lose entries that were there before, days, people or hours. */
export function areFewer(before: TimeTotals, after: TimeTotals): boolean {
  const losesHours = after.hours !== before.hours && isLess(after.hours, before.hours);
  return after.days < before.days || after.people < before.people || losesHours;
}

/** Compares decimals without a sign, of the same number of decimals. */
function isLess(one: string, other: string): boolean {
  return one.length === other.length ? one < other : one.length < other.length;
}

/** Reads the days of people to which new files add entries beside those that are loaded. */
export async function readAddedDays(session: Database): Promise<AddedDays | undefined> {
  const [found] = await session.rows<AddedDays>(`
    SELECT count(*) OVER () AS days, COALESCE(people.name, CAST(people_id AS VARCHAR)) AS person, CAST(date AS VARCHAR) AS date,
      CAST(before.hours AS VARCHAR) AS hours_before, CAST(after.hours AS VARCHAR) AS hours_after
    FROM (SELECT people_id, date, sum(hours) AS hours, count(*) AS entries FROM loaded.source.logged_time GROUP BY ALL) AS before
    JOIN (SELECT people_id, date, sum(hours) AS hours, count(*) AS entries FROM pulled.source.logged_time GROUP BY ALL) AS after
      USING (people_id, date)
    LEFT JOIN pulled.source.people USING (people_id)
    WHERE after.entries > before.entries ORDER BY date, people_id LIMIT 1`);
  return found;
}

/** The resources whose names are asked for. A project without a client has no other of its name. */
const NAMED = [
  { resource: 'people', id: 'people_id' },
  { resource: 'projects', id: 'project_id' },
  { resource: 'clients', id: 'client_id' },
] as const;

/** Reads the names in new records that records of the live data have under other ids, and those of people with an e-mail from there. */
export async function readKnownNames(session: Database): Promise<KnownName[]> {
  const pairs = (resource: string, id: string, email: string, condition: string) =>
    `SELECT '${resource}' AS resource, come.name, stored.${id} AS id, ${email} AS email
      FROM pulled.source.${resource} AS come JOIN source.${resource} AS stored ON ${condition}
      WHERE come.${id} NOT IN (SELECT ${id} FROM source.${resource}) AND stored.${id} NOT IN (SELECT ${id} FROM pulled.source.${resource})`;
  const sameName = 'lower(trim(stored.name)) = lower(trim(come.name))';
  const sameEmail = `lower(trim(stored.email)) = lower(trim(come.email)) AND come.email LIKE '%_@_%' AND NOT ${sameName}`;
  const queries = [
    ...NAMED.map(({ resource, id }) => pairs(resource, id, 'NULL', sameName)),
    pairs('people', 'people_id', 'come.email', sameEmail),
  ];
  return session.rows<KnownName>(
    `${queries.join('\nUNION ALL\n')} ORDER BY resource, name, id LIMIT ${MAX_ASKED_NAMES}`,
  );
}

/** Reads the questions of the files themselves that name a record which isn't in the live data: others were answered before. */
async function readFileNames(session: Database, questions: readonly NameQuestion[]): Promise<KnownName[]> {
  const asked: KnownName[] = [];
  for (const { resource, name, like, ids, email = null } of questions.slice(0, MAX_ASKED_NAMES)) {
    const id = resources.find((each) => each.name === resource)?.id ?? '';
    const [row] = await session.rows<{ known: number }>(
      `SELECT count(*) AS known FROM source.${resource} WHERE ${id} IN (${ids.join(', ')})`,
    );
    if (row?.known !== ids.length) asked.push(...like.map((each) => ({ resource, name, id: each, email })));
  }
  return asked;
}

export const QUESTIONS: readonly QuestionName[] = ['conflicts', 'fewer', 'days', 'names'];

export interface Decisions {
  /** The side that counts for fields which the files and the live data give differently. */
  readonly prefer: Preferred | undefined;
  /** The questions whose answer is yes. */
  readonly accepted: readonly QuestionName[];
}

/** Reads what a person is to be asked about files that are compared with the live data. */
export async function readQuestions(
  session: Database,
  { conflicts }: ComparedLoads,
  { prefer, accepted }: Decisions,
  nameQuestions: readonly NameQuestion[],
): Promise<ToldQuestion[]> {
  const { before, after } = await readTimeTotals(session);
  const added = await readAddedDays(session);
  const names = [...(await readFileNames(session, nameQuestions)), ...(await readKnownNames(session))];
  const ask = (name: QuestionName, text: string, more: Partial<ToldQuestion> = {}): ToldQuestion => ({
    name,
    text,
    is_answered: accepted.includes(name),
    names: [],
    ...more,
  });
  const tell = ({ hours, days, people }: TimeTotals) =>
    `${formatReadable(hours, 'hours', 2)} h on ${days} days, ${people} people`;
  return [
    ...(conflicts.length === 0
      ? []
      : [
          ask(
            'conflicts',
            `${conflicts.length === 1 ? 'A value differs' : `${conflicts.length} values differ`} here and in the files`,
            { is_answered: prefer !== undefined },
          ),
        ]),
    ...(areFewer(before, after)
      ? [ask('fewer', `There is less time than before: ${tell(before)}; now ${tell(after)}`)]
      : []),
    ...(added ? [ask('days', describeAdded(added))] : []),
    ...(names.length === 0
      ? []
      : [ask('names', `${names.map(describeName).join(', ')}: there already, and would be there twice`, { names })]),
  ];
}

function describeName({ name, id, email }: KnownName): string {
  return `${formatForeign(name)} (${[id, email ?? []]
    .flat()
    .map((each) => formatForeign(each))
    .join(', ')})`;
}

function describeAdded({ days, person, date, hours_before: before, hours_after: after }: AddedDays): string {
  const [now, then] = formatBeside([after, before], 'hours', 2);
  const others = days === 1 ? '' : `, and ${days - 1} more days`;
  return `The files add to days that were loaded before: ${formatForeign(person)} has ${now} h on ${date}, and had ${then} h${others}`;
}

/** @throws AppError input for questions that nobody has answered. */
export function assertAnswered(questions: readonly ToldQuestion[]): void {
  const open = questions.filter((question) => !question.is_answered);
  if (open.length === 0) return;
  const fieldOf = (name: QuestionName) => (name === 'conflicts' ? 'prefer' : 'accept');
  throw new AppError('input', open.map(({ text }) => text).join('. '), {
    hint: `Nothing was loaded. Answer with ${[...new Set(open.map(({ name }) => (name === 'conflicts' ? 'prefer=here or prefer=files' : `accept=${name}`)))].join(' and ')}.`,
    fields: open.map(({ name, text }) => ({ field: fieldOf(name), message: text })),
  });
}
