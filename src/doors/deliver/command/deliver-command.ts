import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { todayOf } from '../../../numbers/report/catalogue/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead, settingFlags } from '../../command/command.ts';
import { openFileData } from '../content/open-file-data.ts';
import { findPlan, openDeliverer } from '../deliverer.ts';
import type { DelivererParts } from '../deliverer-parts.ts';
import { runDry } from '../dry-run.ts';
import { openDeliveryLog } from '../occurrence/delivery-log.ts';
import { describeNothing } from '../occurrence/describe-nothing.ts';
import { DELIVERY_SETTINGS, readDeliveriesFile } from '../setup/deliveries-file.ts';
import { readSetupFile } from '../setup/read-setup.ts';

export const deliver: Command = {
  name: 'deliver',
  summary:
    'Sends what is due of a file of deliveries, and what earlier tries have left; for a cron job, where no server delivers.',
  usage: 'deliver NAME | deliver --due',
  flags: [
    ...settingFlags(DELIVERY_SETTINGS),
    { name: 'due', help: 'Send all that is due.' },
    { name: 'now', help: 'Send the delivery now, whatever its moment.' },
    { name: 'dry-run', help: 'Write the messages as files, as if the delivery were due now, and send nothing.' },
    { name: 'output', argument: 'DIR', help: 'The folder of a dry run, which is replaced. Default: dry-run-NAME.' },
  ],
  examples: [
    'deliver --due --deliveries deliveries.yaml --database company.duckdb',
    'deliver month-end --now --deliveries deliveries.yaml',
    'deliver month-end --dry-run --output preview --deliveries deliveries.yaml',
  ],
  async run(positionals, flags, context) {
    const [name] = positionals;
    const isDue = flags['due'] === true;
    const only = ['now', 'dry-run', 'output'].find((flag) => isDue && flags[flag] !== undefined);
    if ((name === undefined) !== isDue || positionals.length > 1 || only !== undefined) {
      const given = only === undefined ? givenInstead(positionals) : `, but was given --due and --${only}`;
      throw new AppError('usage', `deliver takes the name of a delivery, or --due${given}`, {
        hint: 'For example: plumbline deliver month-end --dry-run, or plumbline deliver --due',
      });
    }
    await deliverFrom(name, flags, context);
  },
};

async function deliverFrom(name: string | undefined, flags: Flags, { stderr, now }: CommandContext): Promise<void> {
  const config = readConfig(flags);
  const file = resolve(readDeliveriesFile(flags));
  const database = resolve(config.database);
  const { data, close } = await openFileData(database, config.memoryLimitMib);
  try {
    const company = data.company();
    const days = { today: todayOf(company, now()), company };
    const sends = flags['dry-run'] === true ? null : name;
    const setup = await readSetupFile(file, { catalogues: data.catalogues, days, sends });
    const failures: string[] = [];
    const parts = {
      data,
      setup: () => setup,
      now,
      signal: new AbortController().signal,
      listener: {
        sent: (delivery: string, key: string, result: string, why: string | undefined) => {
          stderr.print(`${delivery}: ${key}: ${result}${why === undefined ? '' : `: ${why}`}`);
          if (why !== undefined) failures.push(key);
        },
        held: (delivery: string, why: string) => {
          stderr.print(`${delivery}: not sent: ${why}`);
          failures.push(delivery);
        },
        resumed: () => undefined,
      },
    };
    if (name !== undefined && flags['dry-run'] === true) {
      const output = typeof flags['output'] === 'string' ? flags['output'] : `dry-run-${name}`;
      const { lines, nothing } = await runDry(parts, findPlan(setup, name), resolve(output));
      if (nothing !== undefined) stderr.print(`${name}: nothing was sent: ${nothing}.`);
      else stderr.print(...lines, `Nothing was sent. The messages are in ${output}.`);
      return;
    }
    await deliverOnce(parts, name, flags['now'] === true, (line) => stderr.print(line));
    if (failures.length > 0) {
      throw new AppError('source', `Not everything was sent: ${failures.join(', ')}`, {
        hint: 'plumbline deliver --due tries again what waits or failed, for 24 hours; a report with a fault comes at its next moment.',
      });
    }
  } finally {
    await close();
  }
}

async function deliverOnce(
  parts: Omit<DelivererParts, 'log'>,
  name: string | undefined,
  isNow: boolean,
  tell: (line: string) => void,
): Promise<void> {
  const log = await openDeliveryLog(parts.data.database);
  try {
    const deliverer = await openDeliverer({ ...parts, log });
    const known = new Set(log.history().occurrences.keys());
    if (name !== undefined) findPlan(parts.setup(), name);
    if (name !== undefined && isNow) await deliverer.begin(name);
    await deliverer.advance(name);
    await deliverer.idle();
    const occurrences = [...log.history().occurrences.values()];
    for (const { id, name: delivery, made } of occurrences) {
      if (known.has(id) || !made || made.withheld !== null || made.sendings.length > 0) continue;
      tell(`${delivery}: nothing was sent: ${describeNothing(made)}.`);
    }
    const isIdle = occurrences.every(({ id, doneAt }) => known.has(id) && doneAt !== undefined);
    if (isIdle) tell('Nothing is due.');
  } finally {
    await log.close();
  }
}
