import { type Fields, type Items, type Method, type Resource, type Served, TIMES } from '../resource/field.ts';
import { resources } from '../resource/resources.ts';

const METHODS: readonly Method[] = ['create', 'update', 'delete'];

/** A resource as the service serves it, with nothing left out. */
export interface Shape extends Required<Omit<Served, 'code'>> {
  readonly resource: Resource;
  /** The table that holds its records. */
  readonly table: string;
  readonly id: string;
  /** Its columns. */
  readonly fields: Fields;
  /** Lists inside a record, by name. */
  readonly lists: Readonly<Record<string, Items>>;
  readonly code: string | undefined;
  /** Whether its table is one; what isn't stored is worked out by SQL in its place, and only read. */
  readonly isStored: boolean;
}

/** Every resource that is served, by the name of its table. */
export const shapes: ReadonlyMap<string, Shape> = new Map(
  resources.map((resource) => [resource.name, shapeOf(resource)]),
);

/** The shape of a resource that there is. */
export function findShape(name: string): Shape {
  const shape = shapes.get(name);
  if (!shape) throw new Error(`There is no resource ${name}`);
  return shape;
}

/** Returns the shape of a resource with its own table. */
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
