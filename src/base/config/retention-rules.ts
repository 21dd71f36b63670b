import { AppError } from '../error.ts';
import { type Environment, type FlagValues, optional, readSettings, type Settings } from './setting.ts';

/** The spans of a company's calendar of which the last published state is kept. */
export const RETENTION_SPANS = ['daily', 'weekly', 'monthly'] as const;

type RetentionSpan = (typeof RETENTION_SPANS)[number];

/** The number of days, weeks and months whose last states are kept. */
export type RetentionRules = Readonly<Partial<Record<RetentionSpan, number>>>;

/** The most states that one rule keeps. */
const MAX_RETAINED_STATES = 10_000;

/** The rules of a server that takes changes, unless it is given others. */
export const DEFAULT_RETENTION: RetentionRules = { daily: 14 };

/** The word in the place of rules that keeps nothing. */
const NOTHING = 'none';

const SHOWN_DEFAULT = `daily:14 for serve with --write or --sync, else ${NOTHING}`;

export const RETENTION_SETTINGS = {
  retention: {
    flag: 'keep',
    variable: 'PLUMBLINE_KEEP',
    default: '',
    argument: 'RULES',
    help: 'Keep the last published state of each day, week or month when another replaces it, such as daily:14,weekly:8,monthly:24; the oldest go first. "none" keeps nothing.',
    shownDefault: SHOWN_DEFAULT,
    parse: optional(parseRules),
  },
} satisfies Settings;

/**
 * Reads the rules of retention from flags and environment; undefined without any, null where nothing is to be kept.
 * @throws AppError usage for other words or numbers.
 */
export function readRetention(
  flags: FlagValues,
  environment: Environment = process.env,
): RetentionRules | null | undefined {
  return readSettings(RETENTION_SETTINGS, flags, environment).retention;
}

function parseRules(text: string): RetentionRules | null {
  if (text === NOTHING) return null;
  const rules: Partial<Record<RetentionSpan, number>> = {};
  for (const item of text.split(',')) {
    const [, name, count = ''] = /^([a-z]+):(\d{1,5})$/.exec(item.trim()) ?? [];
    const span = RETENTION_SPANS.find((each) => each === name);
    if (!span || Number(count) < 1 || Number(count) > MAX_RETAINED_STATES || rules[span] !== undefined) {
      throw new AppError('usage', `--keep: "${item}" is not a rule, or another of its kind is there`, {
        hint: `Give ${RETENTION_SPANS.join(', ')}, each once with a number from 1 to ${MAX_RETAINED_STATES}, such as daily:14,weekly:8,monthly:24, or ${NOTHING}.`,
      });
    }
    rules[span] = Number(count);
  }
  return rules;
}
