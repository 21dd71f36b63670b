import type { SettingPath, SetupFaults } from '../../../base/setup-file/index.ts';
import { readStar } from '../../../numbers/report/marts/index.ts';
import type { DeliveryPlan } from './delivery-setup.ts';

/** Returns all marts: those of the star, and the findings, of which two may be equal. */
const listMarts = (): readonly string[] => [...readStar().keys(), 'data_quality'].sort();

/** The parts of a delivery that belong to a report. */
const OF_REPORTS = ['parameters', 'where', 'formats', 'only'] as const;

export function readMarts(
  { marts }: { readonly marts?: string | readonly string[] },
  path: SettingPath,
  faults: SetupFaults,
): DeliveryPlan['marts'] {
  if (marts === undefined || typeof marts === 'string') return marts === undefined ? undefined : 'all';
  const all = listMarts();
  for (const [index, name] of marts.entries())
    if (!all.includes(name)) faults.add([...path, 'marts', index], `is "${name}", not one of ${all.join(', ')}`);
  return [...new Set(marts)];
}

/** Checks that a delivery has a report or marts, that marts go to PostgreSQL, and nothing else does. */
export function checkMarts(
  { report, marts, targets, alert }: DeliveryPlan,
  written: Readonly<Partial<Record<(typeof OF_REPORTS)[number], unknown>>>,
  path: SettingPath,
  faults: SetupFaults,
): void {
  if (!alert && (report === undefined) === (marts === undefined))
    faults.add(path, `has ${marts === undefined ? 'no report' : 'report and marts'}; write one of report and marts`);
  for (const part of OF_REPORTS)
    if (marts !== undefined && written[part] !== undefined) faults.add([...path, part], 'belongs to a report');
  for (const [index, { kind }] of targets.entries()) {
    if ((kind === 'postgres') === (marts !== undefined)) continue;
    const way = marts ? 'marts go to postgres alone' : 'postgres gets marts: write marts: all in place of the report';
    faults.add([...path, 'to', index], `is ${kind}, and ${way}`);
  }
}
