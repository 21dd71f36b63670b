import { address, linkTo, linkToScreen } from '../data/address.ts';
import { type Answer, type Meta, type Row, textOf } from '../data/answer.ts';
import { type Catalogue, type Column, columnsOf, filtersOf, pathOf, reportOf, unitOf } from '../data/catalogue.ts';
import { addDecimals, formatDate, formatDecimal } from '../data/numbers.ts';
import { Empty, Pending } from './states.tsx';
import { ReportTable } from './table.tsx';

/** Findings with one cause: a check, and the person who has no rate. */
export type Cause = Row;

/** Severities, the worst first, with their word for one and for more, and their meaning. */
export const SEVERITIES = {
  error: { one: 'error', more: 'errors', meaning: 'Errors: numbers are missing or wrong' },
  warning: { one: 'warning', more: 'warnings', meaning: 'Warnings: numbers may be wrong' },
  notice: { one: 'notice', more: 'notices', meaning: 'Notices: worth a look' },
} as const;

/** Returns the path of the causes of all findings in the window and the filters, without the findings. */
export function pathOfCauses(catalogue: Catalogue): string {
  return pathOf(catalogue, 'data-quality', { causes: '1', fields: 'check', 'per-page': '1' });
}

export function causesOf(answer: Answer | undefined): readonly Cause[] {
  return (answer?.meta as (Meta & { readonly causes?: readonly Cause[] }) | undefined)?.causes ?? [];
}

/** Returns the causes of a severity, or those of a check and a person, as the address names them. */
export function causesNamed(causes: readonly Cause[], name: string): readonly Cause[] {
  const [check, person] = name.split(':');
  return causes.filter(
    (cause) =>
      name === 'all' ||
      cause['severity'] === name ||
      (cause['check'] === check && (person === undefined || textOf(cause, 'people_id') === person)),
  );
}

function sumOf(causes: readonly Cause[], name: string): string | null {
  return addDecimals(causes.flatMap((cause) => textOf(cause, name) ?? []));
}

export function countFindings(causes: readonly Cause[]): string {
  return sumOf(causes, 'findings') ?? '0';
}

/** A sum of causes, in words and in the unit of one. */
interface CauseSum {
  readonly label: string;
  readonly value: string;
  readonly unit: string;
}

/**
 * Returns the sums of causes: the money at risk as far as it is known, and the hours of each check whose money is unknown.
 * Hours of several checks are never one sum: an hour without a cost rate may lack a bill rate too.
 */
export function sumsOf(causes: readonly Cause[], columns: readonly Column[], currency: string): readonly CauseSum[] {
  const checks = new Set(causes.map((cause) => textOf(cause, 'check')));
  const amounts = columns.flatMap((column) => {
    const value = column.name === 'amount_at_risk' ? sumOf(causes, column.name) : null;
    return value === null ? [] : [{ label: column.label, value, unit: unitOf(column, currency) }];
  });
  const hours = [...checks].flatMap((check) => {
    const own = causes.filter((cause) => textOf(cause, 'check') === check);
    const isUnknown = sumOf(own, 'amount_at_risk') === null;
    const words = `${textOf(own[0] ?? {}, 'cause')}`;
    return isUnknown || checks.size === 1 ? hoursOf(own, `${words.charAt(0).toUpperCase()}${words.slice(1)}`) : [];
  });
  return [...amounts, ...hours];
}

/** Returns the logged and the scheduled hours of a check: no actual amount lacks those of the plan. */
function hoursOf(causes: readonly Cause[], label: string): CauseSum[] {
  const scheduled = sumOf(causes, 'scheduled_hours') ?? '0';
  const logged = addDecimals([sumOf(causes, 'hours') ?? '0', `-${scheduled}`]) ?? '0';
  return [
    { value: logged, unit: 'h logged' },
    { value: scheduled, unit: 'h scheduled' },
  ].flatMap((sum) => (/[1-9]/.test(sum.value) ? [{ label, ...sum }] : []));
}

/** Returns the link to findings: all of them, those of a severity, or those of a cause. */
export function linkToFindings(name: string): string {
  return linkTo({ lines: undefined, line: undefined, findings: name });
}

