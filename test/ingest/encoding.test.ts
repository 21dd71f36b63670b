import { describe, expect, it } from 'vitest';
import { type Files, withDataset } from './dataset.ts';

const TEXT = 'client_id,name\n1,Jörg\n2,"Zoë\nBüro"\n';

const clientsOf = (content: string | Buffer) =>
  withDataset({ 'clients.csv': content } satisfies Files, async ({ rows, summary }) => ({
    names: (await rows('SELECT name FROM source.clients ORDER BY client_id')).map(({ name }) => name),
    encodings: summary.encodings,
    reasons: summary.reasons.map(({ reason }) => reason),
  }));

const marked = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('a CSV file', () => {
  it.each([
    ['UTF-8', Buffer.from(TEXT), []],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${TEXT}`), []],
    ['Windows-1252', Buffer.from(TEXT, 'latin1'), ['clients.csv: Windows-1252 (or Latin-1)']],
    ['UTF-16, little end first', marked(TEXT), ['clients.csv: UTF-16']],
    ['UTF-16, big end first', marked(TEXT).swap16(), ['clients.csv: UTF-16']],
  ])('in %s is read', async (_, content, encodings) => {
    expect(await clientsOf(content)).toEqual({ names: ['Jörg', 'Zoë\nBüro'], encodings, reasons: [] });
  });

  it('in Windows-1252 has its own characters', async () => {
    const { names } = await clientsOf(Buffer.from('client_id,name\n1,10 \x80 \x96 x\n', 'latin1'));
    expect(names).toEqual(['10 € – x']);
  });

  it('that mixes UTF-8 with other bytes is refused', async () => {
    const mixed = Buffer.from('client_id,name\n1,\xc3\xa4\n2,\xe4\n', 'latin1');
    await expect(clientsOf(mixed)).rejects.toThrow("clients.csv isn't UTF-8 text: see line 3");
  });

  it.each([
    ['LF', '\n'],
    ['CR LF', '\r\n'],
    ['CR', '\r'],
  ])('whose lines end in %s is read whole', async (_, end) => {
    const { names } = await clientsOf(['client_id,name', '1,Ada', '2,"Bo, Li"', ''].join(end));
    expect(names).toEqual(['Ada', 'Bo, Li']);
  });

  it('may have delimiters at the end of its rows, and equal headers that are no field', async () => {
    expect(await clientsOf('client_id,name,note,note\n1,Ada,x,y,\n2,Bo,,,,\n')).toEqual({
      names: ['Ada', 'Bo'],
      encodings: [],
      reasons: [],
    });
    expect((await clientsOf('client_id,name\n1,Ada,x\n')).reasons).toEqual(['has 3 columns, the header has 2']);
  });
});
