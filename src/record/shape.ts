import { type Fields, type Items, type Method, type Resource, type Served, TIMES } from '../resource/field.ts';
import { resources } from '../resource/resources.ts';

const METHODS: readonly Method[] = ['create', 'update', 'delete'];

/** A resource as served, with every default filled in. */
export interface Shape extends Required<Omit<Served, 'code'>> {
  readonly resource: Resource;
  readonly table: string;
  readonly id: string;
  readonly fields: Fields;
  readonly lists: Readonly<Record<string, Items>>;
  readonly code: string | undefined;
  /** True if it has a table of its own; otherwise `table` is SQL, and read-only. */
  readonly isStored: boolean;
}

export const shapes: ReadonlyMap<string, Shape> = new Map(
  resources.map((resource) => [resource.name, shapeOf(resource)]),
);

/**
 * Returns the shape of a resource.
 * @throws Error if it doesn't exist.
 */
export function findShape(name: string): Shape {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`There is no resource ${name}`);
  return shape;
}

export function shapeOf(resource: Resource): Shape {
  const { served = {} } = resource;
  const required = Object.keys(resource.fields).filter(
    (name) => name !== resource.id && resource.fields[name]?.required,
  );
  return {
    resource,
    table: `source.${resource.name}`,
    isStored: true,
    id: resource.id,
    methods: served.methods ?? METHODS,
    fields: resource.fields,
    lists: resource.items ?? {},
    defaults: served.defaults ?? {},
    required: [...required, ...(served.required ?? [])],
    unshown: served.unshown ?? [],
    computed: [resource.id, ...(served.computed ?? []), ...Object.keys(TIMES)],
    expanded: served.expanded ?? [],
    code: served.code,
    decimalStrings: served.decimalStrings ?? [],
    needsRates: served.needsRates ?? [],
    aliases: served.aliases ?? {},
    revealsCosts: served.revealsCosts ?? [],
    hasNoEmptyList: served.hasNoEmptyList ?? false,
  };
}
