export interface FieldCase {
  readonly field: string;
  /** Value on create; absent if the service sets the field. */
  readonly sent?: unknown;
  /** Returned value. Default: the sent value. */
  readonly back?: unknown;
  /** Value of a PATCH; absent if the field can't change. */
  readonly other?: unknown;
  /** Returned value after the PATCH. Default: the sent value. */
  readonly otherBack?: unknown;
  /** Further fields of the PATCH, if the field can't change alone. */
  readonly besides?: Readonly<Record<string, unknown>>;
  /** Filter texts that find and miss it; absent for lists and objects. */
  readonly filter?: readonly [finds: string, misses: string];
  /** Name of the field in answers. Default: its own name. */
  readonly shown?: string;
  /** True for a unique code, which differs for each way in. */
  readonly isUnique?: true;
  /** The values of ways in which records can't share the sent one. Default: the sent value. */
  readonly apart?: Readonly<Record<'dataset' | 'xml', unknown>>;
  /** False if lists can be filtered but not sorted by it. */
  readonly isSorted?: false;
}

export interface ResourceCase {
  readonly file: string;
  readonly path: string;
  readonly id: string;
  readonly sample: number | string;
  /** True if records exist from the start and can only be changed. */
  readonly isFixed?: true;
  readonly fields: readonly FieldCase[];
}

const TIME = '2025-02-03 04:05:06';

/** A unique code and its variants, because two records can't share one. */
export const CODE = 'AM-7';
export const codeOf = (way: string): string => (way === 'xml' || way === 'dataset' ? `${CODE}-${way}` : CODE);

const AUTHORS: readonly FieldCase[] = [
  { field: 'created_by', sent: 1, other: 2, filter: ['1', '2'] },
  { field: 'modified_by', sent: 2, other: 1, filter: ['2', '1'] },
];

/** Times of a record, which only a dataset sets. */
const TIMES: readonly FieldCase[] = [
  { field: 'created', back: TIME, filter: [TIME, '2001-01-01 00:00:00'] },
  { field: 'modified', back: TIME, filter: [TIME, '2001-01-01 00:00:00'] },
];

/** The contract of a project or a phase. */
const CONTRACT: readonly FieldCase[] = [
  { field: 'contract', sent: 'Fixed', back: 'fixed', other: 'capped', filter: ['FIXED', 'time'] },
  { field: 'recognise', sent: 'evenly', other: 'done', filter: ['evenly', 'done'] },
  { field: 'fee_expenses', sent: 'inside', other: 'on_top', filter: ['inside', 'on_top'] },
  { field: 'completed_on', sent: '2026-05-04', other: '2026-05-05', filter: ['2026-05-04', '2026-05-05'] },
];

const days = (first: string, last: string): readonly FieldCase[] => [
  { field: 'start_date', sent: first, other: '2026-01-06', filter: [first, '2025-01-01'] },
  { field: 'end_date', sent: last, other: '2026-12-24', filter: [last, '2025-01-01'] },
];

/** Days of tasks and time off; as filters they form a window of the schedule. */
const scheduled = (first: string, last: string): readonly FieldCase[] => [
  { field: 'start_date', sent: first, other: '2026-01-06', filter: [first, '2090-01-01'] },
  { field: 'end_date', sent: last, other: '2026-12-24', filter: [last, '1990-01-01'] },
];

const RIGHTS = { people: 'all', projects: 'managed' };
const OTHER_RIGHTS = { ids: [1, 2], all: 0, deep: { note: null } };
const WEEK = [0, 7.5, 7.5, 7.5, 7.5, 7.5, 0];

