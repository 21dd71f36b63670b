import type { FastifyInstance } from 'fastify';
import { settingsResource } from '../../../records/resource/index.ts';
import { describeRecord, type Row, type ServedResource, selectRecords, sentOf } from '../../../store/record/index.ts';
import { reportIgnored } from '../protocol/ignored.ts';
import { answerNode } from '../protocol/nodes.ts';
import { describeSettingsRead } from './record-operations.ts';
import type { RecordSource } from './record-source.ts';

const company: ServedResource = { ...settingsResource, rules: {} };

/**
 * Adds the settings of the company, without which another program would show its records in another currency.
 * @param options Those of a route that needs the scope `reports`.
 */
export function registerSettings(app: FastifyInstance, source: RecordSource, options: object): void {
  app.get(
    '/v3/settings',
    { ...options, config: { operations: { '/v3/settings': { get: describeSettingsRead() } } } },
    async (request, reply) => {
      reportIgnored(request, reply, { parameters: [...sentOf(request).keys()], fields: [] });
      const [row = {}] = await source.read(company, false, (reader) => reader.rows<Row>(selectRecords(company, {})));
      return answerNode(request, reply, describeRecord(company, row, true));
    },
  );
}
