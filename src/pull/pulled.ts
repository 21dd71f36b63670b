import { type FieldTypes, mergeTypes } from './value-types.ts';

/** The records read in one run, on disk. */
export interface Pulled {
  /** A dataset directory: `<resource>.ndjson`, one record per line; no file for a list that the source doesn't offer. */
  readonly directory: string;
  readonly resources: readonly PulledResource[];
  /** The source's clock when the run began, as YYYY-MM-DD HH:MM:SS in UTC. */
  readonly startedAt: string;
  /** The clock of this machine at that moment, in the same form. */
  readonly startedHere: string;
  /** The reason for reading everything; undefined if only changes were read. */
  readonly wholeBecause: string | undefined;
  /** The settings of the company, as JSON; undefined if the source doesn't send them, or if only changes were read. */
  readonly settings: string | undefined;
  /** True if a killed run read some of it: the source may have changed since. */
  readonly isResumed: boolean;
  /** Unit: requests, retries included. */
  readonly requests: number;
  /** Time spent waiting for rate limits and before retries. Unit: ms. */
  readonly waitedMs: number;
  /** Oddities for the summary, as sentences: lists not offered, lists read again, wrong totals. */
  readonly notes: readonly string[];
}

export interface PulledResource {
  /** Its name in src/records/resource, such as logged_time. */
  readonly resource: string;
  /** The resource whose records hold these; undefined if they have a file of their own. */
  readonly nestedIn: string | undefined;
  /** True if every record of the source was read, so that absent records may be gone; see confirmGone. */
  readonly isWhole: boolean;
  /** True if the list is whole and has the digest of the last run. */
  readonly isUnchanged: boolean;
  /** Records in the file, or inside those that hold them; a record read twice counts twice. */
  readonly read: number;
  /** Records that the source counts in a large list; undefined if it doesn't count, or if the count moved while the list was read. */
  readonly total: number | undefined;
  /** Deletions since the last run, each id once with its last deletion. */
  readonly deleted: readonly LoggedDeletion[];
  /** The ids of the records that are too large to be loaded. */
  readonly large: readonly string[];
  /** SHA-256 of a whole list, or of that which holds the records. */
  readonly digest: string | undefined;
  /** The position in the delete log for the next run. */
  readonly cursor: string | undefined;
  readonly types: FieldTypes;
}

export interface LoggedDeletion {
  readonly id: string;
  /** As YYYY-MM-DD HH:MM:SS in UTC. */
  readonly at: string;
}

/** The state after the last good run, stored with its data. */
export interface PullState {
  readonly startedAt: string;
  readonly startedHere: string;
  /** `startedAt` of the last run that read everything. */
  readonly wholeAt: string;
  /** By resource. */
  readonly digests: Readonly<Record<string, string>>;
  /** By resource. */
  readonly cursors: Readonly<Record<string, string>>;
  /** The records that the source counts beyond those known here, by large list; 0 unless it counts wrong. */
  readonly surplus?: Readonly<Record<string, number>>;
  /** The types of all values so far, by resource. */
  readonly types: Readonly<Record<string, FieldTypes>>;
}

/**
 * Returns the state to store once a run's records are in the database.
 * @param incomplete The lists that lacked records of the source: their digests don't stand for its records.
 * @param surplus The surplus of the lists whose records were counted.
 */
export function stateAfter(
  pulled: Pulled,
  before: PullState | undefined,
  incomplete: ReadonlySet<string> = new Set(),
  surplus: PullState['surplus'] = {},
): PullState {
  const known = (name: 'digest' | 'cursor') =>
    pulled.resources.flatMap((each) => (each[name] === undefined ? [] : [[each.resource, each[name]] as const]));
  return {
    startedAt: pulled.startedAt,
    startedHere: pulled.startedHere,
    wholeAt: pulled.wholeBecause === undefined && before ? before.wholeAt : pulled.startedAt,
    digests: Object.fromEntries(known('digest').filter(([resource]) => !incomplete.has(resource))),
    cursors: Object.fromEntries(known('cursor')),
    surplus: { ...before?.surplus, ...surplus },
    types: Object.fromEntries(
      pulled.resources.map(({ resource, types }) => [resource, mergeTypes(before?.types[resource] ?? {}, types)]),
    ),
  };
}
