import { resolve } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { AppError } from '../../error.ts';
import { openGeneration } from '../../generation/open-generation.ts';
import {
  CLOSING_KINDS,
  type ClosingKind,
  type ClosingPreview,
  closePeriod,
  previewClosing,
} from '../../history/closing/close.ts';
import { changeHistory } from '../../history/history-lock.ts';
import { assertStateName, spellKey } from '../../history/state-names.ts';
import type { StateWarning } from '../../history/state-record.ts';
import { takesChangesOf, whileUnowned } from '../../live/unowned.ts';
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
        `${found.period.name}, ${found.period.startDate} to ${found.period.endDate}; complete up to ${found.day}.`,
        ...describeClosed(found),
        ...describeWarnings(found.warnings, found.currency),
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
    stderr.print(
      `Closed ${spellKey(state)}, ${record.start_date} to ${record.end_date}, data version ${record.data_version}.`,
      ...describeWarnings(record.warnings, record.currency),
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

/** Says that a period is closed, and what has come since. */
function describeClosed({ closed, since }: ClosingPreview): string[] {
  if (!closed) return [];
  const { kind, kept_at: at, kept_by: by } = closed.record;
  const nothing = since.length === 0 ? ['Nothing has come into it since.'] : since;
  return [`${spellKey(closed)} closes it, ${kind}, since ${at} by ${by}.`, ...nothing];
}

function describeWarnings(warnings: readonly StateWarning[], currency: string): string[] {
  if (warnings.length === 0) return ['Nothing is open in it.'];
  return warnings.map(({ name, message, hours, people, amount, fees = null }) => {
    const extent = [
      ...(hours === null ? [] : [`${hours} h`]),
      ...(people === null || people === 0 ? [] : [people === 1 ? '1 person' : `${people} people`]),
      ...(amount === null ? [] : [`${fees === null ? 'at risk' : 'cost'} ${amount} ${currency}`]),
      ...(fees === null ? [] : [`fees ${fees} ${currency}`]),
    ];
    return `  ${name}: ${message}${extent.length === 0 ? '' : ` (${extent.join(', ')})`}`;
  });
}
