// Sends requests again and again until it is ended, and doesn't wait as long as a refusal asks for.
// Runs at the lowest priority in a process of its own: a client is on a machine of its own.
import { setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** The wait after a refusal. Unit: ms. */
const REFUSED_MS = 50;

setPriority(19);
const { url, headers, atOnce, body } = JSON.parse(process.argv[2] ?? '');
const post = body && { method: 'POST', body: JSON.stringify(body) };
const type = body && { 'content-type': 'application/json' };

async function ask() {
  for (;;) {
    const status = await fetch(url, { headers: { ...headers, ...type }, ...post })
      .then(async (response) => {
        for await (const piece of response.body) void piece;
        return response.status;
      })
      .catch(() => 500);
    if (status >= 400) await sleep(REFUSED_MS);
  }
}

await Promise.all(Array.from({ length: atOnce }, ask));
