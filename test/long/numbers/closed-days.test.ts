import { expect, it, onTestFinished } from 'vitest';
import { openClosed } from '../../live/closed-company.ts';
import { sendRandomRequests } from '../../live/random-requests.ts';
import { SEED } from '../../seed.ts';

/** Number of random requests. */
const REQUESTS = Number(process.env['PLUMBLINE_CLOSED_REQUESTS'] ?? 10_000);

it(`no random request changes a line of closed days, PLUMBLINE_SEED=${SEED}`, {
  timeout: REQUESTS * 5_000,
}, async () => {
  const { live, close } = await openClosed();
  onTestFinished(close);
  const answers = await sendRandomRequests(live, REQUESTS, SEED);
  // None is tested in name only.
  expect(Object.values(answers)).not.toContain(0);
});
