import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { decide, namePerson } from '../../page/loads/meanings.ts';
import { openDatabase } from '../../src/base/database/database.ts';
import { ingestDirectory, inputResources } from '../../src/records/ingest/ingest.ts';
import { parseMapping } from '../../src/records/ingest/mapping/mapping-file.ts';
import type { MappingJson } from '../../src/store/loads/load-json.ts';
import { understandFiles } from '../../src/store/loads/understand-files.ts';
import { withDirectory } from '../ingest/dataset.ts';

/** Understands a file as Data in does. */
async function understand(directory: string, text: string) {
  await writeFile(join(directory, 'time.csv'), text);
  const file = { name: 'time.csv', bytes: text.length, sha256: 'abc' };
  return understandFiles(directory, [file], undefined, []);
}

async function hoursOf(directory: string, mapping: MappingJson): Promise<unknown> {
  const database = await openDatabase(':memory:');
  try {
    const parsed = parseMapping(stringify(mapping), 'mapping.yaml', inputResources);
    await ingestDirectory(database, directory, { mapping: parsed });
    const [row] = await database.rows(
      `SELECT CAST(sum(hours) AS DECIMAL(9, 2)) || ' ' || string_agg(DISTINCT name, ', ' ORDER BY name) AS text
        FROM source.logged_time JOIN source.people USING (people_id)`,
    );
    return row?.['text'];
  } finally {
    await database.close();
  }
}

describe('a question about a file is answered by a choice', () => {
  it.each([
    [
      'hours with breaks in them',
      'Employee,Date,Hours,Break (min)\nAda,2026-03-16,8,30\n',
      ['Read Hours less Break (min) in minutes', 'They are left out already'],
      ['7.50 Ada', '8.00 Ada'],
    ],
    [
      'breaks that no word tells',
      'Employee,Date,Duration,Evés (min)\nAda,2026-03-16,8:00,30\n',
      ['Take Evés (min) in minutes off', 'Read it as it is'],
      ['7.50 Ada', '8.00 Ada'],
    ],
    [
      'numbers without a unit',
      'Employee,Date,Duration\nAda,2026-03-16,120\n',
      ['It is in minutes', 'It is in seconds', 'It is in milliseconds', 'It is in days'],
      ['2.00 Ada', '0.03 Ada'],
    ],
    [
      'a column that may name the people',
      'Dolgozó,Date,Hours\nAda,2026-03-16,8\nBo,2026-03-16,2\nBo,2026-03-17,1\nBo,2026-03-18,1\nBo,2026-03-19,1\nBo,2026-03-20,1\n',
      ['Dolgozó'],
      ['14.00 Ada, Bo'],
    ],
  ])('%s', async (_, text, labels, loaded) => {
    await withDirectory({}, async (directory) => {
      const { open, entries } = await understand(directory, text);
      const [point] = open;
      expect(point?.choices.map(({ label }) => label)).toEqual(labels);
      for (const [at, hours] of loaded.entries()) {
        const choice = point?.choices[at];
        const others = open.slice(1);
        const decided = point && choice ? decide(entries, point, choice) : entries;
        const all = others.reduce((mapping, each) => decide(mapping, each, { label: '' }), decided);
        expect(await hoursOf(directory, all)).toBe(hours);
      }
    });
  });

  it('or by the name of its person', async () => {
    await withDirectory({}, async (directory) => {
      const { open, entries } = await understand(directory, 'Date,Hours\n2026-03-16,3\n');
      const [point] = open;
      expect(open.map(({ takes_name }) => takes_name)).toEqual([true]);
      expect(point && (await hoursOf(directory, namePerson(entries, point, 'Ada King')))).toBe('3.00 Ada King');
    });
  });
});

it('the relation that was found is told of a file', async () => {
  await withDirectory({}, async (directory) => {
    const text = 'Employee,Date,Gross Hours,Lunch (min),Net Hours\nAda,2026-03-16,8.5,30,8\nBo,2026-03-16,4,0,4\n';
    const { files } = await understand(directory, text);
    expect(files.map(({ notes }) => notes)).toEqual([
      ['Net Hours = Gross Hours - Lunch (min) in 2 of 2 rows: Net Hours is read'],
    ]);
  });
});
