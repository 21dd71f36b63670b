import { type RelationName, writeNames } from './relation-names.ts';

/** A model with the names in its statement. */
interface ReadModel {
  /** Such as "core.covers". */
  readonly name: string;
  readonly storage: 'view' | 'table' | 'table at rest';
  readonly select: string;
  readonly names: readonly RelationName[];
}

/**
 * Returns the statements of tables at rest as views of a database that is written, by name. Such a view reads others in several ways, which
 * stand in its statement as clauses: the engine plans and computes a clause once, and a view as often as it is named.
 * @param models In dependency order.
 */
export function writeViews(models: readonly ReadModel[]): ReadonlyMap<string, string> {
  /** The views that are clauses, with those that they read, in dependency order. */
  const clauses = new Map<ReadModel, readonly ReadModel[]>();
  const clauseOf = (relation: string) => [...clauses.keys()].find(({ name }) => name === relation);
  const write = ({ select, names }: ReadModel) =>
    writeNames(select, names, ({ name, hasAlias }) => (clauseOf(name) ? clauseName(name, hasAlias) : name));
  const views = new Map<string, string>();
  for (const model of models) {
    const direct = new Set(model.names.flatMap(({ name }) => clauseOf(name) ?? []));
    const all = new Set([...direct].flatMap((one) => [...(clauses.get(one) ?? []), one]));
    if (model.storage === 'table at rest') {
      const parts = [...all].map((one) => `${clauseName(one.name, true)} AS (\n${write(one)})`);
      const made = `WITH ${parts.join(',\n')}\nSELECT * FROM (\n${write(model)}) AS model`;
      views.set(model.name, parts.length > 0 ? made : model.select);
    }
    if (model.storage === 'table at rest' || (model.storage === 'view' && all.size > 0)) {
      clauses.set(model, [...all]);
    }
  }
  return views;
}

/** Returns the name of a relation's clause, such as core_covers, and where a statement calls the relation by its own name, with that. */
function clauseName(relation: string, hasAlias: boolean): string {
  const [, table = ''] = relation.split('.');
  return relation.replace('.', '_') + (hasAlias ? '' : ` AS ${table}`);
}
