import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Entry, formatJournalLine, readJournal } from '../../src/store/record/storage/journal-lines.ts';

/** Makes consecutive entries of a few changes each, with texts that imitate parts of a line. */
function makeEntries(texts: readonly string[], first = 0): Entry[] {
  let change = first;
  return texts.map((text, index) => {
    const after = change;
    change += 1 + (index % 3);
    return { change, after, inserts: [{ into: 'notes (text)', rows: `('${text}')` }] };
  });
}

const encode = (entries: readonly Entry[]) => Buffer.from(entries.map(formatJournalLine).join(''));

const HEX = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', HEX, HEX.repeat(3), `\\t${HEX}{}${HEX}`, '\t\n\0', 'a'.repeat(300)),
);
const texts = fc.array(text, { minLength: 1, maxLength: 6 });

describe('a journal', () => {
  it('is read as written, without lines that the database already has', () => {
    fc.assert(
      fc.property(texts, fc.nat(6), (given, count) => {
        const entries = makeEntries(given);
        const last = entries[Math.min(count, entries.length) - 1]?.change ?? 0;
        const waiting = entries.filter(({ change }) => change > last);
        const applied = entries.length - waiting.length;
        expect(readJournal(encode(entries), last)).toEqual({ applied, waiting, damages: [] });
      }),
    );
  });

  it('with one flipped bit loses no write silently', () => {
    fc.assert(
      fc.property(texts, fc.nat(), fc.nat(7), (given, place, bit) => {
        const entries = makeEntries(given);
        const bytes = encode(entries);
        const index = place % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ (1 << bit);
        const { waiting, damages } = readJournal(bytes, 0);
        const kept = entries.filter(({ change }) => waiting.some((entry) => entry.change === change));
        expect(waiting).toEqual(kept);
        if (kept.length < entries.length) expect(damages).not.toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('with any of its bits flipped loses no write silently, also where the bit makes a line feed', () => {
    const entries = makeEntries(['', 'J * \u{b} \u{2} \u{e} \u{1a} \u{4e8a} \u{8e10a}']);
    const whole = encode(entries);
    for (let bit = 0; bit < whole.length * 8; bit += 1) {
      const bytes = Buffer.from(whole);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { waiting, damages } = readJournal(bytes, 0);
      const lost = entries.filter(({ change }) => !waiting.some((entry) => entry.change === change));
      expect(damages, `bit ${bit}`).toHaveLength(lost.length);
    }
  });

  it('with overwritten bytes keeps every line beside them, and reports lines lost before another', () => {
    const filling = fc.constantFrom(0, 0x20, 0x41, 0xff);
    fc.assert(
      fc.property(texts, fc.nat(), fc.integer({ min: 1, max: 400 }), filling, (given, place, length, byte) => {
        const entries = makeEntries(given);
        const lines = entries.map(formatJournalLine);
        const bytes = encode(entries);
        const from = place % bytes.length;
        const to = Math.min(bytes.length, from + length);
        bytes.fill(byte, from, to);
        let start = 0;
        const beside = entries.filter((_, index) => {
          const end = start + Buffer.byteLength(lines[index] ?? '');
          const isBeside = end <= from || start >= to;
          start = end;
          return isBeside;
        });
        const { waiting, damages } = readJournal(bytes, 0);
        const kept = new Set(waiting.map(({ change }) => change));
        expect(beside.filter(({ change }) => !kept.has(change))).toEqual([]);
        const lastKept = waiting.at(-1)?.change ?? 0;
        if (entries.some(({ change }) => change < lastKept && !kept.has(change))) expect(damages).not.toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  it('without one of its lines reports the missing changes, except for the last line', () => {
    fc.assert(
      fc.property(texts, fc.nat(5), (given, place) => {
        const entries = makeEntries([...given, 'last']);
        const lost = entries[place % (entries.length - 1)] as Entry;
        const rest = entries.filter((entry) => entry !== lost);
        const { waiting, damages } = readJournal(encode(rest), 0);
        expect(waiting).toEqual(rest);
        expect(damages).toMatchObject([{ missing: [lost.after + 1, lost.change] }]);
      }),
    );
  });

  it('with a torn last write, whatever was behind it, keeps all other writes without damage', () => {
    const before = fc.constantFrom('nothing', 'zeros', 'older lines');
    fc.assert(
      fc.property(texts, texts, before, fc.nat(), (older, given, behind, cut) => {
        const applied = makeEntries(older);
        const last = applied.at(-1)?.change ?? 0;
        const entries = makeEntries([...given, 'torn'], last);
        const whole = encode(entries.slice(0, -1));
        const torn = encode(entries.slice(-1));
        // All but the line feed makes a complete line.
        const written = Buffer.concat([whole, torn.subarray(0, cut % (torn.length - 1))]);
        const old = { nothing: Buffer.alloc(0), zeros: Buffer.alloc(9000), 'older lines': encode(applied) }[behind];
        const bytes = Buffer.concat([written, old.subarray(written.length)]);
        const { waiting, damages } = readJournal(bytes, last);
        expect(damages).toEqual([]);
        // A complete JSON counts as written without its line end: all or nothing.
        expect([entries, entries.slice(0, -1)]).toContainEqual(waiting);
      }),
      // A torn write, or one that was answered, ends where an older line lost only its mark.
      {
        numRuns: 1000,
        examples: [
          [[HEX, '\b𐀀', ''], ['𐀀𐀀𐀀𐀀𐀀', ''], 'older lines', 90071903],
          [['ࠀ', ''], ['𐀀'], 'older lines', 0],
        ],
      },
    );
  });

  it('of other content is damaged', () => {
    for (const other of ['Dear all,\nthis is no journal.\n', '{"change":1}\n', `${HEX}{"change":1,"inserts":[]}\n`]) {
      expect(readJournal(Buffer.from(other), 0).damages, other).not.toEqual([]);
    }
  });
});
