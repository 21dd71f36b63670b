import { useRef } from 'preact/hooks';
import { address, go, linkTo } from '../data/address.ts';
import { defaultPeriod } from '../data/catalogue.ts';
import { COMPARISONS } from '../data/compared.ts';
import { type Days, isDay, isDays, isWholeLife, shiftDays, WHOLE_LIFE } from '../data/days.ts';
import { formatDays } from '../data/numbers.ts';
import { shownMeta } from '../data/reading.ts';
import { Menu } from '../parts/menu.tsx';

/** Named periods of the company's calendar, which move with the days. */
const PRESETS: readonly (readonly [period: string, label: string])[] = [
  ['this_and_next_6_weeks', 'This week and the next 6'],
  ['next_4_weeks', 'Next 4 weeks'],
  ['last_4_weeks', 'Last 4 weeks'],
  ['last_month', 'Last month'],
  ['this_month', 'This month'],
  ['next_month', 'Next month'],
  ['last_quarter', 'Last quarter'],
  ['this_quarter', 'This quarter'],
  ['next_quarter', 'Next quarter'],
  ['last_year', 'Last fiscal year'],
  ['this_year', 'This fiscal year'],
  ['last_12_months', 'Last 12 months'],
];

/** The window: a period by name with its days, the ones before and after it, and what it is compared with. */
export function Window({ hasCutoff, hasWholeLife }: { hasCutoff: boolean; hasWholeLife: boolean }) {
  const days = daysShown();
  const period = address.value.get('period') ?? (hasDays() ? undefined : periodShown());
  const preset = PRESETS.find(([name]) => name === period)?.[1];
  const isWhole = days !== undefined && isWholeLife(days);
  const name = preset ?? (isWhole ? 'Whole life' : (period?.replaceAll('_', ' ') ?? (days ? undefined : 'Days')));
  const text = days && !isWhole ? formatDays(days) : '';
  return (
    <div class="window">
      {days && !isWhole && <Shift days={shiftDays(days, -1)} label="The period before" sign="‹" />}
      <Menu
        label={
          <>
            {name && <strong>{name}</strong>} {text}
          </>
        }
      >
        {(close) => <Choices period={period} hasCutoff={hasCutoff} hasWholeLife={hasWholeLife} close={close} />}
      </Menu>
      {days && !isWhole && <Shift days={shiftDays(days, 1)} label="The period after" sign="›" />}
    </div>
  );
}

/** The link to the days before or after the window; none where the calendar ends. */
function Shift({ days, label, sign }: { days: Days; label: string; sign: string }) {
  if (!isDays(days)) return null;
  return (
    <a class="button" href={linkToDays(days)} aria-label={label}>
      {sign}
    </a>
  );
}

interface ChoicesProps {
  readonly period: string | undefined;
  readonly hasCutoff: boolean;
  readonly hasWholeLife: boolean;
  readonly close: () => void;
}

function Choices({ period, hasCutoff, hasWholeLife, close }: ChoicesProps) {
  const days = daysNamed();
  const compared = address.value.get('compare');
  const cutoff = address.value.get('cutoff_date') ?? '';
  const isNamed = cutoff !== '' && !/^\d{4}-/.test(cutoff);
  return (
    <>
      <ul class="presets" aria-label="Periods">
        {PRESETS.map(([name, label]) => (
          <li>
            <a
              href={linkTo({ period: name, start_date: undefined, end_date: undefined })}
              aria-current={name === period ? 'true' : undefined}
              onClick={close}
            >
              {label}
            </a>
          </li>
        ))}
        {hasWholeLife && (
          <li>
            <a href={linkToDays(WHOLE_LIFE)} onClick={close}>
              Whole life
            </a>
          </li>
        )}
      </ul>
      <DayField
        label="From"
        isRequired
        value={days.start_date ?? ''}
        set={(day) => linkToDays({ ...WHOLE_LIFE, ...days, start_date: day })}
      />
      <DayField
        label="to"
        isRequired
        value={days.end_date ?? ''}
        set={(day) => linkToDays({ ...WHOLE_LIFE, ...days, end_date: day })}
      />
      {hasCutoff && (
        <DayField
          label={`Actuals until ${isNamed ? cutoff.replaceAll('_', ' ') : ''}`}
          hint="The last day on which actuals count; later days count as plan. Without it, the last day with logged time, on or before today, and the weekend or holidays after it; for a closed period, its end."
          value={isNamed ? '' : cutoff}
          set={(day) => linkTo({ cutoff_date: day || undefined })}
        />
      )}
      <ul class="presets" aria-label="Compare with">
        {Object.entries(COMPARISONS).map(([name, label]) => (
          <li>
            <a
              href={linkTo({ compare: name === compared ? undefined : name })}
              aria-current={name === compared ? 'true' : undefined}
              onClick={close}
            >
              Compare: {label.toLowerCase()}
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}

/** A field for a day. It counts when it is finished: at Enter, when it is left, or when a calendar's day is chosen. */
function DayField(props: {
  label: string;
  hint?: string;
  value: string;
  isRequired?: boolean;
  set: (day: string) => string;
}) {
  const { label, hint, value, isRequired = false, set } = props;
  const isTyping = useRef(false);
  const finish = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
    isTyping.current = false;
    if (currentTarget.value !== value && currentTarget.validity.valid) go(set(currentTarget.value));
  };
  return (
    <label title={hint}>
      {label}{' '}
      <input
        type="date"
        required={isRequired}
        min={WHOLE_LIFE.start_date}
        max={WHOLE_LIFE.end_date}
        value={value}
        onKeyDown={(event) => {
          isTyping.current = true;
          if (event.key === 'Enter') finish(event);
        }}
        onChange={(event) => {
          if (!isTyping.current) finish(event);
        }}
        onBlur={finish}
      />
    </label>
  );
}

/** Returns the period that the server named last; none where a closing has days of its own. */
function periodShown(): string | undefined {
  const meta = shownMeta.value;
  return meta ? (meta.parameters['period'] as string | undefined) : defaultPeriod();
}

function linkToDays({ start_date, end_date }: Days): string {
  return linkTo({ period: undefined, start_date, end_date });
}

function hasDays(): boolean {
  return address.value.has('start_date') || address.value.has('end_date');
}

/** Returns the days of the window; undefined where the address names what is none, and before the server has named any. */
function daysShown(): Days | undefined {
  const days = daysNamed();
  return isDays(days) ? days : undefined;
}

/** Returns the first and the last day of the address, or those that the server named last, as far as they are days. */
function daysNamed(): Partial<Days> {
  const named = hasDays() ? Object.fromEntries(address.value) : (shownMeta.value?.parameters ?? {});
  const { start_date: start, end_date: end } = named;
  return { ...(isDay(start) && { start_date: start }), ...(isDay(end) && { end_date: end }) };
}
