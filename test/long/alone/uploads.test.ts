import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { HOSTILE_FILES, type HostileFile } from '../../loads/hostile-files.ts';
import { makeToken, readUrl, watchProgram } from './server.ts';

/** The size of the files that are read wholly, which take minutes each. Unit: percent. */
const PERCENT = Number(process.env['PLUMBLINE_UPLOAD_PERCENT'] ?? 100);

/** The longest time of the event loop for 99 % of its turns. Unit: ms. */
const MAX_DELAY_MS = 100;

/** The most memory of the server and the process that reads. Unit: MiB. */
const MAX_MEMORY_MIB = 1_024;

/** The memory of the server's engine. Unit: MiB. */
const ENGINE_MIB = 512;

/** The time in which the server writes its delays into a file. Unit: ms. */
const WRITE_MS = 200;

/** Times that a file is sent if the event loop is held: the machine may be busy with something else. */
const TURNS = 2;

it(`a server answers beside ${Object.keys(HOSTILE_FILES).length} hostile files, each with its sentence`, {
  timeout: 3_600_000,
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-uploads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const delays = join(folder, 'delays.json');
  const file = join(folder, 'company.duckdb');
  const headers = await makeToken(file, 'test', ['load']);
  const flags = ['--write', '--port', '0', '--log-level', 'error', '--memory-limit', String(ENGINE_MIB)];
  const { program, readPeaks } = watchProgram(['serve', '--database', file, ...flags], {
    nodeFlags: ['--import', join(import.meta.dirname, 'loop-delay.js')],
    variables: { LOOP_DELAY_FILE: delays },
  });
  const url = await readUrl(program);
  const readDelays = async (): Promise<readonly [number, number]> => {
    program.signal('SIGUSR2');
    await sleep(WRITE_MS);
    return JSON.parse(readFileSync(delays, 'utf8'));
  };
  const send = async ({ name, make, isRead, refusal }: HostileFile) => {
    const content = make(isRead ? PERCENT / 100 : 1);
    await readDelays();
    const start = performance.now();
    const { status, text } = await post(`${url}/v3/loads`, headers, name, content);
    const seconds = (performance.now() - start) / 1000;
    const [delayMs, longestMs] = await readDelays();
    const isExpected = refusal ? status === 422 && refusal.test(text) : status === 200;
    const told = `${seconds.toFixed(1)} s, ${Math.round(delayMs)} ms, at most ${Math.round(longestMs)} ms, ${Math.round(readPeaks().togetherMib)} MiB by then`;
    return { isExpected, delayMs, told, answer: `${status} ${text.slice(0, 200)}` };
  };
  const faults: string[] = [];
  for (const [shape, hostile] of Object.entries(HOSTILE_FILES)) {
    let sent = await send(hostile);
    for (let turn = 1; turn < TURNS && sent.delayMs >= MAX_DELAY_MS; turn += 1) sent = await send(hostile);
    console.log(`${shape}: ${sent.told}`);
    if (!sent.isExpected) faults.push(`${shape}: ${sent.answer}`);
    if (sent.delayMs >= MAX_DELAY_MS) faults.push(`${shape}: ${sent.told}`);
  }
  expect(faults).toEqual([]);
  expect(readPeaks().togetherMib).toBeLessThan(MAX_MEMORY_MIB);
});

/** Sends a file as a dry run, and waits for the answer for as long as it takes: fetch gives up after five minutes. */
function post(url: string, headers: Record<string, string>, name: string, content: Buffer) {
  const part = (field: string, more = '') => `--x\r\nContent-Disposition: form-data; name="${field}"${more}\r\n\r\n`;
  const [before, after] = [`${part('dry_run')}1\r\n${part('files', `; filename="${name}"`)}`, '\r\n--x--\r\n'];
  const type = { 'content-type': 'multipart/form-data; boundary=x' };
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...headers, ...type } }, (answer) => {
      buffer(answer).then((bytes) => resolve({ status: answer.statusCode, text: bytes.toString() }), reject);
    });
    sent.on('error', reject);
    sent.end(Buffer.concat([Buffer.from(before), content, Buffer.from(after)]));
  });
}
