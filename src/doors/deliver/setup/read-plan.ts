import { parseDuration } from '../../../base/config/index.ts';
import type { SettingPath, SetupFaults } from '../../../base/setup-file/index.ts';
import type { FormatName } from '../../../numbers/write/index.ts';
import { readWrittenPart, type WrittenPart } from '../../identity/written-part.ts';
import { CRON_FORM, findCronFault } from '../schedule/cron.ts';
import { checkReportOf, type PlanParts } from './check-report.ts';
import type { AlertRule, DeliveryPlan, Problem } from './delivery-setup.ts';
import { checkMarts, readMarts } from './read-marts.ts';
import { isOfRecords, readTarget, type WrittenTarget } from './read-targets.ts';

/** A delivery or an alert as the schema has it. */
export interface WrittenPlan {
  readonly name: string;
  readonly when?: string;
  readonly report?: string;
  readonly marts?: string | readonly string[];
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly where?: string;
  readonly formats?: readonly FormatName[];
  readonly rates?: boolean | 'each';
  readonly only?: WrittenPart;
  readonly max_age?: string;
  readonly wait?: string;
  readonly to: readonly WrittenTarget[];
  readonly insight?: string;
  readonly problems?: readonly Problem[];
  readonly rows?: AlertRule['rows'];
  readonly for?: number;
  readonly recover_for?: number;
  readonly remind?: string;
}

/** The moments that are no cron expression: another data version, and a period that is closed. */
export const EVENTS = ['new_data', 'closed'];

/** The wait for newer data. Unit: s. */
const WAIT_SECONDS = 3600;

/** Reads a delivery or an alert. @returns undefined after adding faults that leave nothing to send. */
export function readPlan(
  written: WrittenPlan,
  path: SettingPath,
  parts: PlanParts,
  isAlert: boolean,
): DeliveryPlan | undefined {
  const { faults } = parts;
  const { name, when = 'new_data', report: reportName, where, rates = false, only } = written;
  const cronFault = EVENTS.includes(when) ? undefined : findCronFault(when);
  if (cronFault !== undefined) faults.add([...path, 'when'], `${cronFault}. ${CRON_FORM}`);
  const targets = written.to.flatMap((each, index) => readTarget(each, [...path, 'to', index], parts) ?? []);
  const parameters = Object.fromEntries(
    Object.entries(written.parameters ?? {}).map(([key, value]) => [
      key,
      typeof value === 'boolean' ? String(Number(value)) : String(value),
    ]),
  );
  const seconds = (key: 'max_age' | 'wait' | 'remind') => {
    const text = written[key];
    return text === undefined ? undefined : faults.try([...path, key], () => parseDuration(key, text));
  };
  if (isAlert) checkAlert(written, path, faults);
  const plan: DeliveryPlan = {
    name,
    when,
    report: reportName,
    marts: readMarts(written, path, faults),
    parameters,
    where,
    formats: [...new Set(written.formats ?? [])],
    seesRates: rates === true,
    hasOwnRights: rates === 'each',
    only: only && readWrittenPart(only),
    maxAgeSeconds: seconds('max_age'),
    waitSeconds: seconds('wait') ?? WAIT_SECONDS,
    targets,
    alert: isAlert
      ? {
          insight: written.insight,
          problems: written.problems ?? [],
          rows: written.rows ?? 'any',
          holdsFor: written.for ?? 1,
          recoversFor: written.recover_for ?? 1,
          remindSeconds: seconds('remind'),
        }
      : undefined,
  };
  checkMarts(plan, written, path, faults);
  if (reportName !== undefined) checkReportOf(plan, reportName, path, parts);
  checkFiles(plan, path, faults);
  if (plan.hasOwnRights) checkOwnRights(plan, path, parts);
  return plan;
}

/** Checks that an alert has one subject. */
function checkAlert(
  { report, where, insight, problems, rows, only, to }: WrittenPlan,
  path: SettingPath,
  faults: SetupFaults,
): void {
  if (problems && only) faults.add([...path, 'only'], 'belongs to a report, and problems are of all data');
  const conditions = Object.entries({ where, insight, problems }).filter(([, value]) => value !== undefined);
  const [kind] = conditions[0] ?? [];
  if (conditions.length !== 1) {
    const given = conditions.map(([name]) => name).join(' and ') || 'no condition';
    faults.add(path, `has ${given}; write one of where, insight and problems`);
  } else if (
    to.some((target) => target.each !== undefined) &&
    (kind === 'problems' || (rows !== undefined && rows !== 'any'))
  ) {
    faults.add([...path, 'to'], 'has each, and only single rows of a report belong to somebody');
  } else if ((kind === 'problems') === (report !== undefined)) {
    faults.add(path, kind === 'problems' ? 'has problems, which are of no report; leave report out' : 'has no report');
  }
}

/** Checks that files have a place, and that each place gets files. */
function checkFiles({ formats, targets, where, alert }: DeliveryPlan, path: SettingPath, faults: SetupFaults): void {
  for (const [index, { kind }] of targets.entries()) {
    if (kind !== 'folder' && kind !== 's3') continue;
    if (alert)
      faults.add([...path, 'to', index], 'gets files, and an alert has none; write email, webhook, slack or teams');
    else if (formats.length === 0) faults.add(path, 'has no formats for its files; write formats: [xlsx]');
  }
  if (where !== undefined && formats.includes('xlsx'))
    faults.add(
      [...path, 'formats'],
      'has xlsx, and a workbook has all rows of its report; leave where out, or write csv',
    );
}

/** Checks that a delivery goes to people alone, whose rights the file of access tells by the address of their records. */
function checkOwnRights({ targets, alert }: DeliveryPlan, path: SettingPath, { faults, hasAccess }: PlanParts): void {
  const at = [...path, 'rates'];
  if (alert) faults.add(at, 'is each, and an alert is judged once for all; write rates: true, or leave it out');
  else if (!hasAccess) faults.add(at, 'is each, and no file says who sees costs; write access: access.yaml');
  else if (!targets.every((target) => target.kind === 'each' && isOfRecords(target.each)))
    faults.add(at, 'is each, which is for targets {each: person, email: true} or project_manager alone');
}
