import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Code that depends on the time zone or on the current time, and the files allowed to contain it. */
const FORBIDDEN: readonly { what: RegExp; allowed: readonly string[]; only?: string }[] = [
  // The time comes from a parameter; these provide its default.
  {
    what: /new Date\(\)|Date\.now\b/,
    allowed: [
      'src/main.ts',
      'src/doors/http/server.ts',
      'src/doors/command/load/load-dataset.ts',
      'src/records/ingest/ingest.ts',
      'src/pull/requests/clock.ts',
      'src/pull/reader-child.ts',
      'src/cluster/lake/s3-lease.ts',
      // A record shows the bill rate of today.
      'src/store/record/rules/bill-rates.ts',
      // As the library that checks the other times of tokens.
      'src/doors/identity/issuer.ts',
    ],
  },
  // Days are computed with dates in UTC.
  { what: /\.[gs]et(Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)\(/, allowed: ['src/base/calendar/day.ts'] },
  { what: /new Date\([^)`'"]+,/, allowed: [] },
  // Digit grouping in a fixed language.
  {
    what: /toLocale\w*String/,
    allowed: ['src/doors/sandbox/run-statement.ts', 'src/numbers/write/xlsx/summary/bridge-chart.ts'],
  },
  // The company's own time zone, and names of months.
  {
    what: /Intl\.DateTimeFormat/,
    allowed: [
      'src/base/calendar/day-names.ts',
      'src/base/calendar/day.ts',
      'src/base/calendar/zone.ts',
      'src/doors/deliver/command/deliveries-command.ts',
      'src/records/ingest/records/settings-file.ts',
    ],
  },
  { what: /from 'date-fns/, allowed: ['src/base/calendar/day.ts'] },
  // Macros of reports are called without a clock; the sandbox lists the admitted functions.
  {
    what: /\b(current_date|current_(local)?time(stamp)?|localtime(stamp)?)\b|\btimezone\(.*\bnow\(\)/i,
    allowed: ['src/numbers/report/marts/macros.ts', 'src/doors/sandbox/admitted-functions.ts'],
  },
  { what: /\b(now|today|get_current_\w+)\(\)/i, allowed: [], only: '.sql' },
];

const files = ['src', 'packages', 'sql', 'reports'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
);

it.each(FORBIDDEN)('only the listed files have $what', ({ what, allowed, only = '' }) => {
  const having = files.filter(
    (file) =>
      /\.(ts|sql|yaml)$/.test(file) &&
      file.endsWith(only) &&
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => what.test(line)),
  );
  expect(having.toSorted()).toEqual(allowed.toSorted());
});
