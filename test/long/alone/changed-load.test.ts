import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { MAX_NOTED } from '../../../src/store/sync/merge.ts';
import { makeToken, readUrl, watchProgram } from './server.ts';

/** The longest time of the event loop for 99 % of its turns. Unit: ms. */
const MAX_DELAY_MS = 100;

/** The time in which the server writes its delays into a file. Unit: ms. */
const WRITE_MS = 300;

const [PEOPLE, PROJECTS] = [40, 20];
const ROWS = MAX_NOTED - PEOPLE - PROJECTS;

const numbered = (count: number, line: (number: number) => string) =>
  Array.from({ length: count }, (_, at) => `${line(at + 1)}\n`).join('');

/** The files of a company, whose entries have ids of their own. @param hours The hours of each. */
const filesOf = (hours: number) => ({
  'people.csv': `people_id,name\n${numbered(PEOPLE, (id) => `${id},Person ${id}`)}`,
  'projects.csv': `project_id,name\n${numbered(PROJECTS, (id) => `${id},Project ${id}`)}`,
  'logged_time.csv': `logged_time_id,people_id,project_id,date,hours,notes\n${numbered(ROWS, (id) => {
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(id / PEOPLE))).toISOString().slice(0, 10);
    return `${id},${(id % PEOPLE) + 1},${(id % PROJECTS) + 1},${day},${hours},${'What was done in some words. '.repeat(5)}`;
  })}`,
});

it(`a load of ${MAX_NOTED} new records, and one that changes most of them, hold up nobody`, {
  timeout: 900_000,
  // The machine may be busy with something else.
  retry: 2,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-changed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, delays] = [join(folder, 'company.duckdb'), join(folder, 'delays.json')];
  const headers = await makeToken(file, 'test', ['load']);
  const { program } = watchProgram(['serve', '--write', '--database', file, '--port', '0', '--log-level', 'error'], {
    nodeFlags: ['--import', join(import.meta.dirname, 'loop-delay.js')],
    variables: { LOOP_DELAY_FILE: delays },
  });
  const url = await readUrl(program);
  const readDelays = async (): Promise<readonly [number, number]> => {
    program.signal('SIGUSR2');
    await sleep(WRITE_MS);
    return JSON.parse(readFileSync(delays, 'utf8'));
  };
  for (const [what, hours] of [
    ['new', 1],
    ['changed', 2],
  ] as const) {
    const form = new FormData();
    const files = Object.entries(filesOf(hours)).filter(([name]) => what === 'new' || name === 'logged_time.csv');
    for (const [name, text] of files) form.append('files', new Blob([text]), name);
    await readDelays();
    const start = performance.now();
    const answer = await fetch(`${url}/v3/loads`, { method: 'POST', headers, body: form });
    const seconds = (performance.now() - start) / 1000;
    const [percentile, longest] = await readDelays();
    console.log(
      `${what}: ${seconds.toFixed(1)} s; 99 % of turns in ${Math.round(percentile)} ms, all in ${Math.round(longest)} ms`,
    );
    const text = await answer.text();
    expect(answer.status, text).toBe(201);
    expect(JSON.parse(text).load.changes).toContainEqual({
      resource: 'logged_time',
      new: what === 'new' ? ROWS : 0,
      changed: what === 'new' ? 0 : ROWS,
      gone: 0,
    });
    expect(percentile).toBeLessThan(MAX_DELAY_MS);
  }
});
