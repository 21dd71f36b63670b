import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { escapeLine, toSafeLine } from '../../base/index.ts';

/** An output stream of the program. Commands write to it in no other way, so that nothing commands a terminal. */
export interface Output {
  readonly isTTY: boolean;
  /** Prints words, a line each: secrets are masked and hidden characters escaped, also line breaks within a line. */
  print(...lines: readonly string[]): void;
  /** Writes data, such as a report, as they are; to a terminal with hidden characters escaped other than line breaks. */
  write(data: Data): Promise<void>;
  /** The stream itself: for a protocol, and for a progress bar. */
  readonly stream: NodeJS.WriteStream;
}

type Data = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>;

export function openOutput(stream: NodeJS.WriteStream): Output {
  const isTTY = stream.isTTY === true;
  return {
    isTTY,
    stream,
    print: (...lines) => void stream.write(lines.map((line) => `${toSafeLine(line)}\n`).join('')),
    write(data) {
      const bytes = Readable.from(data);
      return isTTY ? pipeline(bytes, escapeStream(), stream, { end: false }) : pipeline(bytes, stream, { end: false });
    },
  };
}

/** Escapes text as it passes; characters and line ends may be cut in two by its chunks. */
function escapeStream(): Transform {
  const decoder = new TextDecoder();
  let rest = '';
  return new Transform({
    writableObjectMode: true,
    transform(chunk: string | Uint8Array, _, done) {
      const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }))).split('\n');
      rest = lines.pop() ?? '';
      done(null, lines.map((line) => `${escapeEnded(line)}\n`).join(''));
    },
    flush(done) {
      done(null, escapeLine(rest + decoder.decode()));
    },
  });
}

/** Keeps the carriage return at the end of a line of CSV. */
function escapeEnded(line: string): string {
  return line.endsWith('\r') ? `${escapeLine(line.slice(0, -1))}\r` : escapeLine(line);
}
