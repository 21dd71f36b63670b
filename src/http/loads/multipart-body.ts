import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { NewFile } from '../../loads/new-files.ts';
import { httpError } from '../protocol/errors.ts';

/** The largest body of POST /v3/loads: the files of a load. Unit: bytes. */
export const MAX_LOAD_BYTES = 104_857_600;

export interface MultipartBody {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly NewFile[];
}

/** Reads multipart bodies on the routes of an app, which are larger than others. */
export function readMultipartBodies(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', async (request: FastifyRequest, payload: AsyncIterable<Buffer>) => {
    if (Number(request.headers['content-length'] ?? 0) > MAX_LOAD_BYTES) throw tooLarge();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of payload) {
      bytes += chunk.byteLength;
      if (bytes > MAX_LOAD_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
    return parseMultipart(Buffer.concat(chunks), request.headers['content-type'] ?? '');
  });
}

function tooLarge(): Error {
  return httpError(
    413,
    `The files are larger than ${MAX_LOAD_BYTES / 2 ** 20} MiB. Put them into a folder on the server, and load them there with the command: plumbline load FOLDER`,
  );
}

async function parseMultipart(body: Buffer, contentType: string): Promise<MultipartBody> {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData().catch(() => {
    throw httpError(400, 'The body is no multipart/form-data with a boundary, as curl -F files=@time.csv sends it');
  });
  const fields: [string, string][] = [];
  const files: NewFile[] = [];
  for (const [name, value] of form) {
    if (typeof value === 'string') fields.push([name, value]);
    else files.push({ name: value.name, content: new Uint8Array(await value.arrayBuffer()) });
  }
  return { fields: Object.fromEntries(fields), files };
}
