import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { MAX_LOAD_FILES, type NewFile } from '../../../store/loads/index.ts';
import { type UploadLimits, watchUpload } from '../protocol/body-time.ts';
import { httpError } from '../protocol/errors.ts';

/** The largest body of POST /v3/loads: the files of a load. Unit: bytes. */
export const MAX_LOAD_BYTES = 104_857_600;

/** The most fields beside the files. Unit: fields. */
export const MAX_FORM_FIELDS = 20;

/** The longest field. Unit: bytes. */
export const MAX_FIELD_BYTES = 1_048_576;

export interface MultipartBody {
  readonly fields: Readonly<Record<string, string>>;
  readonly files: readonly NewFile[];
}

/** Leaves multipart bodies unread on the routes of an app, until receiveMultipart takes them. */
export function acceptMultipart(app: FastifyInstance): void {
  app.addContentTypeParser('multipart/form-data', (_request, payload, done) => done(null, payload));
}

/**
 * Writes the files of a multipart body into a folder as they come, under names of its own.
 * @throws an error of status 400 for a body that isn't one, 408 for one that is silent or too slow, 413 for a larger one, 415 for another type.
 */
export async function receiveMultipart(
  { body, headers, raw }: FastifyRequest,
  folder: string,
  limits: UploadLimits,
): Promise<MultipartBody> {
  if (!(body instanceof Readable)) throw httpError(415, `Files are sent as multipart/form-data, ${EXAMPLE}`);
  if (Number(headers['content-length'] ?? 0) > MAX_LOAD_BYTES) throw tooLarge();
  const failure = new AbortController();
  const { form, received, close } = openForm(headers['content-type'] ?? '', folder, (error) => failure.abort(error));
  const { signal } = failure;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  aborted.catch(() => undefined);
  const upload = watchUpload(raw, limits, (reason) => failure.abort(tooSlow(reason)));
  let bytes = 0;
  try {
    const finished = once(form, 'finish', { signal });
    finished.catch(() => undefined);
    // The answer goes through the same connection, which must not be destroyed with the body.
    const parts = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
    for (;;) {
      const { done, value: chunk } = await upload.next(Promise.race([parts.next(), aborted]));
      if (done) break;
      bytes += chunk.byteLength;
      if (bytes > MAX_LOAD_BYTES) throw tooLarge();
      if (!form.write(chunk)) await once(form, 'drain', { signal });
      signal.throwIfAborted();
    }
    form.end();
    await finished;
    return await received();
  } catch (error) {
    await close();
    throw signal.aborted ? signal.reason : error;
  } finally {
    upload.close();
  }
}

interface ReceivedForm {
  readonly form: BusboyInstance;
  /** Returns what was received, once the form is finished. */
  received(): Promise<MultipartBody>;
  /** Ends what is being received. */
  close(): Promise<void>;
}

/** @throws an error of status 400 for a type without a boundary. */
function openForm(contentType: string, folder: string, fail: (error: Error) => void): ReceivedForm {
  const form = makeForm(contentType);
  const fields: [string, string][] = [];
  const streams: Readable[] = [];
  const receiving: Promise<NewFile>[] = [];
  form.on('error', () => fail(notMultipart()));
  form.on('fieldsLimit', () =>
    fail(httpError(400, `The form has more than ${MAX_FORM_FIELDS} fields beside the files`)),
  );
  form.on('filesLimit', () => fail(httpError(400, `files: more than ${MAX_LOAD_FILES} files can't be loaded at once`)));
  form.on('field', (name, value, _isNameCut, isCut) => {
    if (isCut) fail(httpError(413, `${name}: has more than ${MAX_FIELD_BYTES} bytes`));
    fields.push([name, value]);
  });
  form.on('file', (_field, stream, name) => {
    const file = receiveFile(stream, decodeName(name), join(folder, String(receiving.length)));
    file.catch(fail);
    streams.push(stream);
    receiving.push(file);
  });
  return {
    form,
    received: async () => ({ fields: Object.fromEntries(fields), files: await Promise.all(receiving) }),
    async close() {
      for (const stream of streams) stream.destroy();
      await Promise.allSettled(receiving);
    },
  };
}

function makeForm(contentType: string): BusboyInstance {
  const limits = { files: MAX_LOAD_FILES, fields: MAX_FORM_FIELDS, fieldSize: MAX_FIELD_BYTES };
  const isPartAFile = (_name?: string, _type?: string, fileName?: string) => fileName !== undefined;
  try {
    return new Busboy({ headers: { 'content-type': contentType }, preservePath: true, isPartAFile, limits });
  } catch {
    throw notMultipart();
  }
}

async function receiveFile(stream: Readable, name: string, path: string): Promise<NewFile> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.byteLength;
      hash.update(chunk);
      await file.appendFile(chunk);
    }
  } finally {
    await file.close();
  }
  return { name, path, bytes, sha256: hash.digest('hex') };
}

/** Decodes the name of a file, in which browsers write quotes and line ends as %22, %0D and %0A. */
function decodeName(name: string): string {
  return name.replaceAll(/%(?:22|0D|0A)/gi, decodeURIComponent);
}

const EXAMPLE = 'as curl -F files=@time.csv sends it';

function notMultipart(): Error {
  return httpError(400, `The body is no multipart/form-data with a boundary, ${EXAMPLE}`);
}

function tooSlow(reason: string): Error {
  return httpError(
    408,
    `The files were given up on their way: ${reason}. Send them again, compressed as workbooks or in parts, or load them on the server with the command: plumbline load FOLDER`,
  );
}

function tooLarge(): Error {
  return httpError(
    413,
    `The files are larger than ${MAX_LOAD_BYTES / 2 ** 20} MiB. Put them into a folder on the server, and load them there with the command: plumbline load FOLDER`,
  );
}
