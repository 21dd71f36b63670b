import type { Value } from '../../../base/database/index.ts';
import type { Query } from '../../../numbers/report/request/number.ts';

/** The links of a message into the page; none without its address. */
export interface PageLinks {
  report(): string | undefined;
  /** Returns the link to the thing that a row is. @param keys The ids in the row. */
  row(keys: Readonly<Record<string, string>>): string | undefined;
  /** Returns the link that opens the lines of a number. @param lines The path of the lines, from `_lines`. */
  lines(lines: Value | undefined, measure: string): string | undefined;
}

/** The screens of reports; the others are shown by the first screen. */
const SCREENS: Readonly<Record<string, string>> = {
  people: 'people',
  timesheets: 'people',
  pivot: 'explore',
  changes: 'changes',
  'data-quality': 'quality',
};

/** The screens of one thing, by the key that names it. */
const PLACES = [
  ['project_id', 'project'],
  ['people_id', 'person'],
  ['client_id', 'client'],
] as const;

/** Makes the links of a query's answer. @param page The address of the page, without a slash at its end. */
export function makePageLinks(page: string | undefined, { selection }: Query): PageLinks {
  const { report, startDate, endDate, filters, ofState } = selection;
  const own = filters.flatMap(({ parameter, values }) =>
    'expression' in values ? [] : [[parameter.name, values.join(',')] as const],
  );
  const shared = {
    start_date: startDate,
    end_date: endDate,
    ...ofState,
    ...Object.fromEntries(own),
  };
  const to = (parameters: Readonly<Record<string, string>>) =>
    page === undefined ? undefined : `${page}/?${new URLSearchParams(parameters)}`;
  const screen = SCREENS[report.name];
  const whole = { ...(screen === undefined ? {} : { screen }), ...shared };
  return {
    report: () => to(whole),
    row(keys) {
      const place = PLACES.find(([key]) => keys[key] !== undefined);
      return place ? to({ screen: place[1], ...shared, [place[0]]: keys[place[0]] ?? '' }) : to(whole);
    },
    lines(lines, measure) {
      if (typeof lines !== 'string') return to(whole);
      return to({ ...whole, lines: `${lines.slice(lines.indexOf('?') + 1)}&measure=${measure}` });
    },
  };
}
