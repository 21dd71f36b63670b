import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PullState, stateAfter } from '../../src/pull/pulled.ts';
import { lists } from '../../src/pull/source-lists.ts';
import { addTypes, describeDrift, knownFields } from '../../src/pull/value-types.ts';
import { type Served, serve } from '../http/served.ts';
import { company } from './company.ts';
import { type FaultySource, openFaultySource, when, withJson } from './faulty-source.ts';
import { makeFolder, pullFrom } from './pulling.ts';

describe('the types of values', () => {
  it.each(lists.map(({ resource }) => resource))('are followed in every field of $name', (resource) => {
    const known = knownFields(resource);
    for (const [field, inner] of known) {
      const [texts, numbers] = ['text', 1].map((value) => addTypes({}, known, [{ [field]: value }]));
      expect(describeDrift(resource.name, texts ?? {}, numbers ?? {})).toEqual([
        `${resource.name}: ${field} has come as number, and as text before.`,
      ]);
      for (const name of inner) {
        const [before, now] = ['text', true].map((value) => addTypes({}, known, [{ [field]: [{ [name]: value }] }]));
        expect(describeDrift(resource.name, before ?? {}, now ?? {})).toEqual([
          `${resource.name}: ${field}.${name} has come as boolean, and as text before.`,
        ]);
      }
    }
  });

  it('are no news if they are known, empty, of a field that was empty, or of an unknown field', () => {
    const [tasks] = lists.filter(({ resource }) => resource.name === 'tasks');
    const known = knownFields(tasks?.resource ?? expect.fail());
    const before = addTypes({}, known, [{ hours: '1', name: null, colour: 'red' }, { hours: 2 }]);
    expect(before).toEqual({ hours: ['text', 'number'], name: [] });
    const now = addTypes({}, known, [{ hours: 1, name: 'Design', colour: 1 }, { hours: null }, null, 'text']);
    expect(describeDrift('tasks', before, now)).toEqual([]);
  });
});

describe('a source whose values change their type', () => {
  let served: Served;
  let source: FaultySource;
  let state: PullState;
  const { folder, remove } = makeFolder();

  beforeAll(async () => {
    served = await serve({ write: true, inMemory: true, now: () => new Date(), data: company });
    source = await openFaultySource(served.url);
    state = stateAfter(await pullFrom(source.url, folder), undefined);
  });
  afterAll(async () => {
    await source.close();
    await served.close();
    remove();
  });

  const pull = async () => {
    const pulled = await pullFrom(source.url, folder, { state, isFull: true });
    state = stateAfter(pulled, state);
    return pulled.notes;
  };

  it('is told once for each field, and the types are known afterwards', { tags: ['slow'] }, async () => {
    expect(await pull()).toEqual([]);
    const numbers = (json: unknown) =>
      (json as { hours: string }[]).map((task) => ({ ...task, hours: Number(task.hours) }));
    const ended = (json: unknown) =>
      (json as { contracts: object[] }[]).map((person) => ({
        ...person,
        contracts: person.contracts?.map((contract) => ({ ...contract, cost_rate: 61 })),
      }));
    source.faults = [
      when(({ path }) => path === '/v3/tasks', withJson(numbers)),
      when(({ path, query }) => path === '/v3/people' && query.has('expand'), withJson(ended)),
    ];
    expect(await pull()).toEqual([
      'people: contracts.cost_rate has come as number, and as text before.',
      'tasks: hours has come as number, and as text before.',
    ]);
    expect(await pull()).toEqual([]);
    source.faults = [];
    expect(await pull()).toEqual([]);
  });
});
