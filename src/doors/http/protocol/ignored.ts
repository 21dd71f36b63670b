import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError, maskSecrets } from '../../../base/index.ts';

/** The names in a request that mean nothing to a resource (4.1). */
export interface Ignored {
  readonly parameters: readonly string[];
  readonly fields: readonly string[];
}

/** The headers that name ignored parameters and fields. */
export const IGNORED_HEADERS = { parameters: 'X-Ignored-Parameters', fields: 'X-Ignored-Fields' } as const;

/** The longest X-Ignored-Parameters or X-Ignored-Fields; "..." replaces more names. Unit: characters. */
export const MAX_IGNORED_CHARACTERS = 1_000;

/** The longest Prefer header that is read; a longer one is ignored. Unit: characters. */
export const MAX_PREFER_CHARACTERS = 1_000;

/** The most names that a refusal lists. Unit: names. */
const MAX_REFUSED_NAMES = 100;

/**
 * Names ignored parts in headers, or refuses them with Prefer: handling=strict (RFC 7240, 4.1).
 * @throws AppError usage naming each parameter and field.
 */
export function reportIgnored({ headers }: FastifyRequest, reply: FastifyReply, ignored: Ignored): void {
  const handling = parseHandling(headers.prefer);
  if (handling !== undefined) reply.header('preference-applied', `handling=${handling}`);
  for (const kind of ['parameters', 'fields'] as const)
    if (ignored[kind].length > 0) reply.header(IGNORED_HEADERS[kind], formatNames(ignored[kind]));
  if (handling !== 'strict') return;
  const fields = [
    ...ignored.parameters.map((field) => ({ field, message: `${field}: there is no such parameter` })),
    ...ignored.fields.map((field) => ({ field, message: `${field}: there is no such field` })),
  ].slice(0, MAX_REFUSED_NAMES);
  if (fields.length > 0) throw new AppError('usage', fields.map(({ message }) => message).join('; '), { fields });
}

/** Parses the first preference `handling`; undefined for any other. */
export function parseHandling(prefer: unknown): 'strict' | 'lenient' | undefined {
  if (typeof prefer !== 'string' || prefer.length > MAX_PREFER_CHARACTERS) return undefined;
  // A quoted value may hold separators of preferences.
  const plain = prefer.replaceAll(/"((?:[^"\\]|\\.)*)(?:"|\\?$)/gs, (_, value: string) =>
    /^\w*$/.test(value) ? value : '_',
  );
  for (const preference of plain.split(',')) {
    const [name = '', value = ''] = (preference.split(';')[0] ?? '').split('=').map((part) => part.trim());
    if (name.toLowerCase() !== 'handling') continue;
    return value === 'strict' || value === 'lenient' ? value : undefined;
  }
  return undefined;
}

/** Formats distinct names for a header, percent-encoded but for letters, digits and plain punctuation. */
export function formatNames(names: readonly string[]): string {
  const shown: string[] = [];
  let room = MAX_IGNORED_CHARACTERS - '...'.length;
  for (const name of new Set(names)) {
    const text = encodeURIComponent(
      maskSecrets(name)
        .slice(0, room)
        .replaceAll(/\p{Cs}/gu, '\ufffd'),
    );
    room -= text.length + ', '.length;
    if (room < 0) return [...shown, '...'].join(', ');
    shown.push(text);
  }
  return shown.join(', ');
}
