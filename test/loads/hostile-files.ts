import { sheetBook } from '../ingest/sheet-book.ts';

/** A file that costs much if what is made of it isn't bounded, and the answer to it. */
export interface HostileFile {
  readonly name: string;
  /** @param size From 0 to 1; 1 for nearly as much as the server takes. */
  readonly make: (size: number) => Buffer;
  /** The sentence of its refusal; undefined if a dry run says what the file holds. */
  readonly refusal: RegExp | undefined;
  /** True if all of it is read, which takes minutes. */
  readonly isRead?: true;
}

const MIB = 2 ** 20;

/** The size of a whole file. Unit: bytes. */
const BYTES = 60 * MIB;

const HEADER = 'User,Client,Project,Date,Hours';

const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const head = `<row>${HEADER.split(',').map(text).join('')}</row>`;
const list = <T>(count: number, of: (at: number) => T): T[] =>
  Array.from({ length: Math.ceil(count) }, (_, at) => of(at));

/** Fills a file with a text, between two others. */
function fill(size: number, before: string, text: string, after = ''): Buffer {
  return Buffer.concat([Buffer.from(before), Buffer.alloc(Math.ceil(size * BYTES), text), Buffer.from(after)]);
}

/** Fills a file with lines or entries, each by its number. */
function write(count: number, before: string, of: (at: number) => string, between: string, after = ''): Buffer {
  return Buffer.from(before + list(count, of).join(between) + after);
}

const entry = (at: number) =>
  `Person ${at % 400},Client ${at % 50},Project ${at % 200},2026-${`${1 + (at % 12)}`.padStart(2, '0')}-${`${1 + (at % 28)}`.padStart(2, '0')},7.5`;

const jsonEntry = (at: number) => {
  const [user, client, project, date] = entry(at).split(',');
  return JSON.stringify({ id: at, user, client, project, date, hours: 7.5 });
};

export const HOSTILE_FILES: Readonly<Record<string, HostileFile>> = {
  'a row of too many columns': {
    name: 'time.csv',
    make: (size) => fill(size, `${list(20_000, (at) => `n${at}`).join(',')}\n`, `1${',1'.repeat(19_999)}\n`),
    refusal: /has 20000 columns, more than the 10000/,
  },
  'delimiters alone': {
    name: 'time.csv',
    make: (size) => fill(size, '', ','),
    refusal: /more than 16777216 characters in line 1/,
  },
  'empty lines': {
    name: 'time.csv',
    make: (size) => fill(size, '', '\n'),
    refusal: /has nothing but empty lines in its first 4194304 characters/,
  },
  'empty lines below a header': {
    name: 'time.csv',
    make: (size) => fill(size, `${HEADER}\n`, '\n'),
    refusal: undefined,
  },
  'deep lists in a record': {
    name: 'time.json',
    make: (size) => fill(size, '[{"user":', '[', ']'),
    refusal: /record 1 has more than 64 lists and objects/,
  },
  'one text': {
    name: 'time.json',
    make: (size) => fill(size, '[{"user":"', 'x', '"}]'),
    refusal: /record 1 has more than 16777216 characters/,
  },
  'one line': {
    name: 'time.csv',
    make: (size) => fill(size, `${HEADER}\n`, 'x'),
    refusal: /more than 16777216 characters in line 2/,
  },
  'equal entries': {
    name: 'time.json',
    make: (size) => write(size * 600_000, '[', () => jsonEntry(0), ',\n', ']'),
    refusal: undefined,
    isRead: true,
  },
  'a record with a long list': {
    name: 'time.json',
    make: (size) => write(size * 600_000, '[{"user":"Ada","tags":[', (at) => `"${at}"`, ',', ']}]'),
    refusal: /holds no file of any resource/,
  },
  'many rows': {
    name: 'time.csv',
    make: (size) => write(size * 900_000, `${HEADER}\n`, entry, '\n'),
    refusal: undefined,
    isRead: true,
  },
  'many entries': {
    name: 'time.json',
    make: (size) => write(size * 600_000, '[', jsonEntry, ',\n', ']'),
    refusal: undefined,
    isRead: true,
  },
  'a wide sheet': {
    name: 'time.xlsx',
    make: (size) =>
      sheetBook(
        `<row>${list(16_384, (at) => text(`n${at}`)).join('')}</row>${`<row>${list(16_384, (at) => `<c><v>${at}</v></c>`).join('')}</row>`.repeat(Math.ceil(size * 200))}`,
      ),
    refusal: /has 16384 columns, more than the 10000/,
    isRead: true,
  },
  'many shared texts': {
    name: 'time.xlsx',
    make: (size) =>
      sheetBook(`${head}<row><c t="s"><v>1</v></c></row>`, {
        shared: `<sst>${list(size * 3_000_000, (at) => `<si><t>${at}</t></si>`).join('')}</sst>`,
      }),
    refusal: undefined,
    isRead: true,
  },
  'a long header': {
    name: 'time.csv',
    make: () => Buffer.from(`${list(5_000, (at) => `${'x'.repeat(60)}${at}`).join(',')}\n`),
    refusal: /has a header of more than 262144 characters. Check that its first row names the fields/,
  },
  'a zip bomb': {
    name: 'time.xlsx',
    make: (size) => sheetBook(head + `<row>${text('x'.repeat(1_000))}</row>`.repeat(Math.ceil(size * 500_000))),
    refusal: /has [0-9]+ bytes, more than 268435456/,
  },
  'many sheets': {
    name: 'time.xlsx',
    make: (size) => sheetBook(head, { sheets: list(size * 20_000, (at) => `S${at}`) }),
    refusal: /has more than 1000 sheets/,
  },
  'many files in a workbook': {
    name: 'time.xlsx',
    make: (size) =>
      sheetBook(head, { parts: list(size * 60_000, (at) => ({ name: `xl/other/${at}.xml`, content: '' })) }),
    refusal: undefined,
  },
  'an open quote': {
    name: 'time.csv',
    make: (size) => fill(size / 4, `${HEADER}\n"`, 'Ada,Acme,Bridge,2026-01-05,7\n'),
    refusal: undefined,
    isRead: true,
  },
  'open quotes in all lines': {
    name: 'time.csv',
    make: (size) => fill(size, `${HEADER}\n`, '"Ada,Acme,Bridge,2026-01-05,7\n'),
    refusal: undefined,
  },
  'endless digits': {
    name: 'time.json',
    make: (size) => fill(size, '[{"user":"Ada","date":"2026-01-05","hours":', '7', '}]'),
    refusal: /record 1 has more than 16777216 characters/,
  },
  'many people': {
    name: 'people.csv',
    make: (size) =>
      write(size * 100_000, 'Name,Email\n', (at) => `Person ${at.toString(36)} Name,p${at}@example.com`, '\n'),
    refusal: undefined,
    isRead: true,
  },
  'open lists': {
    name: 'time.json',
    make: (size) => fill(size, '', '['),
    refusal: /record 1 has more than 64 lists and objects/,
  },
  'empty records': {
    name: 'time.json',
    make: (size) => fill(size, '[{}', ',{}', ']'),
    refusal: /more than 2000000 entries/,
  },
  escapes: {
    name: 'time.json',
    make: (size) => fill(size, '[{"user":"', '\\u0041', '"}]'),
    refusal: /record 1 has more than 16777216 characters/,
  },
};
