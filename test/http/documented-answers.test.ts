import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { type ClosableServer, serveClosable } from './closable-server.ts';
import { fetchReply, type Reply, type Served } from './served.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

const WINDOW = 'start_date=2026-03-01&end_date=2026-03-31';

interface Parameter {
  readonly name?: string;
  readonly required?: boolean;
  readonly in?: string;
  readonly example?: unknown;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, unknown>>;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
}

interface Asked {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

let served: Served;
let send: ClosableServer['send'];
let document: { paths: Record<string, Record<string, Operation>>; components: Record<string, object> };
let operations: readonly Asked[];
let authorization: string;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });

beforeAll(async () => {
  ({ served, send } = await serveClosable());
  ({ header: authorization } = await served.token(['reports', 'rates', 'sql', 'write', 'close', 'load', 'deliver']));
  document = (await served.get('/openapi.json')).json();
  ajv.addSchema(document, 'api');
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] }] : [])),
  );
  await eventually(async () => expect((await served.get('/v3/reports', { authorization })).status).toBe(200));
  // A plan and a closing, which have states to compare with: one without a label, one with.
  expect((await send('POST', '/v3/closings', { name: 'plan' })).status).toBe(201);
  expect((await send('POST', '/v3/closings', { period: '2026-03', label: 'Board' })).status).toBe(201);
});
afterAll(() => served.close());

/** Returns a validator of JSON with a status; undefined if it isn't documented or isn't JSON. */
function validatorOf({ path, method, operation }: Asked, status: number): ValidateFunction | undefined {
  const place = ['paths', path, method, 'responses', String(status)];
  const { $ref } = operation.responses[status] as { $ref?: string };
  const steps = [...($ref ? $ref.slice(2).split('/') : place), 'content', 'application/json', 'schema'];
  const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  return ajv.getSchema(`api#/${pointer}`);
}

/** Expects the status of a reply to be documented, and JSON to have the form of the document. */
function expectDocumented(what: string, asked: Asked, { status, headers, text }: Reply): void {
  expect([what, Object.keys(asked.operation.responses)]).toEqual([what, expect.arrayContaining([String(status)])]);
  if (text === '' || !/^application\/json/.test(headers.get('content-type') ?? '')) return;
  const validate = validatorOf(asked, status);
  expect([what, status, typeof validate]).toEqual([what, status, 'function']);
  const faults = validate?.(JSON.parse(text)) ? [] : validate?.errors;
  expect([what, status, text.slice(0, 300), faults]).toEqual([what, status, expect.any(String), []]);
}

/** Sends a request of an operation, and expects its answer to be documented. */
async function expectOf(
  asked: Asked,
  query: string,
  body: string | null,
  headers: Record<string, string>,
): Promise<number> {
  const { path, method } = asked;
  const address = `${path.replace('{format}', 'json').replace(/\{\w+\}/g, '1')}?${query}`;
  const reply = await fetchReply(new URL(address, served.url), headers, method.toUpperCase(), body);
  expectDocumented(`${method} ${address} ${body ?? ''}`, asked, reply);
  return reply.status;
}

/** The longest duration of 500 answers on a busy machine. Unit: ms. */
const ANSWERS_MS = 400_000;

/** Bodies that hardly any operation takes. */
const WRONG_BODIES = ['{', '[]', '{"colour":1}'];

it('every operation answers as documented: to its example, to anybody, and to what it refuses', {
  timeout: ANSWERS_MS,
  tags: ['slow'],
}, async () => {
  const statuses: number[] = [];
  for (const asked of operations) {
    const { path, operation } = asked;
    // Events go on until the client leaves; OData has forms of its own.
    if (path === '/v3/events' || path.startsWith('/odata') || path.endsWith('.{format}')) continue;
    const required = (operation.parameters ?? []).filter((each) => each.required && each.in === 'query');
    const query = [
      ...required.map(({ name, example = '1' }) => `${name}=${example}`),
      ...(path.startsWith('/v3/reports/') ? [WINDOW] : []),
    ].join('&');
    const hasBody = operation.requestBody !== undefined;
    const example = hasBody ? JSON.stringify(operation.requestBody?.content['application/json']?.example ?? {}) : null;
    const type = hasBody ? { 'content-type': 'application/json' } : undefined;
    statuses.push(await expectOf(asked, query, example, { ...type }));
    statuses.push(await expectOf(asked, `${query}&colour=red`, example, { authorization, ...type }));
    for (const body of hasBody ? WRONG_BODIES : [])
      statuses.push(await expectOf(asked, query, body, { authorization, ...type }));
    if (hasBody) statuses.push(await expectOf(asked, query, 'x', { authorization, 'content-type': 'image/png' }));
    statuses.push(await expectOf(asked, query, example, { authorization, ...type }));
  }
  expect(statuses.length).toBeGreaterThan(400);
  expect(statuses).toEqual(expect.arrayContaining([200, 201, 204, 400, 401, 404, 415, 422]));
});
