import { listMarked } from '../../relation/relation-marks.ts';

/** The shape of a mart: the columns that identify a row, and the dimensions that its other columns refer to. */
export interface MartShape {
  readonly key: readonly string[];
  /** The order of pages; begins with what the mart is stored by. Default: the key. */
  readonly order?: readonly string[];
  /** By column, the dimension that has each of its values as its key: never empty, so an inner join loses no row. */
  readonly refers?: Readonly<Record<string, string>>;
}

/** The catalog is made after the models, so no file has its key. */
const CATALOG: MartShape = { key: ['relation', 'position'] };

/**
 * Reads the star from the headers of sql/marts: by mart, its key and its relations. A mart without a key is left out.
 * The keys of OData and PostgreSQL, the tests of dbt and test/sql/relations.test.ts are made from it.
 */
export function readStar(): ReadonlyMap<string, MartShape> {
  const [orders, refers] = [listMarked('order'), listMarked('refers')];
  const shapes = [...listMarked('key')].map(([relation, key]): [string, MartShape] => {
    const [order, named] = [orders.get(relation), refers.get(relation)];
    const shape = {
      key: key.split(', '),
      ...(order !== undefined && { order: order.split(', ') }),
      ...(named !== undefined && { refers: Object.fromEntries(named.split(', ').map((pair) => pair.split(' '))) }),
    };
    return [relation.slice('marts.'.length), shape];
  });
  return new Map([...shapes, ['catalog', CATALOG]]);
}
