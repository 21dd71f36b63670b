import { expect, it } from 'vitest';
import { parseFormat } from '../../src/doors/command/format-flag.ts';
import { loadReportCommand } from '../../src/doors/command/report-command.ts';
import { openOutput } from '../../src/doors/command/terminal.ts';
import { FORMATS, isFormat } from '../../src/numbers/write/formats.ts';

const names = Object.keys(FORMATS).filter(isFormat);

it.each(names.filter((name) => FORMATS[name].isBinary))('%s is not written to a terminal', async (format) => {
  const flags = { 'start-date': '2026-01-01', 'end-date': '2026-01-31', format };
  const terminal = {
    stdout: openOutput(Object.assign(Object.create(process.stdout), { isTTY: true })),
    stderr: openOutput(process.stderr),
    now: () => new Date(),
    doors: [],
  };
  await expect(loadReportCommand().run(['projects'], flags, terminal)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringContaining(format),
    hint: expect.stringContaining('--output'),
  });
});

it('names inherited from Object are not formats', () => {
  expect(isFormat('toString')).toBe(false);
});

it.each([
  [{}, true, 'table'],
  [{}, false, 'json'],
  [{ output: 'projects.xlsx' }, true, 'xlsx'],
  [{ output: 'march/LINES.CSV' }, false, 'csv'],
  [{ output: 'projects' }, true, 'json'],
  [{ output: '.hidden' }, true, 'json'],
  [{ output: '/dev/stdout' }, true, 'json'],
  [{ output: 'projects.doc', format: 'json' }, true, 'json'],
  [{ output: 'projects.xlsx', format: 'csv' }, false, 'csv'],
] as const)('the flags %j select the format: on a terminal %j, %s', (flags, isTerminal, format) => {
  expect(parseFormat(flags, isTerminal)).toBe(format);
});

it.each(['projects.doc', 'projects.txt', 'constructor.constructor', 'march.2026'])(
  'the ending of %s is refused',
  (output) => {
    expect(() => parseFormat({ output }, true)).toThrow(
      expect.objectContaining({ code: 'usage', hint: expect.stringMatching(/\.csv, .*--format/) }),
    );
  },
);
