import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError } from '../../../base/index.ts';
import { type Command, type CommandContext, type Flags, givenInstead, settingFlags } from '../../command/command.ts';
import type { DeliveryStatus } from '../delivery-status.ts';
import { describeDeliveries } from '../describe-deliveries.ts';
import { readHistory } from '../occurrence/delivery-log.ts';
import { openSchedule } from '../schedule/cron.ts';
import { DELIVERY_SETTINGS, readDeliveriesFile } from '../setup/deliveries-file.ts';
import type { DeliveryPlan } from '../setup/delivery-setup.ts';
import { EVENTS } from '../setup/read-plan.ts';
import { readSetupFile } from '../setup/read-setup.ts';
import { readCheckedCompany } from './checked-company.ts';

/** The moments of each delivery that a check prints. */
const SHOWN_MOMENTS = 5;

export const deliveries: Command = {
  name: 'deliveries',
  summary:
    'Lists deliveries: when each comes next, and what has become of the last one. With check, says every fault of a file with its line, or the next moments of each delivery.',
  usage: 'deliveries | deliveries check FILE',
  flags: [
    ...settingFlags(DELIVERY_SETTINGS),
    { name: 'format', argument: 'F', help: 'table or json. Default: table on a terminal and json elsewhere.' },
  ],
  examples: [
    'deliveries --deliveries deliveries.yaml --database company.duckdb',
    'deliveries check deliveries.yaml --database company.duckdb',
  ],
  async run([action, file, ...more], flags, context) {
    if (action === 'check' && file !== undefined && more.length === 0) return check(file, flags, context);
    if (action === undefined) return list(flags, context);
    const given = [action, file, ...more].filter((word) => word !== undefined);
    throw new AppError('usage', `deliveries takes nothing, or check and a file${givenInstead(given)}`, {
      hint: 'For example: plumbline deliveries check deliveries.yaml',
    });
  },
};

async function list(flags: Flags, { stdout, now }: CommandContext): Promise<void> {
  const { format = stdout.isTTY ? 'table' : 'json' } = flags;
  if (format !== 'table' && format !== 'json') {
    throw new AppError('usage', `--format: "${String(format)}" is not a format of this list`, {
      hint: 'Give table or json.',
    });
  }
  const config = readConfig(flags);
  const company = await readCheckedCompany(config, now());
  const setup = await readSetupFile(resolve(readDeliveriesFile(flags)), { ...company, sends: null });
  const history = await readHistory(resolve(config.database));
  const shown = { timeZone: company.timeZone, now: now(), showsRecipients: true };
  const all = describeDeliveries(setup, history, shown);
  if (format === 'json') await stdout.write([`${JSON.stringify({ deliveries: all }, null, 2)}\n`]);
  else stdout.print(...all.flatMap(formatStatus));
}

/** Formats a delivery as lines: its moments, and what has become of each target. */
function formatStatus({ name, when, next, last }: DeliveryStatus): string[] {
  const latest = last ? `last ${last.moment}${last.is_late ? ' (late)' : ''}: ${last.state}` : 'never yet';
  const targets = (last?.targets ?? []).map(({ target, state, at, sending_since: since, waits_for: first, why }) => {
    const time = since === null ? at && ` at ${at}` : ` since ${since}`;
    return `  ${target}: ${state}${first === null ? '' : ` for ${first}`}${time ?? ''}${why ? `: ${why}` : ''}`;
  });
  return [`${name}: next ${next ?? `with ${when}`}, ${latest}${last?.why ? `: ${last.why}` : ''}`, ...targets];
}

async function check(file: string, flags: Flags, { stdout, stderr, now }: CommandContext): Promise<void> {
  const moment = now();
  const company = await readCheckedCompany(readConfig(flags), moment);
  const { plans, mail } = await readSetupFile(resolve(file), company);
  if (!company.isKnown) stderr.print('There is no database yet, so these moments are in UTC.');
  if (mail?.security === 'none')
    stdout.print(`Mails go without TLS to ${mail.host}, which must be this machine or in a private network.`);
  for (const plan of plans) stdout.print(`${plan.name}: ${describeMoments(plan, moment, company.timeZone)}`);
  if (plans.length === 0) stdout.print(`${file} is right, and has no delivery.`);
}

function describeMoments({ when, alert }: DeliveryPlan, now: Date, timeZone: string): string {
  if (alert && alert.problems.length > 0) return 'whenever one of its problems begins or ends';
  if (EVENTS.includes(when)) return when === 'closed' ? 'whenever a period is closed' : 'with each new data version';
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'shortOffset',
  });
  const moments = openSchedule(when, timeZone).next(now, SHOWN_MOMENTS);
  return moments.map((moment) => spell(format, moment)).join(', ');
}

/** Spells a moment as "Mon 2026-06-03 07:00 GMT+2". */
function spell(format: Intl.DateTimeFormat, moment: Date): string {
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  const day = [part('year'), part('month'), part('day')].join('-');
  return `${part('weekday').replace('.', '')} ${day} ${part('hour')}:${part('minute')} ${part('timeZoneName')}`;
}
