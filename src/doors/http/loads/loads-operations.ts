import { errors, type Schema, TEXT, TEXT_OR_NULL } from '../protocol/operations.ts';
import { loadBody, undoBody } from './load-body.ts';

const count: Schema = { type: ['integer', 'null'] };
const texts: Schema = { type: 'array', items: TEXT };

const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

const totals: Schema = {
  type: 'array',
  description:
    'The control totals of each file, to compare with the program that wrote it. Amounts need the scope rates; those of time entries are known after the load.',
  items: {
    type: 'object',
    properties: {
      file: TEXT,
      resource: TEXT,
      read: count,
      records: count,
      set_aside: count,
      duplicates: count,
      left_out: { type: 'array', items: { type: 'object' }, description: 'Rows that are no records, by condition.' },
      hours: TEXT_OR_NULL,
      billable_hours: TEXT_OR_NULL,
      fees: TEXT_OR_NULL,
      cost: TEXT_OR_NULL,
      sums: {
        type: 'array',
        items: { type: 'object' },
        description: 'Rates and amounts of rows that only describe records, added up, and those of rows set aside.',
      },
      own: {
        type: 'array',
        items: { type: 'object' },
        description: 'The totals that the file has itself, and the difference.',
      },
      first_day: TEXT_OR_NULL,
      last_day: TEXT_OR_NULL,
      people: count,
      projects: count,
    },
  },
};

const listed: Schema = {
  type: 'object',
  properties: {
    id: { type: 'integer' },
    loaded_at: { type: 'string', format: 'date-time' },
    loaded_by: { type: 'string', description: 'The label of the token.' },
    files: {
      type: 'array',
      items: { type: 'object', properties: { name: TEXT, bytes: { type: 'integer' }, sha256: TEXT } },
    },
    totals,
    undone_at: { ...TEXT_OR_NULL, description: 'Null for a load whose records are there.' },
    undone_by: TEXT_OR_NULL,
  },
  required: ['id', 'loaded_at', 'loaded_by', 'files', 'totals', 'undone_at', 'undone_by'],
};

const effect = {
  totals,
  differences: { ...texts, description: 'Totals that files have themselves, and their records differ from.' },
  set_aside: { ...texts, description: 'Why records were set aside, with their number and the first of them.' },
  unread: { ...texts, description: 'Files that no entry of the mapping reads.' },
  near_names: {
    ...texts,
    description:
      'Names that are almost the same, as the lines of a mapping that make them one. Nothing is joined by likeness.',
  },
  file_conflicts: { ...texts, description: 'Fields to which several files give different values.' },
  changes: {
    type: 'array',
    description: 'The records that are new, changed or gone, by resource.',
    items: { type: 'object', properties: { resource: TEXT, new: count, changed: count, gone: count } },
  },
  conflicts: {
    type: 'array',
    description:
      'Fields that the files and the data give differently. Rates need the scope rates. Without a field: a record that the files no longer have, and somebody has changed here.',
    items: {
      type: 'object',
      properties: {
        resource: TEXT,
        record_id: TEXT,
        name: TEXT_OR_NULL,
        field: TEXT_OR_NULL,
        here: TEXT_OR_NULL,
        files: TEXT_OR_NULL,
      },
    },
  },
  questions: {
    type: 'array',
    description: 'What has to be answered before the load, by prefer or accept.',
    items: {
      type: 'object',
      properties: {
        name: TEXT,
        text: TEXT,
        is_answered: { type: 'boolean' },
        names: { type: 'array', items: { type: 'object' } },
      },
    },
  },
  notes: texts,
  reports: {
    type: ['object', 'null'],
    description:
      'What a dry run would change in the report projects, by cause, from the first to the last changed day. Null if it is not known.',
  },
} as const;

const understood = {
  id: { type: ['integer', 'null'], description: 'Null for a dry run.' },
  files: {
    type: 'array',
    description: 'What each file, or sheet, is taken for, its columns, and its first records as they are understood.',
    items: { type: 'object' },
  },
  mapping: { type: 'string', description: 'The mapping in YAML.' },
  entries: { type: 'object', description: 'The mapping as JSON.' },
  open: { type: 'array', description: 'What a person has to decide in the mapping.', items: { type: 'object' } },
} as const;

function answerOf(properties: Schema): Schema {
  const load = { type: 'object', properties };
  return { 'application/json': { schema: { type: 'object', properties: { load }, required: ['load'] } } };
}

/** Describes GET /v3/loads. */
export function describeLoads(): object {
  const properties = {
    loads: { type: 'array', items: listed },
    running: {
      type: ['object', 'null'],
      description: 'The load in work: its step, and the part of it that is done.',
      properties: { step: TEXT, part: { type: 'number', minimum: 0, maximum: 1 } },
    },
  };
  return {
    tags: ['Loads'],
    operationId: 'loads',
    summary: 'The loads of files',
    description: 'The newest first, those that were taken back among them. Needs the scope load.',
    responses: {
      '200': {
        description: 'The loads.',
        content: { 'application/json': { schema: { type: 'object', properties, required: ['loads', 'running'] } } },
      },
      ...errors([401, 403, 405, 429, 500, 503]),
    },
  };
}

/** Describes POST /v3/loads. */
export function describeLoad(): object {
  const fields = loadBody.describe();
  const files = {
    type: 'array',
    description: 'The files, each a part with its name.',
    items: { type: 'string', format: 'binary' },
  };
  const schema = { ...fields, properties: { files, ...(fields['properties'] as Schema) }, required: ['files'] };
  return {
    tags: ['Loads'],
    operationId: 'load',
    summary: 'Load files',
    description:
      'Understands files that other programs export, tells what they change, and loads them beside those of earlier loads. What was written here stays. The load is one change, which can be taken back. Needs the scope load.',
    requestBody: { required: true, content: { 'multipart/form-data': { schema } } },
    responses: {
      '200': { description: 'A dry run: what would change.', content: answerOf({ ...understood, ...effect }) },
      '201': { description: 'What was loaded.', content: answerOf({ ...understood, ...effect }) },
      ...errors([400, 401, 403, 405, 409, 413, 415, 422, 429, 500, 503]),
    },
  };
}

/** Describes GET /v3/loads/{id}/mapping. */
export function describeLoadMapping(): object {
  return {
    tags: ['Loads'],
    operationId: 'loadMapping',
    summary: 'The mapping of a load',
    description: 'The file mapping.yaml, with all that was decided. Needs the scope load.',
    parameters: [id],
    responses: {
      '200': { description: 'The mapping.', content: { 'application/yaml': { schema: TEXT } } },
      ...errors([401, 403, 404, 405, 429, 500, 503]),
    },
  };
}

/** Describes POST /v3/loads/{id}/undo. */
export function describeUndo(): object {
  return {
    tags: ['Loads'],
    operationId: 'undoLoad',
    summary: 'Take a load back',
    description: 'The records are then those of the other loads, and what was written here. Needs the scope load.',
    parameters: [id],
    requestBody: { content: { 'application/json': { schema: undoBody.describe() } } },
    responses: {
      '200': { description: 'What changed, or would change.', content: answerOf(effect) },
      ...errors([400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503]),
    },
  };
}
