import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Operations of the route in the OpenAPI document. None for a second path of a route. */
    operations?: Paths | undefined;
  }
}

export type Schema = Readonly<Record<string, unknown>>;

export const TEXT: Schema = { type: 'string' };
export const TEXT_OR_NULL: Schema = { type: ['string', 'null'] };
export const DAY: Schema = { type: 'string', format: 'date' };

/** Operations by path and method, as in OpenAPI; a path's own parameters may stand beside its methods. */
export type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Collects the operations of all routes added to an app from now on. @param paths Receives them. */
export function collectOperations(app: FastifyInstance, paths: Record<string, Record<string, unknown>>): void {
  app.addHook('onRoute', ({ config }) => {
    for (const [path, item] of Object.entries(config?.operations ?? {})) {
      paths[path] = { ...paths[path], ...item };
    }
  });
}

/** Converts project-tasks and project_tasks to ProjectTasks. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function reference(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

export function errors(statuses: readonly number[]): Record<string, Schema> {
  return Object.fromEntries(statuses.map((status) => [String(status), reference('responses', `Error${status}`)]));
}
