import { testCases } from './gallery.ts';

const WINDOW = '--start-date 2026-01-01 --end-date 2026-01-31';

/** Invalid command lines: each message names the wrong word and the valid ones. Exit code 2. */
testCases([
  { name: 'command-missing', title: 'No command is given.', commands: [''] },
  { name: 'command-unknown', title: 'The command does not exist.', commands: ['frobnicate', 'laod DIR/data'] },
  {
    name: 'flag-unknown',
    title: 'The flag does not exist.',
    commands: [
      'load DIR/data --fast',
      `report projects ${WINDOW} --colour red`,
      'status --verbose',
      'load DIR/data -x',
    ],
  },
  {
    name: 'flag-without-value',
    title: 'A flag has no value, or one that it does not take.',
    commands: [
      'load DIR/data --database',
      'report people --start-date --end-date 2026-01-31',
      'load DIR/data --strict=no',
    ],
  },
  {
    name: 'sync',
    title: 'A sync has no address, no token, or one that no request may use.',
    files: { token: 'secret-token', 'two-words': 'two words' },
    commands: [
      'sync',
      'sync https://api.example.com/v3 --token-env PLUMBLINE_NO_TOKEN',
      'sync https://api.example.com/v3 --token-file DIR/two-words',
      'sync https://api.example.com/v3 --token-file DIR/missing',
      'sync http://api.example.com/v3 --token-file DIR/token',
      'sync api.example.com --token-file DIR/token',
      'sync https://name:pass@api.example.com --token-file DIR/token',
      'sync https://api.example.com/v3 --token-file DIR/token --every 15',
      'sync https://api.example.com/v3 --token-file DIR/token --requests-per-minute 0',
      'sync https://api.example.com/v3 --token-file DIR/token --settings DIR/none.json',
      'sync https://api.example.com/v3 --token-file DIR/token --dry-run --every 1h',
      'sync https://api.example.com/v3 --token-file DIR/token --dry-run --tie-out',
      'sync http://127.0.0.1:65535 --token-file DIR/token',
      'serve --sync https://api.example.com/v3 --write',
      'serve --tie-out',
      'serve --max-age soon',
      'status --max-age 0h',
    ],
  },
  {
    name: 'arguments',
    title: 'Arguments are missing, or there are too many.',
    commands: ['load', 'load DIR/data DIR/more', 'report', `report projects people ${WINDOW}`, 'status now'],
  },
  {
    name: 'memory-limit',
    title: 'The memory limit is none.',
    commands: [
      'load DIR/data --memory-limit lots',
      'load DIR/data --memory-limit 1',
      'load DIR/data --memory-limit 99999999999999999999',
    ],
  },
  { name: 'report-unknown', title: 'The report does not exist.', commands: [`report profits ${WINDOW}`] },
  {
    name: 'parameter-unknown',
    title: 'The report does not take the parameter, though others do.',
    commands: [`report projects ${WINDOW} --group-by client`, `report data-quality ${WINDOW} --cutoff-date 2026-01-15`],
  },
  {
    name: 'window-missing',
    title: 'The first or the last day is missing.',
    commands: ['report projects', 'report projects --start-date 2026-01-01', 'report projects --end-date 2026-01-31'],
  },
  {
    name: 'window-period',
    title: 'The window has no such name, no such days, or both a name and days.',
    commands: [
      'report projects --period last_mnth',
      'report projects --period last_20000_days',
      'report projects --period next_year --start-date 2026-01-01',
      'report projects --period 2100 --cutoff-date tomorrow',
    ],
  },
  {
    name: 'window-ends-before-start',
    title: 'The window ends before it starts.',
    commands: ['report projects --start-date 2026-02-01 --end-date 2026-01-31'],
  },
  {
    name: 'window-unreadable',
    title: 'The days are none, or out of range.',
    commands: [
      'report projects --start-date 2026-02-31 --end-date 2026-03-31',
      'report projects --start-date 01.01.2026 --end-date tomorrow',
      'report projects --start-date 0001-01-01 --end-date 9999-12-31',
      `report projects ${WINDOW} --cutoff-date 2026-13-01`,
    ],
  },
  {
    name: 'value-unknown',
    title: 'A parameter has a value that is not allowed.',
    commands: [
      `report projects ${WINDOW} --status done`,
      `report projects ${WINDOW} --status confirmed,canceled`,
      `report projects ${WINDOW} --interval fortnight`,
      `report projects ${WINDOW} --expand people`,
      `report projects ${WINDOW} --billable maybe`,
      `report projects ${WINDOW} --active 1,2`,
      `report projects ${WINDOW} --project-id 1,two`,
      `report projects ${WINDOW} --project-id ""`,
      `report projects ${WINDOW} --people-type-id 9`,
      `report projects ${WINDOW} --tag ,`,
      `report projects ${WINDOW} --include-empty yes`,
      `report projects ${WINDOW} --page 0 --per-page many`,
    ],
  },
  {
    name: 'values-unknown-together',
    title: 'Several parameters are wrong at once: each is named.',
    commands: ['report people --start-date soon --people-id x,1 --status done --interval fortnight'],
  },
  {
    name: 'group-by',
    title: 'A pivot has no dimension, or one that does not exist.',
    commands: [`report pivot ${WINDOW}`, `report pivot ${WINDOW} --group-by client,weather`],
  },
  {
    name: 'columns',
    title: 'A pivot can not have these columns: no period, a report without them, no rows left, or too many.',
    commands: [
      `report pivot ${WINDOW} --group-by client --columns client`,
      `report projects ${WINDOW} --columns month`,
      `report pivot ${WINDOW} --group-by month --columns month`,
      `report pivot ${WINDOW} --group-by client --columns day`,
      `report pivot ${WINDOW} --group-by client --columns month --measures actual_hours --sort actual_hours_month_2026_01_01`,
    ],
  },
  {
    name: 'subtotals',
    title: 'Subtotals have no groups of rows, come on pages, or in a format of rows alone.',
    commands: [
      `report pivot ${WINDOW} --group-by client --subtotals 1`,
      `report pivot ${WINDOW} --group-by client,project --subtotals 1 --per-page 10`,
      `report pivot ${WINDOW} --group-by client,project --subtotals 1 --format csv`,
      `report projects ${WINDOW} --subtotals 1`,
    ],
  },
  {
    name: 'measure-unknown',
    title: 'The measure does not exist.',
    commands: [`report pivot ${WINDOW} --group-by client --measures actual_hours,happiness`],
  },
  {
    name: 'column-unknown',
    title: 'The column does not exist.',
    commands: [
      `report data-quality ${WINDOW} --fields check,colour`,
      `report data-quality ${WINDOW} --sort=-colour`,
      `report pivot ${WINDOW} --group-by client --measures actual_hours --sort happiness`,
    ],
  },
  {
    name: 'sort-descending',
    title: 'A leading - means descending: that is no flag.',
    commands: [`report people ${WINDOW} --sort -name --fields name --format csv`],
  },
  {
    name: 'cursor',
    title: 'The cursor is none, and a page needs the order of the lines.',
    commands: [`report lines ${WINDOW} --cursor abc`, `report lines ${WINDOW} --limit 5 --sort hours`],
  },
  {
    name: 'format-unknown',
    title: 'The format does not exist.',
    commands: [`report projects ${WINDOW} --format docx`, `report projects ${WINDOW} --format toString`],
  },
  {
    name: 'format-without-nesting',
    title: 'CSV cannot hold rows inside rows.',
    commands: [`report projects ${WINDOW} --expand phases --format csv`],
  },
]);
