import type { FastifyRequest } from 'fastify';
import type { Ability, ServerParts } from '../protocol/server-parts.ts';

/** The parts of a server that decide what its readers may do. */
type AbleParts = Pick<ServerParts, 'live' | 'loads' | 'sync' | 'abilities'>;

/** Returns the abilities by name, in the order in which they are told. */
function allAbilities({ live, loads, sync, abilities }: AbleParts): Readonly<Record<string, Ability>> {
  return {
    ...abilities,
    ...(live && loads && { load: { scope: 'load', writes: true } }),
    ...(live && !sync && { write: { scope: 'write', writes: true }, progress: { scope: 'progress', isOfParts: true } }),
  };
}

/** Returns the names of what the reader of a request may do on this server. A reader of a part reads reports, and little else. */
export function abilitiesOf({ reader }: FastifyRequest, parts: AbleParts): readonly string[] {
  if (!reader) return [];
  const may = ({ scope, writes = false, isOfParts = false }: Ability) =>
    reader.scopes.has(scope) && !(writes && reader.session) && (isOfParts || !reader.part);
  return Object.entries(allAbilities(parts)).flatMap(([name, ability]) => (may(ability) ? [name] : []));
}
