import type { Database } from '../../../base/database/index.ts';
import { cleanName, FIRST_MADE_ID } from '../mapping/made-ids.ts';
import type { FieldSource, FileMapping } from '../mapping/mapping.ts';
import type { MadeName, NameQuestion } from '../mapping/near-names.ts';
import { fieldCalled } from '../mapping/record-members.ts';
import type { InputFile } from '../reading/files.ts';

/** The resources whose records a name alone tells apart, with their columns of ids. */
const NAMED: Readonly<Record<string, string>> = {
  people: 'people_id',
  clients: 'client_id',
  projects: 'project_id',
  departments: 'department_id',
  roles: 'role_id',
};

/**
 * Lists the files whose records have names and ids that aren't made of these names alone, if other rows name such records:
 * their names have to be known before those rows are read.
 */
export function listNamingFiles(files: readonly InputFile[]): InputFile[] {
  const asked = new Set(files.flatMap(({ mapping }) => (mapping ? namedResources(mapping) : [])));
  return files.filter(({ resource, mapping }) => asked.has(resource) && (!mapping || hasOtherIds(mapping)));
}

/** Returns the resources whose records a file names. */
function namedResources({ resource, fields = [] }: FileMapping): string[] {
  return fields.flatMap((source) => {
    if (source.kind !== 'name' && source.kind !== 'named') return [];
    const named = fieldCalled(resource, source.field)?.refers ?? resource.name;
    // An id of a client and a project is no project's name; a person's name may be in two columns.
    return NAMED[named] !== undefined && (source.columns.length < 2 || named === 'people') ? [named] : [];
  });
}

/** Tells whether a file has names of records whose ids are made of something else, or not made. */
function hasOtherIds({ resource, list, fields }: FileMapping): boolean {
  if (list !== undefined) return false;
  if (fields === undefined) return true;
  const sourceOf = (name: string) => fields.find(({ field }) => field === name);
  const [id, name] = [sourceOf(resource.id), sourceOf('name')];
  return name !== undefined && id !== undefined && !isMadeOf(id, name);
}

function isMadeOf(id: FieldSource, name: FieldSource): boolean {
  return id.kind === 'named' || (id.kind === 'name' && id.columns.join('\n') === name.columns.join('\n'));
}

/** Reads the names of loaded records whose ids aren't made of them alone. @param made The names that ids were made of. */
export async function readOtherNames(database: Database, made: readonly MadeName[]): Promise<MadeName[]> {
  const madeOf = new Map(made.map(({ resource, id, name }) => [`${resource} ${id}`, name]));
  const records: MadeName[] = [];
  for (const [resource, id] of Object.entries(NAMED)) {
    const rows = await database.rows<{ id: string; name: string }>(
      `SELECT CAST(${id} AS VARCHAR) AS id, name FROM source.${resource} WHERE name IS NOT NULL ORDER BY rowid`,
    );
    for (const row of rows) {
      const name = cleanName(row.name);
      const other = madeOf.get(`${resource} ${row.id}`);
      if (other !== name) records.push({ resource, name, id: row.id, madeOf: other, isDecided: false });
    }
  }
  return records;
}

/** The people of one e-mail. */
interface SharedEmail {
  readonly email: string;
  readonly ids: readonly string[];
}

/** Finds people with one e-mail and several names, unless their ids are all their own or the mapping decides (O9a). */
export async function findSharedEmails(database: Database, made: readonly MadeName[]): Promise<NameQuestion[]> {
  const shared = await database.rows<SharedEmail>(`
    SELECT lower(trim(email)) AS email, list(CAST(people_id AS VARCHAR) ORDER BY rowid) AS ids
    FROM source.people
    WHERE email LIKE '%_@_%' AND name IS NOT NULL
    GROUP BY ALL HAVING count(DISTINCT name) > 1 AND max(people_id) >= ${FIRST_MADE_ID}
    ORDER BY email`);
  if (shared.length === 0) return [];
  const madeNames = new Map(made.filter(({ resource }) => resource === 'people').map((each) => [each.id, each]));
  return shared.flatMap(({ email, ids }) => {
    const own = ids.filter((id) => !madeNames.has(id) || Number(id) < FIRST_MADE_ID);
    const open = ids.flatMap((id) => (own.includes(id) ? [] : (madeNames.get(id) ?? [])));
    const undecided = open.filter(({ isDecided }) => !isDecided);
    const others = own.length > 0 ? own.map(Number) : undecided.splice(0, 1).map(({ name }) => name);
    return undecided.map(({ resource, name }) => ({ resource, name, like: others, ids, email }));
  });
}