function nameOf(cause: Cause): string {
  const [check, person] = ['check', 'people_id'].map((name) => textOf(cause, name));
  return person === null ? `${check}` : `${check}:${person}`;
}

/** Causes with the way out of each; their numbers open the findings. */
export function CauseTable({
  name,
  catalogue,
  causes,
  currency,
}: {
  /** The name under which the address has its order. */
  name: string;
  catalogue: Catalogue;
  causes: readonly Cause[];
  currency: string;
}) {
  const text = (name: string, label: string, description: string, unit = 'text'): Column => ({
    name,
    label,
    description,
    unit,
  });
  const columns = [
    text('cause', 'Cause', 'What is wrong'),
    ...(causes.some((cause) => textOf(cause, 'person') !== null)
      ? [text('person', 'Person', 'The person who has no rate')]
      : []),
    text('findings', 'Findings', 'The number of findings', 'count'),
    text('first_date', 'From', 'The first day of the findings', 'date'),
    ...columnsOf(catalogue, 'data-quality', ['hours', 'amount_at_risk']),
    text('remedy', 'What to do', 'The way out'),
  ];
  const opening = (name: string) => (cause: Cause) => {
    const value = textOf(cause, name);
    return value === null ? (
      '–'
    ) : (
      <a class="opens" href={linkToFindings(nameOf(cause))}>
        {formatDecimal(value)}
      </a>
    );
  };
  return (
    <ReportTable
      name={name}
      caption="Each number opens its findings"
      columns={columns}
      rows={causes}
      currency={currency}
      cells={{
        person: personLink,
        first_date: (cause) => dayOf(cause),
        findings: opening('findings'),
        hours: opening('hours'),
        amount_at_risk: opening('amount_at_risk'),
      }}
    />
  );
}

function dayOf(cause: Cause): string {
  const day = textOf(cause, 'first_date');
  return day === null ? '–' : formatDate(day);
}

function personLink(cause: Cause) {
  const [name, id] = [textOf(cause, 'person'), textOf(cause, 'people_id')];
  if (name === null || id === null) return '–';
  return cause['is_known'] ? <a href={linkToScreen('person', { people_id: id })}>{name}</a> : name;
}

/** A link to the findings of each severity that touch the numbers of a screen; nothing if there are none, a line while they are being read. */
export function FindingsBadge({ catalogue, answer }: { catalogue: Catalogue; answer: Answer | undefined }) {
  if (!answer) return <p class="badge loading">Findings about these data: …</p>;
  const causes = causesOf(answer);
  if (causes.length === 0) return null;
  const taken = new Set(filtersOf(reportOf(catalogue, 'data-quality')).map(({ name }) => name));
  const known = new Map(catalogue.reports.flatMap(filtersOf).map((filter) => [filter.name, filter]));
  const untaken = [...known.values()].filter(({ name }) => address.value.has(name) && !taken.has(name));
  const counts = Object.entries(SEVERITIES).flatMap(([severity, words]) => {
    const own = causesNamed(causes, severity);
    return own.length === 0 ? [] : [{ severity, words, findings: countFindings(own) }];
  });
  return (
    <p class="badge">
      Findings about these data:{' '}
      {counts.map(({ severity, words, findings }, index) => (
        <>
          {index > 0 && ', '}
          <a href={linkToFindings(severity)}>
            {formatDecimal(findings)} {findings === '1' ? words.one : words.more}
          </a>
        </>
      ))}
      {untaken.length > 0 && `, whatever the filter ${untaken.map(({ label }) => label).join(', ')}`}.
    </p>
  );
}

/** The findings about a place by cause. */
export function FindingsSection({ catalogue, answer }: { catalogue: Catalogue; answer: Answer | undefined }) {
  const causes = causesOf(answer);
  return (
    <section>
      <h2>Findings</h2>
      {!answer ? (
        <Pending />
      ) : causes.length > 0 ? (
        <CauseTable name="causes" catalogue={catalogue} causes={causes} currency={answer.meta.currency} />
      ) : (
        <Empty>None in this window.</Empty>
      )}
    </section>
  );
}
