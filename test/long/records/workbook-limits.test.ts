import { expect, it } from 'vitest';
import { rowsOf } from '../../ingest/dataset.ts';
import { sheetBook, withBitChanged } from '../../ingest/sheet-book.ts';

const PEOPLE = [
  ['people_id', 'name'],
  ['1', 'Ada'],
];

const load = (bytes: Uint8Array) => rowsOf({ 'a.xlsx': bytes }, 'SELECT people_id FROM source.people');

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const header = `<row>${text('people_id')}${text('name')}</row>`;

it('a text that many rows repeat is refused', async () => {
  const shared = `<sst><si><t>${'x'.repeat(32_767)}</t></si></sst>`;
  const bytes = sheetBook(`${header}${`<row>${text('1')}<c t="s"><v>0</v></c></row>`.repeat(9_000)}`, { shared });
  await expect(load(bytes)).rejects.toThrow(
    /a\.xlsx, sheet People holds too much: the files of this load have \d+ bytes/,
  );
});

it.each<[string, () => Buffer, string]>([
  ['rows than there are numbers', () => sheetBook('<row r="1"/>'.repeat(1_048_577)), 'has more than 1048576 rows'],
  [
    'shared texts',
    () => sheetBook(PEOPLE, { shared: `<sst>${'<si/>'.repeat(4_194_305)}</sst>` }),
    'has more than 4194304 shared texts',
  ],
])('more %s are refused', async (_, make, message) => {
  await expect(load(make())).rejects.toThrow(message);
});

it('a damaged workbook is refused in a sentence wherever a bit has changed', async () => {
  const whole = sheetBook(PEOPLE);
  for (let bit = 0; bit < 64; bit += 1) {
    await expect(load(withBitChanged(whole, bit)), `bit ${bit}`).rejects.toThrow('its part xl/sheets/0.xml');
  }
});
