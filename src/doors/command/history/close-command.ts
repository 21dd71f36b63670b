import { resolve } from 'node:path';
import { readConfig } from '../../../base/config/index.ts';
import { AppError, formatReadable, formatRounded } from '../../../base/index.ts';
import { openGeneration } from '../../../store/generation/index.ts';
import {
  assertStateName,
  type BookedRevenue,
  CLOSING_KINDS,
  type ClosingKind,
  type ClosingPreview,
  changeHistory,
  closePeriod,
  previewClosing,
  readBookedRevenue,
  type StateWarning,
  spellKey,
} from '../../../store/history/index.ts';
import { takesChangesOf, whileUnowned } from '../../../store/live/index.ts';
import { type Command, type Flags, givenInstead } from '../command.ts';
import { readAuthor, readFlagText } from './history-author.ts';
import { listOf } from './keep-command.ts';
import { writeMemoFile } from './write-memo.ts';

export const close: Command = {
  name: 'close',
  summary:
    'Closes a period: keeps the data as they are under its name, with what is still open in it. After a soft closing, changes of its days are taken; after a hard one, a server refuses them.',
  usage: 'close PERIOD',
  flags: [
    {
      name: 'kind',
      argument: 'K',
      help: 'soft, or hard: a server then refuses what would change logged time or expenses of the period. Default: soft.',
    },
    { name: 'confirm', help: 'Close hard although something is open in the period.' },
    { name: 'name', argument: 'N', help: 'A name of the state instead of that of the period.' },
    { name: 'label', argument: 'L', help: 'A title for people, such as "March 2026".' },
    { name: 'reason', argument: 'R', help: 'Why it is closed.' },
    { name: 'file', argument: 'F', isRepeated: true, help: 'A report as it was sent, to be filed. May be repeated.' },
    {
      name: 'memo',
      argument: 'F',
      help: 'Only write the memo of the closed period, on one page of Excel: what was open, its totals then and now, what has come since by cause, and who closed it.',
    },
    {
      name: 'dry-run',
      help: 'Only tell what is open in the period: unlogged hours, missing rates, errors in the data.',
    },
  ],
  examples: [
    'close 2026-03 --label "March 2026" --file projects.xlsx --database company.duckdb',
    'close last_month --dry-run',
    'close 2026-Q1 --kind hard --confirm',
    'close 2026-03-01..2026-03-15 --name first-half',
    'close 2026-03 --memo memo.xlsx',
  ],
  async run(positionals, flags, { stdout, stderr, now }) {
    const [period] = positionals;
    if (period === undefined || positionals.length > 1) {
      throw new AppError('usage', `close takes one period${givenInstead(positionals)}`, {
        hint: 'For example: plumbline close 2026-03',
      });
    }
    const name = readFlagText(flags, 'name');
    if (name !== null) assertStateName(name);
    const config = readConfig(flags);
    const database = resolve(config.database);
    const options = { memoryLimitMib: config.memoryLimitMib };
    const kind = parseKind(flags['kind']);
    const asked = { period, now: now(), takesChanges: takesChangesOf(database) };
    const memo = readFlagText(flags, 'memo');
    if (memo !== null) {
      const state = await writeMemoFile(memo, flags, { ...asked, database, options });
      stderr.print(`Wrote the memo of ${spellKey(state)} to ${memo}.`);
      return;
    }
    if (flags['dry-run'] === true) {
      const opened = await openGeneration(database, options);
      const found = await previewClosing(database, opened, { ...asked, seesRates: true }).finally(() => opened.close());
      stdout.print(
        `${found.period.name}, ${found.period.startDate} to ${found.period.endDate}; records as of ${found.day}, ${describeLogged(found)}.`,
        ...describeClosed(found),
        ...describeWarnings(found.warnings, found.currency),
        ...describeBooked(found.booked, found.currency),
      );
      return;
    }
    const request = {
      ...asked,
      kind,
      isConfirmed: flags['confirm'] === true,
      name,
      label: readFlagText(flags, 'label'),
      reason: readFlagText(flags, 'reason'),
      reports: listOf(flags['file']).map((path) => ({ path })),
      by: readAuthor(),
    };
    const call = `POST /v3/closings {"period": "${period}", "kind": "${kind}"}`;
    const state = await whileUnowned(database, call, () =>
      changeHistory(database, (log) => closePeriod(database, log, request, options)),
    );
    const { record } = state;
    const days = { startDate: record.start_date ?? '', endDate: record.end_date ?? '' };
    const opened = await openGeneration(database, options);
    const booked = await readBookedRevenue(database, opened, days, asked.now).finally(() => opened.close());
    stderr.print(
      `Closed ${spellKey(state)}, ${record.start_date} to ${record.end_date}, data version ${record.data_version}.`,
      ...describeWarnings(record.warnings, record.currency),
      ...describeBooked(booked, record.currency),
      `Its files are in ${state.folder}.`,
    );
  },
};

function parseKind(flag: Flags[string] = 'soft'): ClosingKind {
  const kind = CLOSING_KINDS.find((each) => each === flag);
  if (kind) return kind;
  throw new AppError('usage', `--kind: "${flag}" is not a kind of closing`, {
    hint: `Give one of ${CLOSING_KINDS.join(', ')}.`,
  });
}

function describeLogged({ lastLogged }: ClosingPreview): string {
  return lastLogged === null ? 'without logged time' : `with time logged up to ${lastLogged}`;
}

/** Says that a period is closed, and what has come since. */
function describeClosed({ closed, since }: ClosingPreview): string[] {
  if (!closed) return [];
  const { kind, kept_at: at, kept_by: by } = closed.record;
  const nothing = since.length === 0 ? ['Nothing has come into it since.'] : since;
  return [`${spellKey(closed)} closes it, ${kind}, since ${at} by ${by}.`, ...nothing];
}

/** Formats an amount of money, which has the decimals of its currency already. */
function formatAmount(amount: string): string {
  return formatRounded(amount, amount.split('.')[1]?.length ?? 0);
}

/** Says what is booked, and what of it is for earlier periods. */
function describeBooked(booked: BookedRevenue | undefined, currency: string): string[] {
  if (!booked) return [];
  const { revenue, catchUp } = booked;
  return [`Booked: revenue ${formatAmount(revenue)} ${currency}, of it ${formatAmount(catchUp)} for earlier months.`];
}

function describeWarnings(warnings: readonly StateWarning[], currency: string): string[] {
  if (warnings.length === 0) return ['Nothing is open in it.'];
  return warnings.map(({ name, message, hours, people, amount, fees = null, revenue = null }) => {
    const extent = [
      ...(hours === null ? [] : [`${formatReadable(hours, 'hours', 2)} h`]),
      ...(people === null || people === 0 ? [] : [people === 1 ? '1 person' : `${people} people`]),
      ...(amount === null ? [] : [`${fees === null ? 'at risk' : 'cost'} ${formatAmount(amount)} ${currency}`]),
      ...(fees === null ? [] : [`value of work ${formatAmount(fees)} ${currency}`]),
      ...(revenue === null ? [] : [`revenue ${formatAmount(revenue)} ${currency}`]),
    ];
    return `  ${name}: ${message}${extent.length === 0 ? '' : ` (${extent.join(', ')})`}`;
  });
}
