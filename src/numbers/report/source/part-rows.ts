import { AppError } from '../../../base/index.ts';
import { listMarked } from '../../relation/relation-marks.ts';
import { sqlDirectory } from '../../relation/sql-file.ts';
import type { SeenPart } from '../request/query.ts';
import { relationName } from './relations.ts';

/**
 * The rows of a relation that a part has:
 * - lines: those whose person and project make them lines of the part
 * - findings: the same, without those that tell of more
 * - people, projects: those of the people or projects in it
 * - own: those of people who are seen whole
 * - all: every row, which tells nothing of anybody
 * - none: no row, as it can't be limited
 * - where: those that meet a condition over the relations of the part
 * - select: what a statement makes of the part
 */
export type PartRows = (typeof NAMED_ROWS)[number] | { readonly where: string } | { readonly select: string };

const NAMED_ROWS = ['lines', 'findings', 'people', 'projects', 'own', 'all', 'none'] as const;

/** The people and projects of a part, each with whether all that is theirs is in it. */
export const PART_MEMBERS = { people: 'part.people', projects: 'part.projects', contracts: 'part.contracts' } as const;

/** The people and projects of which a part has not all, those that it has nothing of included. */
export const PART_OUTSIDE = {
  people: 'part.outside_people',
  projects: 'part.outside_projects',
  contracts: 'part.outside_contracts',
} as const;

/** Returns the checks whose findings a reader doesn't see: they tell of other records, or of all work of a person or on a project. */
export function hiddenChecks({ people, projects }: SeenPart): string[] {
  const isHidden: Readonly<Record<string, boolean>> = {
    records: true,
    people: people !== 'all',
    projects: projects !== 'all',
  };
  const telling = [...listMarked('tells_of')].filter(([, whose]) => isHidden[whose]);
  return telling.map(([relation]) => relation.slice('quality.'.length));
}

/** Tables of the program that are no model: only what is told of the data is everybody's. */
const TABLES: readonly (readonly [string, PartRows])[] = [
  [relationName('generation'), 'all'],
  [relationName('synced_service'), 'all'],
  [relationName('server_writes'), 'none'],
  [relationName('sync_writes'), 'none'],
  [relationName('sync_runs'), 'none'],
];

/** Reads the rows of each relation that a part has: what the mark `part` of its header says, and none of those without one. */
export function readPartRows(directory = sqlDirectory): ReadonlyMap<string, PartRows> {
  return new Map([
    ...[...listMarked('part', directory)].map(([relation, text]) => [relation, parseRows(relation, text)] as const),
    ...TABLES,
  ]);
}

function parseRows(relation: string, text: string): PartRows {
  const named = NAMED_ROWS.find((name) => name === text);
  if (named) return named;
  if (text.startsWith('where ')) return { where: text.slice('where '.length) };
  if (text.startsWith('SELECT ')) return { select: text };
  throw new AppError(
    'definition',
    `sql/${relation.replace('.', '/')}.sql: part: "${text}" is not one of ${NAMED_ROWS.join(', ')}, "where ..." and "SELECT ..."`,
  );
}
