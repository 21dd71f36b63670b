import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkJournal } from '../../src/store/record/storage/journal-check.ts';
import { formatJournalLine, readJournal } from '../../src/store/record/storage/journal-lines.ts';

/** The database's last change. */
const LAST = 10;

const line = (change: number, after = change - 1) =>
  formatJournalLine({ change, after, inserts: [{ into: 'notes (id)', rows: `(${change})` }] });

/** Reads a journal. @returns the changes that are to be inserted, and the reason of each damage. */
function read(content: string | Buffer) {
  const { waiting, damages } = readJournal(Buffer.from(content), LAST);
  return { changes: waiting.map(({ change }) => change), reasons: damages.map(({ reason }) => reason) };
}

describe('a journal', () => {
  it('that holds lines twice has each change once', () => {
    const twice = [11, 12].map((change) => `change ${change} is in a line before it, too`);
    expect(read(line(11) + line(12) + line(11) + line(12))).toEqual({ changes: [11, 12], reasons: twice });
  });

  it('whose lines are out of order has all changes in order', () => {
    const { changes, reasons } = read(line(12) + line(11) + line(13));
    expect(changes).toEqual([11, 12, 13]);
    expect(reasons).toEqual(['a line before it is missing', 'it comes behind change 12']);
  });

  it.each([
    ['spaces in place of marks', (text: string) => text.replaceAll('\t', '    ')],
    ['no marks', (text: string) => text.replaceAll('\t', '')],
  ])('that an editor has saved with %s is damaged, not torn', (_, edit) => {
    const reason = 'its content does not match its checksum';
    expect(read(edit(line(11) + line(12)))).toEqual({ changes: [], reasons: [reason, reason] });
  });

  it.each([
    ['folder', (path: string) => mkdirSync(path)],
    ['pipe', (path: string) => spawnSync('mkfifo', [path])],
  ])('that is a %s is named so, and not waited for', async (kind, make) => {
    const folder = mkdtempSync(join(tmpdir(), 'plumbline-journal-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'company.work.duckdb.journal');
    make(file);
    await expect(checkJournal(file, LAST)).rejects.toThrow(`${file} is a ${kind}, not a file`);
  });
});
