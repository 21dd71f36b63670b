import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, type Json, openApi } from '../../conformance/api.ts';
import { CODE, codeOf, type FieldCase, type ResourceCase, resources } from '../../conformance/field-table.ts';

const WHOLE = { start_date: '2026-01-01', end_date: '2026-12-31' };
const TASK = { project_id: 1, people_id: 1, start_date: '2026-01-05', end_date: '2026-01-09', hours: 1 };
const OFF = { people_ids: [1, 3], start_date: '2026-01-05', end_date: '2026-01-05', full_day: 1 };

const referred: Readonly<Record<string, readonly object[]>> = {
  departments: [
    { department_id: 1, name: 'Studio' },
    { department_id: 2, name: 'Office' },
  ],
  clients: [
    { client_id: 1, name: 'One' },
    { client_id: 2, name: 'Two' },
  ],
  accounts: [
    { account_id: 1, name: 'Olga' },
    { account_id: 2, name: 'Max' },
  ],
  roles: [
    { role_id: 1, name: 'Designer' },
    { role_id: 2, name: 'Engineer' },
  ],
  people: [
    { people_id: 1, name: 'Ann' },
    { people_id: 2, name: 'Bob' },
    { people_id: 3, name: 'Cid' },
  ],
  project_stages: [
    { stage_id: 1, name: 'Won', status: 2 },
    { stage_id: 2, name: 'Sent', status: 1 },
  ],
  projects: [
    { project_id: 1, name: 'First', ...WHOLE },
    { project_id: 2, name: 'Second' },
  ],
  phases: [
    { phase_id: 1, project_id: 1, name: 'P1', ...WHOLE },
    { phase_id: 2, project_id: 1, name: 'P2', ...WHOLE },
  ],
  project_tasks: [
    { task_meta_id: 1, project_id: 1, task_name: 'Sketch', billable: 0 },
    { task_meta_id: 2, project_id: 1, task_name: 'Paint' },
  ],
  tasks: [
    { task_id: 1, ...TASK },
    { task_id: 2, ...TASK },
  ],
  timeoffs: [
    { timeoff_id: 1, timeoff_type_id: 1, timeoff_type_name: 'Leave', ...OFF },
    { timeoff_id: 2, timeoff_type_id: 2, timeoff_type_name: 'Sick', ...OFF },
  ],
};

const named = <F extends { readonly field: string }>(fields: readonly F[]) =>
  fields.map((field) => [field.field, field] as const);

const sampleOf = ({ fields }: ResourceCase, side: 'sent' | 'other' = 'sent'): Json =>
  Object.fromEntries(fields.flatMap(({ field, [side]: value }) => (value === undefined ? [] : [[field, value]])));

/** Returns the sample for a dataset, with times and without names that only answers have. */
function recordOf(resource: ResourceCase): object {
  const values = resource.fields
    .filter(({ shown }) => shown === undefined)
    .map((field) => [
      field.field,
      field.apart?.dataset ?? (field.isUnique ? codeOf('dataset') : (field.sent ?? field.back)),
    ]);
  return { [resource.id]: resource.sample, ...Object.fromEntries(values) };
}

const dataset = Object.fromEntries(
  [...new Set([...Object.keys(referred), ...resources.map(({ file }) => file)])].map((file) => [
    file,
    [...(referred[file] ?? []), ...resources.filter((each) => each.file === file).map(recordOf)],
  ]),
);

/** A record read through every way in and out, before any change. */
interface ReadBack {
  readonly id: number | string;
  /** The record from create, read, list, a copy sent as XML, and the dataset. */
  readonly ways: Readonly<Record<string, Json>>;
}

let api: Api;
beforeAll(async () => {
  api = await openApi(dataset);
});
afterAll(() => api.close());

