import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/error.ts';
import { parseForeignRecord } from '../../src/store/history/foreign-record.ts';

const TEXT = readFileSync(join(import.meta.dirname, 'released', '0.3.0', 'closing.json'), 'utf8');

type Fields = Record<string, unknown>;

const RECORD: Fields = JSON.parse(TEXT);

const [PAIR, COPY, TOTALS, FILED] = RECORD['files'] as [Fields, Fields, Fields, Fields];

/** Returns the sentences about a closing.json; none if it is right. */
function faultsOf(text: string): readonly string[] {
  try {
    parseForeignRecord('closing.json', text, new Date('2026-12-01T00:00:00Z'));
    return [];
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message.split('\n  ').slice(1);
  }
}

const HARD: Fields = { ...RECORD, kind: 'hard' };

/** Damages of closing.json, each as the fields that are other than they should be, with its sentence. */
const DAMAGES: readonly (readonly [Fields, string])[] = [
  [{ day: '9999-99-99' }, 'day must be a day from 1970-01-01 to 2099-12-31'],
  [{ day: '2100-01-01' }, 'day must be a day from'],
  [{ day: null }, 'day must be a day from'],
  [{ start_date: 20260301 }, 'start_date must be a day from 1970-01-01 to 2099-12-31, or null'],
  [{ start_date: null }, 'a soft closing needs start_date and end_date'],
  [{ end_date: '2026-02-01' }, 'start_date 2026-03-01 is after end_date 2026-02-01'],
  [{ kind: 'kept' }, 'start_date and end_date are those of a closing, and the kind is kept'],
  [{ kind: 'final' }, 'kind must be kept, automatic, soft or hard'],
  [{ label: 'x'.repeat(3_000_000) }, 'label must be a text of 1 to 1000 characters, or null'],
  [{ reason: 5 }, 'reason must be a text of 1 to 1000 characters, or null'],
  [{ kept_by: '' }, 'kept_by must be a text of 1 to 1000 characters'],
  [{ kept_at: 'yesterday' }, 'kept_at must be a moment'],
  [{ loaded_at: '2026-02-30T10:00:00Z' }, 'loaded_at must be a moment'],
  [{ kept_at: '2027-01-01T00:00:00Z' }, 'kept_at 2027-01-01T00:00:00Z is to come, by the clock of this machine'],
  [{ loaded_at: '2026-11-30T00:00:00Z' }, 'loaded_at 2026-11-30T00:00:00Z is after kept_at'],
  [{ day: '2026-12-31' }, 'day 2026-12-31 is after kept_at'],
  [{ name: '../x' }, 'name: "../x" can\'t be the name of a state'],
  [{ name: 7 }, 'name must be a text, or null'],
  [{ name: 'events.ndjson', number: null }, 'name and number must both be given, or both be null'],
  [{ name: '2026-03-31' }, 'name: "2026-03-31" can\'t be the name of a state'],
  [{ name: 'now' }, 'name: "now" can\'t be the name of a state'],
  [{ name: null }, 'name and number must both be given, or both be null'],
  [{ name: null, number: null }, 'a state has no name if its kind is automatic, and only then'],
  [{ number: 0 }, 'number must be a whole number from 1, or null'],
  [{ number: 1.5 }, 'number must be a whole number from 1, or null'],
  [{ data_version: 'x' }, 'data_version must be a data version'],
  [{ currency: 'Euro' }, 'currency must be a code of three capital letters'],
  [{ minor_units: '2' }, 'minor_units must be a whole number from 0 to 4'],
  [{ time_zone: '' }, 'time_zone must be a text'],
  [{ data_format: null }, 'data_format must be a whole number from 1'],
  [{ measures: [] }, 'measures must be an object with a SHA-256 for each measure'],
  [{ measures: { actual_cost: 'x' } }, 'measures must be an object with a SHA-256 for each measure'],
  [{ warnings: {} }, 'warnings must be a list of at most 1000 warnings'],
  [{ warnings: [{ name: 'x', message: 'y', hours: 6, people: 1, amount: null }] }, 'warnings must be a list'],
  [{ line_sum: 5 }, 'line_sum must be a text'],
  [{ files: null }, 'files must be a list of files'],
  [{ files: [{ ...PAIR, bytes: -1 }] }, 'files must be a list of files'],
  [{ files: [{ ...PAIR, sha256: 'x' }] }, 'files must be a list of files'],
  [{ files: [] }, "files doesn't have company.duckdb"],
  [{ files: [PAIR, TOTALS] }, "files doesn't have company.no-rates.duckdb"],
  [{ files: [PAIR, COPY] }, "files doesn't have totals.csv"],
  [{ files: [PAIR, COPY, TOTALS, TOTALS] }, 'files has a name twice'],
  [{ files: [PAIR, COPY, TOTALS, { ...FILED, name: '../../etc/passwd' }] }, '"../../etc/passwd" is no file of a state'],
  [{ files: [PAIR, COPY, TOTALS, { ...FILED, name: 'files/../x' }] }, '"files/../x" is no file of a state'],
  [{ files: [PAIR, COPY, TOTALS, { ...FILED, name: 'closing.json' }] }, '"closing.json" is no file of a state'],
];

describe('closing.json from another machine', () => {
  it('is read as it was written', () => {
    expect([TEXT, JSON.stringify(HARD)].map(faultsOf)).toEqual([[], []]);
    const automatic = { ...RECORD, name: null, number: null, kind: 'automatic', start_date: null, end_date: null };
    expect(faultsOf(JSON.stringify({ ...automatic, files: [PAIR, COPY] }))).toEqual([]);
  });

  it.each(DAMAGES)('is refused with %o', (damage, sentence) => {
    expect(faultsOf(JSON.stringify({ ...RECORD, ...damage }))).toContainEqual(expect.stringContaining(sentence));
  });

  it('is refused without any of its fields, naming it', () => {
    for (const name of Object.keys(RECORD)) {
      const { [name]: _, ...others } = RECORD;
      expect(faultsOf(JSON.stringify(others))).toEqual([`${name} is missing`]);
    }
  });

  it('is refused if it is no object of JSON', () => {
    expect(['{', '', 'null', '[]', '"x"'].map(faultsOf)).toEqual([
      ['it is not JSON'],
      ['it is not JSON'],
      ['it is not an object of JSON'],
      ['it is not an object of JSON'],
      ['it is not an object of JSON'],
    ]);
  });
});
