import { AppError } from '../../../base/index.ts';
import { type KindOfLines, readLineKinds } from '../../relation/line-kinds.ts';
import { readFiles, splitHeader } from '../../relation/sql-file.ts';
import { findModelReads, type Model, qualifiedName } from '../models.ts';

/*
 * A change touches some people and some projects: those that its record named before or after, and those
 * that the resource's file in sql/refresh adds. Each stored model is made again for them. Lines of logged
 * time are made again by record: it is written most often, and a person has thousands of lines.
 *
 * Measured at 2.4 million logged records, in processor time, against 23 files with the keys of each model
 * after each cause: logged time takes as long as then (1.0 % of a build), a change of an allocation 1.0
 * times as long (4.0 %), of a rate 1.0 to 1.1, of a person's name 1.1 to 1.2 (2.2 %). The separate part for
 * lines of logged time saves an allocation the search of a person's records (65 ms of 400), and the table
 * core.occurrences saves other changes the computation of spans and days off (110 ms).
 * Deriving the keys from the models' parse trees would need the old version of each changed row, and rules
 * for outer joins, windows and unions; its queries would be those of the 23 files.
 */

/** A separately refreshed part of a stored model. */
export interface Part {
  /** Its number, under which its changed rows are recorded. */
  readonly number: number;
  readonly model: Model;
  /** Records and stored models that its rows depend on: without a change of one of them it stays as it is. */
  readonly reads: ReadonlySet<string>;
  /** SQL of the keys of all rows that may have changed, and possibly more. */
  readonly select: string;
  /** Columns whose values identify rows that may have changed. */
  readonly keys: readonly string[];
  /** SQL condition over the model's rows. */
  readonly where: string;
  /** SQL of the rows, and possibly others: the model's own, or one of the models that it combines. */
  readonly made: string;
  /** True if rows are only added: the query doesn't determine the other rows. */
  readonly isAddition: boolean;
}

interface PartDefinition {
  readonly model: string;
  readonly keys: string;
  /** SQL of the keys. */
  readonly from: string;
  /** The kind of lines that its rows are; default: all. */
  readonly kind?: string;
  /** The model that makes the rows; default: its own SELECT. */
  readonly made?: string;
  /** Tables that the model reads for other rows only. */
  readonly without?: readonly string[];
  readonly isAddition?: boolean;
}

const BY_PERSON = { keys: 'people_id', from: 'touched WHERE people_id IS NOT NULL AND logged_time_id IS NULL' };

const BY_PROJECT = { keys: 'project_id', from: 'touched WHERE project_id IS NOT NULL' };

const BY_RECORD = { keys: 'people_id, logged_time_id', from: 'touched WHERE logged_time_id IS NOT NULL' };

const PLACE = 'people_id, project_id, phase_id';

/** Changed lines of logged time whose place no line has taken. */
const LEFT_PLACES = `changed_core_ledger
  WHERE logged_time_id IS NOT NULL AND stored_row IS NOT NULL AND (logged_time_id, ${PLACE}) NOT IN (
    SELECT (logged_time_id, ${PLACE}) FROM changed_core_ledger WHERE logged_time_id IS NOT NULL AND stored_row IS NULL)`;

/** Projects whose end may be that of their last line (core.doubtful_ends), and projects with places. */
const DOUBTFUL = "SELECT project_id FROM staging.projects WHERE dates_from = 'unknown'";
const WITH_PLACES = 'SELECT project_id FROM core.places';

