import type { FastifyInstance } from 'fastify';
import { httpError } from './errors.ts';

/** Methods answered, or refused on paths that lack them. */
export const METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'];

/** Returns the error of a method that a path doesn't have. @param allow Its methods, as in the header Allow. */
export function methodError(method: string, allow: string): Error {
  return httpError(405, `${method} is not allowed here, but ${allow}`, { allow });
}

/** Collects the paths of all routes added to an app from now on. */
export function collectUrls(app: FastifyInstance): ReadonlySet<string> {
  const urls = new Set<string>();
  app.addHook('onRoute', ({ url }) => {
    // The preflight of any path, answered before its route.
    if (url !== '*') urls.add(url);
  });
  return urls;
}

/** Answers 405 to the methods that a path doesn't have. */
export function refuseOtherMethods(app: FastifyInstance, urls: ReadonlySet<string>): void {
  for (const url of [...urls]) {
    const known = METHODS.filter((method) => app.hasRoute({ method, url }));
    const others = METHODS.filter((method) => !known.includes(method));
    if (others.length === 0) continue;
    const allow = known.sort().join(', ');
    app.route({
      method: others,
      url,
      // Runs before the body is parsed, whose type may be unsupported.
      preParsing: async ({ method }) => {
        throw methodError(method, allow);
      },
      handler: () => undefined,
    });
  }
}
