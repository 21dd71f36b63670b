import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer instead of the fake's own; undefined to go on. */
export type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

/** A server of the S3 protocol with one bucket, `lake`, in memory. It checks no signatures. */
export interface FakeBucket {
  /** The contents of its objects by their keys. */
  readonly objects: Map<string, FakeObject>;
  /** The keys of unfinished uploads by their ids. */
  readonly uploads: Map<string, string>;
  /** Methods and addresses of all requests. */
  readonly requests: readonly string[];
  /** The variables with which clients find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Answers before the bucket does; true if it did. */
  fault: Fault;
  close(): Promise<void>;
}

export interface FakeObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly modified: Date;
}

/** Objects in a page of a list. */
const PAGE = 2;

export async function startFakeBucket(): Promise<FakeBucket> {
  const requests: string[] = [];
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    requests.push(`${request.method} ${request.url}`);
    if (!bucket.fault(request, response)) answer(bucket, request, response, Buffer.concat(chunks));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const bucket: FakeBucket = {
    objects: new Map(),
    uploads: new Map(),
    requests,
    environment: {
      AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'ada',
      AWS_SECRET_ACCESS_KEY: 'private-key',
      AWS_MAX_ATTEMPTS: '1',
      AWS_EC2_METADATA_DISABLED: 'true',
    },
    fault: () => false,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return bucket;
}

/** Makes an object as a write does. */
export function putObject({ objects }: FakeBucket, key: string, body: Buffer | string, modified = new Date()): string {
  const bytes = Buffer.from(body);
  const etag = `"${createHash('md5').update(bytes).digest('hex')}"`;
  objects.set(key, { body: bytes, etag, modified });
  return etag;
}

/** Answers with an error of the protocol. */
export function fail(response: ServerResponse, status: number, code: string, more = ''): true {
  response.writeHead(status).end(`<Error><Code>${code}</Code><Message>Told by the server</Message>${more}</Error>`);
  return true;
}

function answer(bucket: FakeBucket, request: IncomingMessage, response: ServerResponse, body: Buffer): void {
  const url = new URL(request.url ?? '', 'http://fake');
  const key = decodeURIComponent(url.pathname.replace(/^\/lake\/?/, ''));
  const { method } = request;
  const found = bucket.objects.get(key);
  if (key === '' && url.searchParams.has('uploads')) response.end(listUploads(bucket, url));
  else if (key === '' && method === 'GET') response.end(listObjects(bucket, url));
  else if (key === '' && method === 'POST') response.end(deleteObjects(bucket, body));
  else if (method === 'DELETE') {
    const upload = url.searchParams.get('uploadId');
    if (upload) bucket.uploads.delete(upload);
    else bucket.objects.delete(key);
    response.writeHead(204).end();
  } else if (method === 'PUT') {
    const { 'if-match': match = found?.etag, 'if-none-match': none } = request.headers;
    if (match !== found?.etag || (none === '*' && found)) fail(response, 412, 'PreconditionFailed');
    else response.writeHead(200, { etag: putObject(bucket, key, body) }).end();
  } else if (found) {
    const headers = { etag: found.etag, 'last-modified': found.modified.toUTCString() };
    response.writeHead(200, { ...headers, 'content-length': found.body.length }).end(found.body);
  } else fail(response, 404, 'NoSuchKey');
}

function listObjects({ objects }: FakeBucket, { searchParams }: URL): string {
  const [prefix = '', after = ''] = ['prefix', 'continuation-token'].map((name) => searchParams.get(name) ?? '');
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const cut = searchParams.has('delimiter');
  const page = keys.slice(0, PAGE);
  const names = page.map((key) => {
    const [name = '', ...rest] = key.slice(prefix.length).split('/');
    if (!cut || rest.length === 0) return `<Contents><Key>${key}</Key></Contents>`;
    return `<CommonPrefixes><Prefix>${prefix}${name}/</Prefix></CommonPrefixes>`;
  });
  const more = keys.length > PAGE ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  return `<ListBucketResult><IsTruncated>${more !== ''}</IsTruncated>${more}${names.join('')}</ListBucketResult>`;
}

function listUploads({ uploads }: FakeBucket, { searchParams }: URL): string {
  const prefix = searchParams.get('prefix') ?? '';
  const after = searchParams.get('upload-id-marker') ?? '';
  const own = [...uploads].filter(([id, key]) => key.startsWith(prefix) && id > after).sort();
  const [first] = own;
  if (!first) return '<ListMultipartUploadsResult><IsTruncated>false</IsTruncated></ListMultipartUploadsResult>';
  const [id, key] = first;
  const next = `<NextKeyMarker>${key}</NextKeyMarker><NextUploadIdMarker>${id}</NextUploadIdMarker>`;
  return `<ListMultipartUploadsResult><IsTruncated>${own.length > 1}</IsTruncated>${next}<Upload><Key>${key}</Key><UploadId>${id}</UploadId></Upload></ListMultipartUploadsResult>`;
}

function deleteObjects({ objects }: FakeBucket, body: Buffer): string {
  for (const [, key = ''] of body.toString().matchAll(/<Key>([^<]*)<\/Key>/g)) objects.delete(key);
  return '<DeleteResult/>';
}
