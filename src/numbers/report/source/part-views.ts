/*
 * The door of a reader's part (11.2): each relation that reports read, seen through a view of the same name in a database of its own.
 * `reader-part` says which lines are in a part, and `part-rows` which rows of each relation belong to them.
 * No statement, check or name can tell what lies outside, because all of them read these views alone.
 */
import { quoteText } from '../../../base/database/index.ts';
import { hiddenChecks, PART_MEMBERS, PART_OUTSIDE, type PartRows, readPartRows } from './part-rows.ts';
import { type PartConditions, partConditions, type ReaderPart, seenWhole } from './reader-part.ts';

export {
  formatFilters,
  isPart,
  MAX_PART_IDS,
  PART_FILTERS,
  type PartFilters,
  partKey,
  type ReaderPart,
  seenWhole,
  selectPartNames,
} from './reader-part.ts';

/** Relations that the views of others read, in the order in which they are made. */
const FIRST = [
  'core.ledger',
  'core.named_people',
  'core.named_projects',
  'marts.phases',
  'marts.project_tasks',
  'marts.roles',
];

/** The statements that select the people and projects of a part, each with whether all that is theirs is in it. */
export interface PartMembers {
  readonly people: string;
  readonly projects: string;
}

export interface PartMember {
  readonly id: number;
  /** False for a project on which people outside the part work, too, and for everybody in a part by projects. */
  readonly isWhole: boolean;
  /** False for whom or what is seen by lines of others alone, in a part of the reader's own lines. */
  readonly isOwn: boolean;
}

function conditionsIn(part: ReaderPart, all: string): PartConditions {
  return partConditions(part, `${all}.marts.department_ancestors`);
}

/** Returns the condition that a line of the whole database is of a part. */
function isLineIn(part: ReaderPart, all: string): string {
  const { person, project, own } = conditionsIn(part, all);
  const ofPeople = (condition: string) =>
    `people_id IN (SELECT people_id FROM ${all}.core.named_people WHERE ${condition})`;
  const ofProjects = (condition: string) =>
    `project_id IN (SELECT project_id FROM ${all}.core.named_projects WHERE ${condition})`;
  return [
    person && ofPeople(person),
    project && ofProjects(project),
    own && `(${ofPeople(own.person)} OR ${ofProjects(own.project)})`,
  ]
    .filter((each) => each !== undefined)
    .join(' AND ');
}

/** Returns the statements that select the people and projects of which a part has not all. */
function selectOutside(part: ReaderPart, all: string): PartMembers {
  const { person, own } = conditionsIn(part, all);
  return {
    people: `SELECT people_id FROM ${all}.core.named_people WHERE (${person ?? own?.person ?? 'TRUE'}) IS NOT TRUE`,
    projects: `SELECT DISTINCT project_id FROM ${all}.core.ledger WHERE project_id IS NOT NULL AND (${isLineIn(part, all)}) IS NOT TRUE`,
  };
}

/** Returns the statements that select the members of a part. @param all The name of the whole database in statements. */
export function selectMembers(part: ReaderPart, all: string): PartMembers {
  const { person, project, own } = conditionsIn(part, all);
  const inPart = isLineIn(part, all);
  const lines = `FROM ${all}.core.ledger WHERE`;
  // People of a part by projects are those who work on them, and projects of a part by people those that they work on.
  const seen = (key: string, limit: string | undefined, other: string | undefined, mine: string | undefined) => {
    const hasLine = `${key} IN (SELECT ${key} ${lines} ${inPart})`;
    const isMine = mine === undefined ? undefined : `(${mine} OR ${hasLine})`;
    return [`${key} <> 0`, limit, other === undefined ? isMine : hasLine]
      .filter((each) => each !== undefined)
      .join(' AND ');
  };
  const outside = selectOutside(part, all).projects;
  const isOwn = (mine: string | undefined) => `(${mine ?? 'TRUE'}) IS TRUE AS "isOwn"`;
  const isWholePerson = project === undefined ? `(${own?.person ?? 'TRUE'})` : 'FALSE';
  const isWholeProject = person === undefined && !own ? 'TRUE' : `project_id NOT IN (${outside})`;
  return {
    people: `SELECT people_id AS id, ${isWholePerson} AS "isWhole", ${isOwn(own?.person)}
      FROM ${all}.core.named_people WHERE ${seen('people_id', person, project, own?.person)}`,
    projects: `SELECT project_id AS id, ${isWholeProject} AS "isWhole", ${isOwn(own?.project)}
      FROM ${all}.core.named_projects WHERE ${seen('project_id', project, person, own?.project)}`,
  };
}

/**
 * Returns the statements that make the views of a part.
 * @param all The name of the whole database in statements.
 * @param columns The columns of each of its relations, by its qualified name.
 */
