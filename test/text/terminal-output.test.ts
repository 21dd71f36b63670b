import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { addSecret } from '../../src/base/secrets.ts';
import { formatSummary } from '../../src/doors/command/load/load-summary.ts';
import { openOutput } from '../../src/doors/command/terminal.ts';

const TOKEN = 'Terminal-Token-0123';
const NASTY = '\u001b]0;x\u0007\u202e\u2066\u009b2J\u2028\nError: forged';
addSecret(TOKEN);

/** A stream, an output to it, and what it was given. */
function open(isTTY: boolean) {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const output = openOutput(stream as unknown as NodeJS.WriteStream);
  return { output, text: () => String(stream.read() ?? '') };
}

/** The same text without a hidden character, as it is printed. */
const SHOWN = '\\u001b]0;x\\u0007\\u202e\\u2066\\u009b2J\\u2028\\nError: forged';

describe('words', () => {
  it.each([true, false])('have no hidden character and no secret in a line (terminal: %s)', (isTTY) => {
    const { output, text } = open(isTTY);
    output.print(`one ${NASTY}`, `two http://${TOKEN.toLowerCase()}.example/`);
    expect(text()).toBe(`one ${SHOWN}\ntwo http://***.example/\n`);
  });

  it('of a load show names from outside in a line each, and neither too many nor too long ones', () => {
    const reason = { resource: 'people', list: null, reason: NASTY, count: 1 };
    const example = { file: NASTY, position: 1, id: NASTY, item: NASTY };
    const lines = formatSummary({
      resources: [],
      reasons: [{ ...reason, example, values: [{ field: 'name', text: NASTY }] }],
      unknownFields: [{ resource: 'people', fields: [NASTY, 'x'.repeat(200), ...Array(30).fill('y')] }],
      ignoredFiles: [NASTY],
      encodings: [],
      conflicts: [],
      foundNames: [],
      nameQuestions: [],
      nearNames: [],
      controls: [],
    });
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u2028\u202e\u2066]/u);
    expect(lines.filter((line) => line.includes(SHOWN))).toHaveLength(3);
    expect(lines.find((line) => line.includes('xxx'))).toMatch(/ x{100}…, y.*, y, and 12 more$/);
  });
});

describe('data', () => {
  const csv = `id,name\r\n1,"${NASTY}"\r\n`;

  it('are written to a pipe as they are', async () => {
    const { output, text } = open(false);
    await output.write([csv]);
    expect(text()).toBe(csv);
  });

  it('command no terminal, wherever they are cut', async () => {
    for (const size of [1, 2, 7, 1_000]) {
      const bytes = Buffer.from(csv);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const { output, text } = open(true);
      await output.write(chunks);
      expect(text()).toBe(`id,name\r\n1,"${SHOWN.replace('\\n', '\n')}"\r\n`);
    }
  });
});
