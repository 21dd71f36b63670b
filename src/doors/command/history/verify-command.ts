import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import {
  acceptBreaks,
  assertDatabaseThere,
  spellKey,
  type VerifiedState,
  verifyStates,
} from '../../../store/history/index.ts';
import { whileUnowned } from '../../../store/live/index.ts';
import { type Command, givenInstead } from '../command.ts';
import { readAuthor, readFlagText } from './history-author.ts';

export const verify: Command = {
  name: 'verify',
  summary:
    'Checks kept states: the SHA-256 of every file, the log, and the control totals, computed again by this version. Fails, and names what differs.',
  usage: 'verify [NAME]',
  flags: [
    {
      name: 'accept',
      argument: 'R',
      help: 'Note in the log that its changed or missing lines are known, with this reason, and go on from there.',
    },
  ],
  examples: ['verify --database company.duckdb', 'verify 2026-03', 'verify --accept "restored by hand after a crash"'],
  async run(positionals, flags, { stdout, stderr, now }) {
    const [name] = positionals;
    if (positionals.length > 1) throw new AppError('usage', `verify takes one name${givenInstead(positionals)}`);
    const config = readConfig(flags);
    const database = resolve(config.database);
    await assertDatabaseThere(database);
    const reason = readFlagText(flags, 'accept');
    if (reason !== null) {
      const note = { by: readAuthor(), reason, now: now() };
      const { breaks, adopted } = await whileUnowned(database, undefined, () => acceptBreaks(database, note));
      stderr.print(
        breaks.length + adopted.length === 0 ? 'The log is whole: there is nothing to accept.' : 'Noted in the log.',
        ...breaks.map((found) => `  line ${found.line}: ${found.reason}`),
        ...adopted.map((key) => `  taken up as it is: ${key}`),
      );
    }
    const { breaks, unlogged, states } = await verifyStates(database, name, { memoryLimitMib: config.memoryLimitMib });
    stdout.print(
      ...breaks.map((found) => `events.ndjson, line ${found.line}: ${found.reason}`),
      ...states.flatMap(describeVerified),
      ...unlogged.states.map((state) => `${spellKey(state)}: the log has no line of it`),
      ...unlogged.leftovers.map((folder) => `${folder}: left by an interrupted change; the next one removes it`),
      ...unlogged.others.map((folder) => `${folder}: not a folder of a kept state; nothing reads or removes it`),
    );
    const bad = states.filter(({ faults, totals }) => faults.length > 0 || (totals?.differing.length ?? 0) > 0);
    const wrong = breaks.length + bad.length + unlogged.states.length;
    if (wrong === 0) {
      stdout.print(`${states.length} kept ${states.length === 1 ? 'state' : 'states'} verified.`);
      return;
    }
    throw new AppError('check', `${wrong} of the kept states and lines of the log are not as they were kept`, {
      hint: 'Put what differs from a backup in its place. A number that differs is of other definitions, or of a fault: compare both versions.',
    });
  },
};

function describeVerified({ key, faults, olderVersion, totals }: VerifiedState): string[] {
  if (faults.length > 0) return faults.map((fault) => `${key}: ${fault}`);
  if (olderVersion !== undefined) {
    return [
      `${key}: its files are as they were kept; version ${olderVersion} kept it, so this one doesn't compute its totals`,
    ];
  }
  if (totals === null) return [`${key}: its files are as they were kept`];
  const { differing, changed } = totals;
  const apart =
    changed.length === 0 ? '' : `, but for those that this version defines otherwise: ${changed.join(', ')}`;
  if (differing.length === 0) return [`${key}: its files are as they were kept, and its control totals tie${apart}`];
  return differing.map(
    ({ measure, row, kept, computed }) =>
      `${key}: ${measure}, ${row}: ${kept ?? 'nothing'} kept, ${computed ?? 'nothing'} now`,
  );
}