export function partViews(
  part: ReaderPart,
  all: string,
  { people, projects }: SeenMembers,
  columns: ReadonlyMap<string, readonly string[]>,
): string[] {
  const shared = {
    all,
    conditions: partConditions(part, ''),
    members: { people, projects },
    hidden: hiddenChecks(seenWhole(part)),
  };
  const rows = readPartRows();
  const relations = [...new Set([...FIRST, ...rows.keys()])].filter((relation) => columns.has(relation));
  const schemas = new Set(['part', ...relations.map((relation) => relation.split('.')[0])]);
  const outside = selectOutside(part, all);
  const viewOf = (relation: string) => {
    const seen = { ...shared, relation, columns: columns.get(relation) ?? [] };
    return `CREATE VIEW ${relation} AS ${selectOf(seen, rows.get(relation) ?? 'none')}`;
  };
  return [
    ...[...schemas].map((schema) => `CREATE SCHEMA ${schema}`),
    memberTable(PART_MEMBERS.people, 'people_id', people),
    memberTable(PART_MEMBERS.projects, 'project_id', projects),
    ...(['people', 'projects'] as const).map((whose) => `CREATE VIEW ${PART_OUTSIDE[whose]} AS ${outside[whose]}`),
    ...contractViews(all),
    ...relations.map(viewOf),
  ];
}

/** Returns the views of the projects whose contracts tell what all their work earns: those of a part, and those of which it has not all. */
function contractViews(all: string): string[] {
  const places = `SELECT project_id FROM ${all}.core.places`;
  return [
    `CREATE VIEW ${PART_MEMBERS.contracts} AS SELECT project_id, is_whole OR project_id NOT IN (${places}) AS is_whole FROM ${PART_MEMBERS.projects}`,
    `CREATE VIEW ${PART_OUTSIDE.contracts} AS SELECT project_id FROM ${PART_OUTSIDE.projects} WHERE project_id IN (${places})`,
  ];
}

function memberTable(name: string, key: string, members: readonly PartMember[]): string {
  const rows = members.map(({ id, isWhole, isOwn }) => `(${id}, ${isWhole}, ${isOwn})`).join(', ');
  return `CREATE TABLE ${name} (${key} BIGINT, is_whole BOOLEAN, is_own BOOLEAN)${rows && `; INSERT INTO ${name} VALUES ${rows}`}`;
}

const inMembers = (key: string, members: string) => `${key} IN (SELECT ${key} FROM ${members})`;

/** The most members that conditions name one by one, which the engine tests before it joins. Unit: people or projects. */
const MAX_NAMED_MEMBERS = 500;

type SeenMembers = Readonly<Record<keyof PartMembers, readonly PartMember[]>>;

/** Returns the condition that rows belong to lines of a part. @param columns Those of the relation. */
function lineCondition({ conditions: { person, project, own }, columns, members }: SeenRelation): string {
  const among = (whose: keyof PartMembers, key: string, isOwn: boolean) => {
    const ids = members[whose].filter((member) => member.isOwn || !isOwn).map(({ id }) => id);
    if (!columns.includes(key) || ids.length === 0) return 'FALSE';
    if (ids.length <= MAX_NAMED_MEMBERS) return `${key} IN (${ids.join(', ')})`;
    return inMembers(key, `${PART_MEMBERS[whose]}${isOwn ? ' WHERE is_own' : ''}`);
  };
  const tests = [
    ...(person === undefined ? [] : [among('people', 'people_id', false)]),
    ...(project === undefined ? [] : [among('projects', 'project_id', false)]),
    ...(own === undefined
      ? []
      : [`(${among('people', 'people_id', true)} OR ${among('projects', 'project_id', true)})`]),
  ];
  return tests.length === 0 ? 'TRUE' : tests.join(' AND ');
}

/** A relation of the whole database, and the part of it that is seen. */
interface SeenRelation {
  readonly relation: string;
  readonly columns: readonly string[];
  readonly all: string;
  readonly conditions: PartConditions;
  readonly members: SeenMembers;
  /** The checks whose findings aren't seen. */
  readonly hidden: readonly string[];
}

function selectOf(seen: SeenRelation, rows: PartRows): string {
  const { relation, all, hidden } = seen;
  if (typeof rows === 'object' && 'select' in rows) return rows.select;
  const where = {
    lines: lineCondition(seen),
    findings: `"check" NOT IN (${hidden.map(quoteText).join(', ')}) AND ${lineCondition(seen)}`,
    // 0 stands for none, which tells nothing of anybody.
    people: `(people_id = 0 OR ${inMembers('people_id', PART_MEMBERS.people)})`,
    projects: `(project_id = 0 OR ${inMembers('project_id', PART_MEMBERS.projects)})`,
    own: `people_id IN (SELECT people_id FROM ${PART_MEMBERS.people} WHERE is_whole)`,
    all: 'TRUE',
    none: 'FALSE',
  };
  return `SELECT * FROM ${all}.${relation} WHERE ${typeof rows === 'object' ? rows.where : where[rows]}`;
}