/** Every field that a client or a dataset can send, from the documentation of the API. */
export const resources: readonly ResourceCase[] = [
  {
    file: 'departments',
    path: 'departments',
    id: 'department_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Studio', other: 'Lab', filter: ['Studio', 'Lab'] },
      { field: 'parent_id', sent: 1, other: 2, filter: ['1', '2'] },
      ...AUTHORS,
      ...TIMES,
    ],
  },
  {
    file: 'clients',
    path: 'clients',
    id: 'client_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Ajax & Sons', other: 'Acme', filter: ['Ajax & Sons', 'Acme'] },
      ...AUTHORS,
      ...TIMES,
    ],
  },
  {
    file: 'accounts',
    path: 'accounts',
    id: 'account_id',
    sample: 90,
    isFixed: true,
    fields: [
      { field: 'name', sent: 'Nina', other: 'Nino', filter: ['Nina', 'Nino'] },
      {
        field: 'email',
        sent: 'nina@example.com',
        other: 'nino@example.com',
        filter: ['nina@example.com', 'nino@example.com'],
      },
      { field: 'account_type', sent: 3, other: 2, filter: ['3', '2'] },
      { field: 'department_filter', sent: [1, 2], other: null },
      { field: 'active', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'access', sent: RIGHTS, other: OTHER_RIGHTS },
      { field: 'avatar', sent: 'nina.png', other: 'nino.png', filter: ['nina.png', 'nino.png'] },
      { field: 'timezone', sent: 'Europe/Zurich', other: 'UTC', filter: ['Europe/Zurich', 'UTC'] },
      { field: 'view_rights', sent: RIGHTS, other: OTHER_RIGHTS },
      { field: 'edit_rights', sent: RIGHTS, other: OTHER_RIGHTS },
      { field: 'budget_rights', sent: RIGHTS, other: OTHER_RIGHTS },
      ...TIMES,
    ],
  },
  {
    file: 'roles',
    path: 'roles',
    id: 'role_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Painter', other: 'Sculptor', filter: ['Painter', 'Sculptor'] },
      {
        field: 'default_hourly_rate',
        sent: 80.5,
        back: '80.5000',
        other: '81',
        otherBack: '81.0000',
        filter: ['80.5', '81'],
      },
      ...AUTHORS,
      ...TIMES,
    ],
  },
  {
    file: 'people',
    path: 'people',
    id: 'people_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Eve Moreau', other: 'Eva', filter: ['Eve Moreau', 'Eva'] },
      { field: 'people_code', sent: CODE, isUnique: true, other: 'AM-9', filter: [codeOf('dataset'), 'AM-0'] },
      {
        field: 'email',
        sent: 'eve@example.com',
        other: 'eva@example.com',
        filter: ['eve@example.com', 'eva@example.com'],
      },
      { field: 'department_id', sent: 1, other: 2, filter: ['1', '2'] },
      {
        field: 'department',
        back: { department_id: 1, name: 'Studio' },
        other: { department_id: 1 },
        otherBack: { department_id: 1, name: 'Studio' },
      },
      {
        field: 'job_title',
        sent: 'Designer',
        filter: ['Designer', 'Engineer'],
        other: 'Cook',
        besides: { role_id: null },
      },
      { field: 'role_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'work_days_hours', sent: WEEK, other: null },
      { field: 'work_days_hours_history', sent: { '2026-02-02': WEEK }, other: { '2026-03-02': WEEK } },
      { field: 'contractor', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'people_type_id', sent: 2, other: 3, filter: ['2', '3'] },
      {
        field: 'tags',
        sent: ['Senior', 'north west'],
        back: ['senior', 'north west'],
        other: ['junior'],
        filter: ['senior', 'junior'],
        isSorted: false,
      },
      ...days('2026-01-05', '2026-12-31'),
      { field: 'active', sent: 1, other: 0, filter: ['1', '0'] },
      {
        field: 'default_hourly_rate',
        sent: 80.5,
        back: '80.5000',
        other: '81',
        otherBack: '81.0000',
        filter: ['80.5', '81'],
      },
      { field: 'notes', sent: 'Likes “tea” & cake', other: '', filter: ['Likes “tea” & cake', 'tea'] },
      { field: 'avatar_file', sent: 'eve.png', other: 'eva.png', filter: ['eve.png', 'eva.png'] },
      { field: 'auto_email', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'employee_type', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'region_id', sent: 7, other: 8, filter: ['7', '8'] },
      ...TIMES,
    ],
  },
  {
    file: 'project_stages',
    path: 'project-stages',
    id: 'stage_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Pitch', other: 'Offer', filter: ['Pitch', 'Offer'] },
      { field: 'status', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'sort_order', sent: 3, other: 4, filter: ['3', '4'] },
      { field: 'description', sent: 'Not signed', other: 'Signed', filter: ['Not signed', 'Signed'] },
      { field: 'color', sent: 'ff8800', other: '#00aa33', otherBack: '00aa33', filter: ['ff8800', '00aa33'] },
      ...AUTHORS,
      ...TIMES,
    ],
  },
  {
    file: 'projects',
    path: 'projects',
    id: 'project_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Bridge', other: 'Arch', filter: ['Bridge', 'Arch'] },
      { field: 'project_code', sent: CODE, isUnique: true, other: 'AM-9', filter: [codeOf('dataset'), 'AM-0'] },
      { field: 'client_id', sent: 1, other: 2, filter: ['1', '2'] },
      {
        field: 'tags',
        sent: ['Urgent', 'key account'],
        back: ['urgent', 'key account'],
        other: ['late'],
        filter: ['key account', 'late'],
        isSorted: false,
      },
      { field: 'budget_type', sent: 2, other: 1, filter: ['2', '1'] },
      { field: 'budget_total', sent: 1200.5, other: '99.25', otherBack: 99.25, filter: ['1200.5', '99.25'] },
      { field: 'budget_priority', sent: 1, other: 2, filter: ['1', '2'] },
      {
        field: 'default_hourly_rate',
        sent: 80.5,
        back: '80.5000',
        other: '81',
        otherBack: '81.0000',
        filter: ['80.5', '81'],
      },
      { field: 'non_billable', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'tentative', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'status', sent: 2, other: 0, filter: ['2', '0'] },
      { field: 'stage_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'active', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'project_manager', sent: 2, other: 1, filter: ['2', '1'] },
      ...days('2026-01-05', '2026-12-31'),
      { field: 'color', sent: 'ff8800', other: '#00aa33', otherBack: '00aa33', filter: ['ff8800', '00aa33'] },
      { field: 'notes', sent: 'Steel & stone', other: 'Wood', filter: ['Steel & stone', 'Wood'] },
      { field: 'budget_per_phase', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'locked_task_list', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'all_pms_schedule', sent: '1', back: 1, other: 0, filter: ['1', '0'] },
      ...CONTRACT,
      ...TIMES,
    ],
  },
  {
    file: 'phases',
    path: 'phases',
    id: 'phase_id',
    sample: 90,
    fields: [
      { field: 'project_id', sent: 1, filter: ['1', '2'] },
      { field: 'name', sent: 'Build', other: 'Draw', filter: ['Build', 'Draw'] },
      ...days('2026-01-05', '2026-12-31'),
      { field: 'status', sent: 2, other: 0, filter: ['2', '0'] },
      { field: 'non_billable', sent: 0, other: 1, filter: ['0', '1'] },
      {
        field: 'default_hourly_rate',
        sent: 80.5,
        back: '80.5000',
        other: '81',
        otherBack: '81.0000',
        filter: ['80.5', '81'],
      },
      { field: 'budget_total', sent: 1200.5, other: '99.25', otherBack: 99.25, filter: ['1200.5', '99.25'] },
      { field: 'color', sent: 'ff8800', other: '#00aa33', otherBack: '00aa33', filter: ['ff8800', '00aa33'] },
      { field: 'notes', sent: 'Steel & stone', other: 'Wood', filter: ['Steel & stone', 'Wood'] },
      { field: 'tentative', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'active', sent: 1, other: 0, filter: ['1', '0'] },
      ...CONTRACT,
      ...TIMES,
    ],
  },
  {
    file: 'milestones',
    path: 'milestones',
    id: 'milestone_id',
    sample: 90,
    fields: [
      { field: 'phase_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'project_id', sent: 1, other: 2, besides: { phase_id: null }, filter: ['1', '2'] },
      { field: 'name', sent: 'Done', other: 'Sent', filter: ['Done', 'Sent'] },
      { field: 'date', sent: '2026-02-03', other: '2026-02-04', filter: ['2026-02-03', '2026-02-04'] },
      { field: 'end_date', sent: '2026-02-05', other: '2026-02-06' },
      { field: 'amount', sent: 1200.5, other: '99.25', otherBack: 99.25, filter: ['1200.5', '99.25'] },
      ...TIMES,
    ],
  },
  {
    file: 'progress',
    path: 'progress',
    id: 'progress_id',
    sample: 90,
    fields: [
      { field: 'phase_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'task_meta_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'project_id', sent: 1, other: 2, besides: { phase_id: null, task_meta_id: null }, filter: ['1', '2'] },
      { field: 'date', sent: '2026-02-03', other: '2026-02-04', filter: ['2026-02-03', '2026-02-04'] },
      { field: 'percent', sent: 40.5, other: '99.25', otherBack: 99.25, filter: ['40.5', '99.25'] },
      { field: 'remaining_hours', back: null, other: 12.5, otherBack: 12.5 },
      { field: 'notes', sent: 'Two of five', other: '', filter: ['Two of five', 'five'] },
      { field: 'created_by', sent: 1, other: 2, filter: ['1', '2'] },
      ...TIMES,
    ],
  },
  {
    file: 'retainers',
    path: 'retainers',
    id: 'retainer_id',
    sample: 90,
    fields: [
      { field: 'phase_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'project_id', sent: 1, other: 2, besides: { phase_id: null }, filter: ['1', '2'] },
      {
        ...{ field: 'start_date', sent: '2026-01-01', other: '2026-02-01', filter: ['2024-01-01', '2024-01-02'] },
        apart: { dataset: '2024-01-01', xml: '2027-01-01' },
      },
      {
        ...{ field: 'end_date', sent: '2026-12-31', other: '2026-11-30', filter: ['2024-12-31', '2024-12-30'] },
        apart: { dataset: '2024-12-31', xml: '2027-12-31' },
      },
      { field: 'unit', sent: 'Hours', back: 'hours', other: 'fee', filter: ['HOURS', 'fee'] },
      { field: 'every', sent: 'month', other: 'week', filter: ['month', 'year'] },
      { field: 'counts', sent: 'billable', other: 'all', filter: ['billable', 'all'] },
      { field: 'rollover', sent: 'surplus', other: 'both', filter: ['surplus', 'both'] },
      { field: 'first', sent: 'whole', other: 'by_days', filter: ['whole', 'by_days'] },
      { field: 'recognise', sent: 'evenly', other: 'as_used', filter: ['evenly', 'as_used'] },
      { field: 'overage', sent: 'free', other: 'billed', filter: ['free', 'billed'] },
      { field: 'expires_after', sent: 1, other: 2, filter: ['1', '2'] },
      {
        field: 'amounts',
        sent: [{ amount: 40, price: null, effective_date: null }],
        other: [{ amount: 50.5, price: null, effective_date: '2026-01-01' }],
      },
      ...TIMES,
    ],
  },
  {
    file: 'project_tasks',
    path: 'project-tasks',
    id: 'task_meta_id',
    sample: 90,
    fields: [
      { field: 'phase_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'project_id', sent: 1, other: 2, besides: { phase_id: null }, filter: ['1', '2'] },
      { field: 'task_name', sent: 'Weld', other: 'Grind', filter: ['Weld', 'Grind'] },
      { field: 'billable', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'budget', sent: 40.5, other: '41', otherBack: 41, filter: ['40.5', '41'] },
      ...TIMES,
    ],
  },
  {
    file: 'tasks',
    path: 'tasks',
    id: 'task_id',
    sample: 90,
    fields: [
      { field: 'people_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'people_ids', sent: [1], other: [2, 1], filter: ['1', '2'], isSorted: false },
      ...scheduled('2026-01-05', '2026-01-09'),
      { field: 'hours', sent: 7.5, back: '7.5000', other: '0.25', otherBack: '0.2500', filter: ['7.5', '0.25'] },
      { field: 'name', sent: 'Welding', other: 'Grinding', filter: ['Welding', 'Grinding'] },
      { field: 'repeat_state', sent: 3, other: 4, filter: ['3', '4'] },
      { field: 'repeat_end_date', sent: '2027-03-31', other: '2027-04-30', filter: ['2027-03-31', '2027-04-30'] },
      { field: 'status', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'task_meta_id', sent: 1, other: null, filter: ['1', '2'] },
      { field: 'billable', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'phase_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'project_id', sent: 1, other: 2, besides: { phase_id: null }, filter: ['1', '2'] },
      { field: 'notes', sent: 'Mask & gloves', other: 'None', filter: ['Mask & gloves', 'None'] },
      { field: 'priority', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'start_time', sent: '09:30', other: '14:00', filter: ['09:30', '14:00'] },
      { field: 'root_task_id', sent: 1, other: 2, filter: ['1', '2'] },
      ...AUTHORS,
      ...TIMES,
    ],
  },
  {
    file: 'timeoffs',
    path: 'timeoffs',
    id: 'timeoff_id',
    sample: 90,
    fields: [
      { field: 'people_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'people_ids', sent: [1], other: [2, 1], filter: ['1', '2'], isSorted: false },
      { field: 'timeoff_type_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'timeoff_type_name', back: 'Leave', filter: ['Leave', 'Sick'] },
      ...scheduled('2026-01-05', '2026-01-09'),
      { field: 'hours', sent: 4.5, other: 3, filter: ['4.5', '3'] },
      { field: 'full_day', sent: 0, other: 1, besides: { hours: null }, filter: ['0', '1'] },
      { field: 'repeat_state', sent: 3, other: 4, filter: ['3', '4'] },
      { field: 'repeat_end_date', sent: '2027-03-31', other: '2027-04-30', filter: ['2027-03-31', '2027-04-30'] },
      { field: 'repeat_end', other: '2027-05-31', shown: 'repeat_end_date', back: '2027-03-31' },
      { field: 'status', sent: 1, other: 3, filter: ['1', '3'] },
      { field: 'timeoff_notes', sent: 'By the sea', other: 'In the hills', filter: ['By the sea', 'In the hills'] },
      { field: 'notes', back: 'By the sea', other: 'At home', shown: 'timeoff_notes' },
      { field: 'start_time', sent: '09:30', other: '14:00', filter: ['09:30', '14:00'] },
      { field: 'status_creator_id', sent: 1, other: 2, filter: ['1', '2'] },
      ...AUTHORS,
      ...TIMES,
    ],
  },
  {
    file: 'timeoff_types',
    path: 'timeoff-types',
    id: 'timeoff_type_id',
    sample: 90,
    fields: [
      { field: 'timeoff_type_name', sent: 'Sabbatical', other: 'Pause', filter: ['Sabbatical', 'Pause'] },
      { field: 'color', sent: 'ff8800', other: '#00aa33', otherBack: '00aa33', filter: ['ff8800', '00aa33'] },
      { field: 'active', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'approval_required', sent: 1, other: 0, filter: ['1', '0'] },
      ...TIMES,
    ],
  },
  {
    file: 'logged_time',
    path: 'logged-time',
    id: 'logged_time_id',
    sample: 'x90',
    fields: [
      { field: 'people_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'date', sent: '2026-01-05', other: '2026-01-06', filter: ['2026-01-05', '2026-01-06'] },
      { field: 'hours', sent: 4.5, other: '3', otherBack: 3, filter: ['4.5', '3'] },
      { field: 'billable', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'task_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'task_meta_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'task_name', sent: 'Sketch', other: 'Carve', filter: ['Sketch', 'Carve'] },
      { field: 'phase_id', sent: 1, other: 2, filter: ['1', '2'] },
      {
        field: 'project_id',
        sent: 1,
        other: 2,
        besides: { phase_id: null, task_id: null, task_meta_id: null },
        filter: ['1', '2'],
      },
      { field: 'notes', sent: 'Long & hot', other: 'Short', filter: ['Long & hot', 'Short'] },
      { field: 'reference_date', sent: '2026-01-07', other: '2026-01-08', filter: ['2026-01-07', '2026-01-08'] },
      { field: 'priority', sent: 1, other: 0, filter: ['1', '0'] },
      { field: 'locked_date', sent: '2026-02-01', other: '2026-03-01', filter: ['2026-02-01', '2026-03-01'] },
      ...AUTHORS,
      { field: 'locked', sent: 0, other: 1, filter: ['0', '1'] },
      ...TIMES,
    ],
  },
  {
    file: 'project_expenses',
    path: 'project-expenses',
    id: 'project_expense_id',
    sample: 90,
    fields: [
      { field: 'project_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'name', sent: 'Train', other: 'Taxi', filter: ['Train', 'Taxi'] },
      { field: 'date', sent: '2026-02-03', other: '2026-02-04', filter: ['2026-02-03', '2026-02-04'] },
      { field: 'cost', sent: 120.25, other: '99', otherBack: 99, filter: ['120.25', '99'] },
      { field: 'markup', sent: 10, back: '10.0000', other: '12.5', otherBack: '12.5000', filter: ['10', '12.5'] },
      { field: 'markup_type', sent: 0, other: 1, filter: ['0', '1'] },
      { field: 'billable', sent: 1, other: 0, besides: { markup: null }, filter: ['1', '0'] },
      ...TIMES,
    ],
  },
  {
    file: 'holidays',
    path: 'holidays',
    id: 'holiday_id',
    sample: 90,
    fields: [
      { field: 'name', sent: 'Founding day', other: 'Day of song', filter: ['Founding day', 'Day of song'] },
      { field: 'end_date', sent: '2026-05-02', other: '2026-05-03' },
      { field: 'date', sent: '2026-05-01', other: '2026-05-02' },
      { field: 'region_id', sent: 7, other: 8, filter: ['7', '8'] },
      ...TIMES,
    ],
  },
  {
    file: 'status',
    path: 'status',
    id: 'status_id',
    sample: 90,
    fields: [
      { field: 'people_id', sent: 1, other: 2, filter: ['1', '2'] },
      { field: 'status_type_id', sent: 3, other: 1, filter: ['3', '1'] },
      { field: 'status_name', sent: 'At the fair', other: 'Away', filter: ['At the fair', 'Away'] },
      { field: 'start_date', sent: '2026-01-05', other: '2026-01-06' },
      { field: 'end_date', sent: '2026-01-09', other: '2026-01-08' },
      { field: 'repeat_state', sent: 1, other: 0, filter: ['1', '2'] },
      { field: 'repeat_end_date', sent: '2026-03-31', other: '2026-04-30' },
    ],
  },
];

/** Fields covered by tests in other files, because they have rules of their own. */
export const heldElsewhere: readonly string[] = [
  'settings.name',
  'settings.currency',
  'settings.work_days_hours',
  'settings.time_zone',
  'settings.week_starts_on',
  'settings.fiscal_year_starts_in',
  'roles.cost_rate_history',
  'people.cost_rate',
  'people.effective_date',
  'people.contracts',
  'projects.project_team',
  'projects.expenses',
  'phases.phase_team',
  'holidays.dates',
  'holidays.region',
];
