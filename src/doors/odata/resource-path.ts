import type { Literal } from '../../numbers/condition/index.ts';
import { notImplemented, openReader, wrongPart } from '../../numbers/condition/index.ts';

/** The meaning of a URL's path, before its names are looked up. */
export type ResourcePath =
  | { readonly kind: 'service' | 'metadata' }
  | {
      readonly kind: 'rows';
      readonly name: string;
      /** The values in parentheses after it: undefined without them, a key without a name under "". */
      readonly given: ReadonlyMap<string, Literal> | undefined;
      readonly isCount: boolean;
    };

/**
 * Parses the path below the root of the service.
 * @param path Percent-encoded, without the query.
 * @param aliases The values of @names.
 * @throws AppError usage for a path that can't be read; an error of status 501 for a part that isn't implemented.
 */
export function parsePath(path: string, aliases: ReadonlyMap<string, Literal>): ResourcePath {
  const [first = '', ...others] = path.replace(/\/$/, '').split('/').map(decode);
  if (first === '' && others.length === 0) return { kind: 'service' };
  if (first === '$metadata' && others.length === 0) return { kind: 'metadata' };
  if (first.startsWith('$')) throw notImplemented(`${first} is not implemented`);
  const [, name = '', parentheses] = /^(\w+)(\(.*\))?$/s.exec(first) ?? [];
  if (name === '') throw wrongPart('path', `${JSON.stringify(first)} is not the name of an entity set or a function`);
  const isCount = others[0] === '$count' && others.length === 1;
  if (others.length > 0 && !isCount) throw notImplemented(`Paths such as ${name}/${others[0]} are not implemented`);
  return {
    kind: 'rows',
    name,
    given: parentheses === undefined ? undefined : readGiven(parentheses, aliases),
    isCount,
  };
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw wrongPart('path', `${JSON.stringify(segment)} is not percent-encoded text`);
  }
}

/** Reads a key or the arguments of a call: (), (1) or (a=1,b='x',c=@d). */
function readGiven(text: string, aliases: ReadonlyMap<string, Literal>): Map<string, Literal> {
  const reader = openReader(text, 'path');
  const given = new Map<string, Literal>();
  const readValue = () => {
    const token = reader.take();
    const literal = 'literal' in token ? token.literal : 'word' in token ? aliases.get(token.word) : undefined;
    if (!literal) throw reader.wrong(`a value is missing ${reader.place(token)}`);
    return literal;
  };
  const readPair = () => {
    const token = reader.peek();
    const name = 'word' in token && !token.word.startsWith('@') ? token.word : '';
    if (name !== '') {
      reader.take();
      reader.expect('=');
    }
    if (given.has(name)) throw reader.wrong(`${name || 'a value'} is given twice`);
    given.set(name, readValue());
  };
  reader.expect('(');
  if (!reader.skip(')')) {
    do readPair();
    while (reader.skip(','));
    reader.expect(')');
  }
  reader.expect('');
  return given;
}
