import { describe, expect, it } from 'vitest';
import { inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import { withDataset } from './dataset.ts';

const MAPPING = 'files: [{file: t.csv, resource: people, fields: {people_id: {name: Who}, name: Who}}]';

/** Loads people by their names, and returns those that are like others, with the number of people. */
const nearOf = (names: readonly string[], corrections = '') =>
  withDataset(
    { 't.csv': `Who\n${names.map((name) => `"${name}"\n`).join('')}` },
    async ({ summary, rows }) => ({
      near: summary.nearNames.map(({ name, like }) => `${name} ~ ${like}`),
      notes: (await rows("SELECT name FROM source.load_notes WHERE kind = 'near name'")).map(({ name }) => name),
      people: (await rows('SELECT * FROM source.people')).length,
    }),
    { mapping: parseMapping(`${corrections}\n${MAPPING}`, 'mapping.yaml', inputResources) },
  );

describe('names that are almost the same', () => {
  it.each([
    [['Ada King', 'King, Ada'], 'King, Ada ~ Ada King'],
    [['Acme GmbH', 'ACME Gmbh'], 'ACME Gmbh ~ Acme GmbH'],
    [['José Núñez', 'Jose Nunez'], 'Jose Nunez ~ José Núñez'],
    [['A.B. Studio', 'A B Studio'], 'A B Studio ~ A.B. Studio'],
  ])('are listed and never joined: %j', async (names, expected) => {
    const { near, notes, people } = await nearOf(names);
    expect(near).toEqual([expected]);
    expect(people).toBe(2);
    const [line] = notes;
    expect(await nearOf(names, String(line))).toMatchObject({ near: [], people: 1 });
  });

  it.each([
    [['Ada King', 'Ada  King']],
    [['Ada King', 'Ada Kingsley']],
    [['---', '***']],
    [['Phase 1 Sprint 2', 'Phase 2 Sprint 1']],
  ])('are none of %j', async (names) => {
    expect((await nearOf(names)).near).toEqual([]);
  });
});
