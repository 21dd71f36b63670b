import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The operations of a route, as OpenAPI describes them. A route without any is another way to what is described elsewhere. */
    operations?: Paths | undefined;
  }
}

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Operations by path and method, as in an OpenAPI document. A path's own parameters may stand beside its methods. */
export type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Collects the operations that the routes of an app carry, from those added after this call. @param paths Is filled. */
export function collectOperations(app: FastifyInstance, paths: Record<string, Record<string, unknown>>): void {
  app.addHook('onRoute', ({ config }) => {
    for (const [path, item] of Object.entries(config?.operations ?? {})) {
      paths[path] = { ...paths[path], ...item };
    }
  });
}

/** project-tasks and project_tasks as ProjectTasks. */
export function pascal(name: string): string {
  return name.replaceAll(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Points to a part of the document. */
export function reference(kind: 'schemas' | 'responses' | 'parameters' | 'headers', name: string): Schema {
  return { $ref: `#/components/${kind}/${name}` };
}

/** The answers of these statuses. */
export function errors(statuses: readonly number[]): Record<string, Schema> {
  return Object.fromEntries(statuses.map((status) => [String(status), reference('responses', `Error${status}`)]));
}
