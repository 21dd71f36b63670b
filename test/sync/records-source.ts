import { createHash } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PulledResource } from '../../src/pull/pulled.ts';
import { addTypes, knownFields } from '../../src/pull/value-types.ts';
import { findResource } from '../../src/records/resource/resources.ts';
import type { Puller } from '../../src/store/sync/puller.ts';

const LARGE = ['tasks', 'timeoffs', 'logged_time'];

/** A source of records held in memory; a test changes them between runs. */
export interface RecordsSource extends Puller {
  records: Record<string, readonly object[]>;
  /** Records that the source counts in a list beyond those that it sends. */
  miscounted: Record<string, number>;
  /** Records of large lists that the next incremental run reads. */
  changed: Record<string, readonly object[]>;
  deleted: Record<string, { id: string; at: string }[]>;
  /** Records that a list lacks while the source still has them, as "people 1". */
  readonly present: Set<string>;
}

/**
 * Opens a source of records.
 * Each run reads small lists whole; large ones whole in the first run, and then what `changed` holds.
 */
export function openRecords(folder: string, records: Record<string, readonly object[]>): RecordsSource {
  const directory = join(folder, 'pulled');
  const source: RecordsSource = {
    url: 'https://api.example.com',
    records,
    miscounted: {},
    changed: {},
    deleted: {},
    present: new Set(),
    async pull(state, isFull, whole = []) {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      const readsAll = isFull || !state;
      const resources = Object.keys(source.records).map((resource): PulledResource => {
        const isWhole = readsAll || !LARGE.includes(resource) || whole.includes(resource);
        const found = (isWhole ? source.records[resource] : source.changed[resource]) ?? [];
        const text = JSON.stringify(found);
        writeFileSync(join(directory, `${resource}.json`), text);
        const digest = isWhole ? createHash('sha256').update(text).digest('hex') : undefined;
        const isUnchanged = digest !== undefined && state?.digests[resource] === digest;
        const deleted = source.deleted[resource] ?? [];
        const counted = (source.records[resource]?.length ?? 0) + (source.miscounted[resource] ?? 0);
        return {
          resource,
          nestedIn: undefined,
          isWhole,
          isUnchanged,
          read: found.length,
          total: LARGE.includes(resource) ? counted : undefined,
          deleted,
          large: [],
          digest,
          cursor: undefined,
          types: addTypes({}, knownFields(findResource(resource)), found),
        };
      });
      source.changed = {};
      source.deleted = {};
      const startedAt = '2026-06-15 11:59:00';
      const wholeBecause = readsAll ? 'a test asks for it' : undefined;
      return {
        directory,
        resources,
        startedAt,
        startedHere: startedAt,
        wholeBecause,
        settings: undefined,
        isResumed: false,
        requests: resources.length,
        waitedMs: 0,
        notes: [],
      };
    },
    confirmGone: async (resource, ids) => {
      const { id } = findResource(resource);
      const left = (source.records[resource] ?? []).map((record) => String((record as Record<string, unknown>)[id]));
      return ids.filter((id) => !left.includes(id) && !source.present.has(`${resource} ${id}`));
    },
    finish: async () => rmSync(directory, { recursive: true, force: true }),
  };
  return source;
}