/** Returns the parts in order: each after those that it reads. */
const listParts = (kinds: readonly KindOfLines[]): readonly PartDefinition[] => [
  { model: 'core.people', ...BY_PERSON },
  { model: 'core.work_hours', ...BY_PERSON },
  { model: 'core.occurrences', ...BY_PERSON },
  { model: 'core.time_off_days', ...BY_PERSON },
  { model: 'core.person_rates', ...BY_PERSON },
  { model: 'core.allocations', ...BY_PROJECT },
  { model: 'core.participations', ...BY_PERSON },
  // A new record alone proves its participation. One that it leaves may have others, see below.
  { model: 'core.participations', ...BY_RECORD, made: 'core.work', isAddition: true },
  { model: 'core.assignments', ...BY_PERSON },
  { model: 'core.assignments', keys: PLACE, from: 'changed_core_participations' },
  { model: 'core.spans', ...BY_PERSON },
  ...kinds
    .filter(({ resource }) => resource === 'logged_time')
    .map(({ name: kind }) => ({ model: 'core.ledger', ...BY_RECORD, kind })),
  ...kinds.map(({ name: kind, changesWith, apartFrom: without }) => ({
    ...{ model: 'core.ledger', kind, without },
    ...(changesWith === 'people_id' ? BY_PERSON : BY_PROJECT),
  })),
  { model: 'core.participations', keys: PLACE, from: LEFT_PLACES },
  { model: 'core.assignments', keys: PLACE, from: 'changed_core_participations WHERE stored_row IS NOT NULL' },
  { model: 'core.projects', ...BY_PROJECT },
  { model: 'core.projects', keys: 'project_id', from: 'changed_core_participations' },
  { model: 'core.ledger_months', keys: 'project_id, month', from: 'changed_core_ledger' },
  { model: 'marts.budgets', ...BY_PROJECT },
  { model: 'core.places', ...BY_PROJECT },
  { model: 'core.places', keys: 'project_id', from: `changed_core_ledger_months WHERE project_id IN (${DOUBTFUL})` },
  { model: 'core.retained_places', ...BY_PROJECT },
  { model: 'core.fee_milestones', ...BY_PROJECT },
  { model: 'core.fee_milestones', keys: 'project_id', from: 'changed_core_places' },
  { model: 'core.fee_progress', ...BY_PROJECT },
  { model: 'core.fee_months', ...BY_PROJECT },
  {
    model: 'core.fee_months',
    keys: 'project_id',
    from: `changed_core_ledger_months WHERE project_id IN (${WITH_PLACES})`,
  },
  { model: 'core.fee_months', keys: 'project_id', from: 'changed_core_places' },
  { model: 'core.named_people', ...BY_PERSON },
  { model: 'core.named_projects', ...BY_PROJECT },
  { model: 'core.named_projects', keys: 'project_id', from: 'changed_core_projects' },
];

/**
 * Returns the parts of the stored models.
 * @throws AppError definition for a stored model without a part.
 */
export function makeParts(models: readonly Model[], kinds = readLineKinds()): Part[] {
  const stored = models.filter(({ storage }) => storage === 'table');
  const reads = findModelReads(models);
  const parts = listParts(kinds).flatMap(
    ({ model: name, keys, from, kind, made, without = [], isAddition = false }, number): Part[] => {
      const model = stored.find((one) => qualifiedName(one) === name);
      if (!model) return [];
      const select = `SELECT DISTINCT ${keys} FROM ${from}`;
      const where = kind === undefined ? 'TRUE' : `kind = pl_line_kind('${kind}')`;
      const rows = made === undefined ? (model.kinds?.get(kind ?? '') ?? model.select) : `FROM ${made}`;
      const own = new Set([...(reads.get(name) ?? [])].filter((table) => !without.includes(table)));
      return [{ number, model, reads: own, select, keys: keys.split(', '), where, made: rows, isAddition }];
    },
  );
  const missing = stored.find((model) => !parts.some((part) => part.model === model && !part.isAddition));
  if (!missing) return parts;
  throw new AppError('definition', `Nothing refreshes ${qualifiedName(missing)}`, {
    hint: 'Add it to the parts in src/numbers/model/refresh/parts.ts, or make the model a view.',
  });
}

/** Reads sql/refresh: by resource, SQL of the people, projects and logged time that changes of its records touch besides those that they name. */
export function loadTouched(directory: string): ReadonlyMap<string, string> {
  return new Map(
    readFiles(directory, 'refresh').map(({ file, text }) => [
      file.slice('refresh/'.length, -'.sql'.length),
      splitHeader(file, text).body,
    ]),
  );
}
