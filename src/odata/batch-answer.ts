import { STATUS_CODES } from 'node:http';
import type { BatchItem } from './batch-request.ts';

export interface ItemAnswer {
  readonly status: number;
  /** The headers by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** A form of the answer to a batch, written piece by piece. */
export interface BatchForm {
  readonly mediaType: string;
  readonly begin: string;
  /** @param index The number of answers before it. */
  write(item: BatchItem, answer: ItemAnswer, index: number): (string | Uint8Array)[];
  readonly end: string;
}

/** The form of OData JSON 4.01, 19.5. Bodies of JSON keep their bytes, so that no decimal loses digits. */
export const JSON_FORM: BatchForm = {
  mediaType: 'application/json',
  begin: '{"responses":[',
  write({ id, atomicityGroup }, { status, headers, body }, index) {
    const said = JSON.stringify({ id, atomicityGroup, status, headers });
    const start = `${index === 0 ? '' : ','}\n${said.slice(0, -1)}`;
    if (body.length === 0) return [start, '}'];
    return [`${start},"body":`, toJson(body, headers['content-type'] ?? ''), '}'];
  },
  end: '\n]}\n',
};

/** Returns a body as JSON: JSON unchanged, text as a string, other content in base64url. */
function toJson(body: Uint8Array, mediaType: string): string | Uint8Array {
  if (/^application\/json(?:;|$)/.test(mediaType)) return body;
  return JSON.stringify(Buffer.from(body).toString(mediaType.startsWith('text/') ? 'utf8' : 'base64url'));
}

/** Returns the form of OData 4.01 protocol, 11.7.7. @param boundary A text that no answer contains. */
export function multipartForm(boundary: string): BatchForm {
  return {
    mediaType: `multipart/mixed; boundary=${boundary}`,
    begin: '',
    write({ id }, { status, headers, body }) {
      const head = [
        `--${boundary}`,
        'Content-Type: application/http',
        'Content-Transfer-Encoding: binary',
        ...(id === undefined ? [] : [`Content-ID: ${id}`]),
        '',
        `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
        ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
        `content-length: ${body.length}`,
      ];
      return [`${head.join('\r\n')}\r\n\r\n`, body, '\r\n'];
    },
    end: `--${boundary}--\r\n`,
  };
}
