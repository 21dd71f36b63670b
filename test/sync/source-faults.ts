import type { Prng } from '../oracle/prng.ts';
import { byChance, type Fault, given, when, withHeaders, withJson } from './faulty-source.ts';

/** The most times that a delete log repeats an entry. */
const MAX_REPEATS = 50;

/** Chooses a kind of trouble for one run. @param random Used while the run lasts. */
export type ChooseFault = (random: Prng) => Fault;

const isDeleteLog = ({ path }: { readonly path: string }) => path.startsWith('/v3/deleted/');

/** Kinds of trouble with a source, by name. A run may fail in them, but must not end wrong. */
export const troubles: Readonly<Record<string, ChooseFault>> = {
  'passing faults': (random) => {
    const share = random.pick([0.05, 0.15, 0.3]);
    return byChance(() => random.next(), share);
  },
  'wrong totals': (random) => {
    const total = random.pick(['', '3', 'many', '999']);
    return withHeaders((headers) => {
      const isPaged = headers['x-pagination-total-count'] !== undefined;
      return isPaged && random.chance(0.5) ? { 'x-pagination-total-count': total, 'x-pagination-page-count': '' } : {};
    });
  },
  'a log that repeats': (random) =>
    when(
      isDeleteLog,
      withJson((json) => repeat(random, json)),
    ),
  'a log that is off': () => when(isDeleteLog, async () => given(403, { message: 'The log is off' })),
  'small pages': (random) => {
    const size = String(random.int(20, 90));
    return changeQuery((query) => query.has('per-page') && query.set('per-page', size));
  },
  'another order': () => changeQuery((query) => query.delete('sort')),
  'no modified_since': () => changeQuery((query) => query.delete('modified_since')),
  'a token that ends': (random) => {
    const end = random.int(1, 30);
    let requests = 0;
    return (_asked, forward) => {
      requests += 1;
      return requests > end ? Promise.resolve(given(401, { message: 'Expired' })) : forward();
    };
  },
};

/** Repeats the entries of a delete log, in any order, as a list or wrapped. */
function repeat(random: Prng, json: unknown): unknown {
  const entries = Array.isArray(json) ? json : [];
  const many = random.shuffled(entries.flatMap((entry) => Array(random.int(1, MAX_REPEATS)).fill(entry)));
  return random.chance(0.5) ? many : { data: many };
}

function changeQuery(change: (query: URLSearchParams) => unknown): Fault {
  return (asked, forward) => {
    change(asked.query);
    return forward();
  };
}