describe.each(resources.map((each) => [each.path, each] as const))('%s', (_path, resource) => {
  const { path, id } = resource;
  let seen: ReadBack;
  beforeAll(async () => {
    seen = await readBack(resource);
  });

  it.each(named(resource.fields))(
    `IN ${resource.file}.%s is returned as sent, in every answer, through XML and from a dataset`,
    (_name, field) => {
      const { shown = field.field } = field;
      const ways = isSet(field) ? { dataset: seen.ways['dataset'] } : seen.ways;
      const values = Object.entries(ways).map(([way, record]) => [way, record?.[shown]]);
      expect(values).toEqual(values.map(([way]) => [way, backOf(field, String(way))]));
    },
  );

  /** Reads the ids of a sorted list without missing values, which may be first or last. */
  const readSorted = async (sort: string, field: string): Promise<unknown[]> =>
    (await api.read(`${path}?per-page=200&sort=${sort}`))
      .filter((record: Json) => (record[field] ?? null) !== null)
      .map((record: Json) => record[id]);

  const filtered = resource.fields.flatMap(({ filter, ...field }) => (filter ? [{ ...field, filter }] : []));
  it.each(named(filtered))(
    `S 4.1-18, IN ${resource.file}.%s is a filter`,
    async (field, { filter: [finds, misses] }) => {
      const find = async (text: string) =>
        (await api.column(`${path}?${id}=${resource.sample}&${field}=${encodeURIComponent(text)}`, id)).length;
      // An empty list of statuses has no body.
      const miss = await api.send('GET', `${path}?${id}=${resource.sample}&${field}=${encodeURIComponent(misses)}`);
      expect([await find(finds), miss.status === 204 ? 0 : miss.json().length]).toEqual([1, 0]);
    },
  );

  it.each(named(filtered.filter(({ isSorted }) => isSorted === undefined)))(
    `IN ${resource.file}.%s sorts`,
    async (field) => {
      const up = await readSorted(`${field},${id}`, field);
      expect(up.length).toBeGreaterThan(0);
      expect(await readSorted(`-${field},-${id}`, field)).toEqual(up.toReversed());
    },
  );

  it.each(named(resource.fields.filter(({ other }) => other !== undefined)))(
    `IN ${resource.file}.%s is changed by PATCH`,
    async (_name, field) => {
      const { shown = field.field, other, otherBack = other, besides } = field;
      const one = `${path}/${seen.id}`;
      expect((await api.change(one, { ...besides, [field.field]: other }))[shown]).toEqual(otherBack);
      expect((await api.read(one))[shown]).toEqual(otherBack);
    },
  );
});

/** Returns the expected value of a field for one of the ways. */
function backOf({ sent, back = sent, isUnique, apart }: FieldCase, way: string): unknown {
  if (apart && (way === 'dataset' || way === 'xml')) return apart[way];
  return isUnique ? codeOf(way) : back;
}

/** Tells whether only the service or a dataset sets the field. */
function isSet({ sent, back, field }: FieldCase): boolean {
  return sent === undefined && back !== undefined && (field === 'created' || field === 'modified');
}

/** Creates the sample through the API and reads it in every way. */
async function readBack(resource: ResourceCase): Promise<ReadBack> {
  const { path, id, sample, isFixed } = resource;
  const sent = sampleOf(resource);
  const [create] = [isFixed ? await api.change(`${path}/1`, sent) : await api.create(path, sent)].flat();
  const made = create[id];
  const one = `${path}/${made}`;
  const [list] = await api.read(`${path}?${id}=${made}`);
  const ways = { create, read: await api.read(one), list, dataset: await api.read(`${path}/${sample}`) };
  return { id: made, ways: { ...ways, xml: await sendXml(resource, one) } };
}

/** Reads a record as XML and sends it back, as a new record or to another one. */
async function sendXml({ path, id, isFixed, fields }: ResourceCase, one: string): Promise<Json> {
  const { text } = await api.send('GET', one, undefined, { headers: { accept: 'application/xml' } });
  const [method, target] = isFixed ? ['PUT', `${path}/2`] : ['POST', path];
  const copy = fields.reduce(
    (all, { sent: value, apart }) => (apart ? all.replaceAll(`>${value}<`, `>${apart.xml}<`) : all),
    text.replaceAll(CODE, codeOf('xml')),
  );
  const sent = { text: copy, headers: { 'content-type': 'application/xml' } };
  const reply = await api.send(method, target, undefined, sent);
  if (reply.status >= 300) return { refused: reply.text };
  const [made] = [reply.json()].flat();
  return api.read(`${path}/${made[id]}`);
}
