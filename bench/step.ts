import { aggregateQuarter } from './comparators/aggregate.ts';
import { buildLedger, dropLedger } from './comparators/fused.ts';
import { cleanTypedTables, loadTypedTables } from './comparators/load.ts';
import { reportByOracle } from './comparators/oracle.ts';
import { measure } from './measure.ts';
import { allStep, buildStep, loadStep, reportStep } from './steps.ts';

/*
 * One measured step in a separate process: `node dist/bench/step.js NAME [ARGUMENTS]` prints a line of JSON.
 */

interface Measured {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly facts?: Readonly<Record<string, number>>;
}

export interface StepResult extends Required<Measured> {
  readonly maxRssMb: number;
}

const reportRuns = 15;

const steps: Record<string, (...args: string[]) => Promise<Measured>> = {
  load: (directory = '', file = '') => measure(() => loadStep(directory, file)),
  build: async (file = '') => {
    const { result, ...times } = await measure(() => buildStep(file));
    return { ...times, facts: { lines: result } };
  },
  report: async (file = '', start = '', end = '') => {
    const { result, ...times } = await reportStep(file, start, end, reportRuns);
    return { ...times, facts: { characters: result.length } };
  },
  all: (directory = '', file = '', start = '', end = '') => measure(() => allStep(directory, file, start, end)),
  'plain-load': async (directory = '', file = '') => {
    const { result, ...times } = await measure(() => loadTypedTables(directory, file));
    return { ...times, facts: { logged: result } };
  },
  clean: (file = '') => measure(() => cleanTypedTables(file)),
  'fused-build': async (file = '') => {
    await dropLedger(file);
    const { result, ...times } = await measure(() => buildLedger(file));
    return { ...times, facts: { lines: result } };
  },
  'plain-aggregate': async (file = '', table = '', start = '', end = '') => {
    const { result, ...times } = await aggregateQuarter(file, table, start, end, reportRuns);
    return { ...times, facts: { rows: result } };
  },
  oracle: async (directory = '', start = '', end = '') => {
    const { result, ...times } = await measure(() => reportByOracle(directory, start, end, end));
    return { ...times, facts: { ...result.lines, projects: result.rows.length, characters: result.json.length } };
  },
};

const [name = '', ...args] = process.argv.slice(2);
const step = steps[name];
if (step === undefined) throw new Error(`step ${name}: must be one of ${Object.keys(steps).join(', ')}`);
const { seconds, cpuSeconds, facts = {} } = await step(...args);
const line: StepResult = { seconds, cpuSeconds, facts, maxRssMb: process.resourceUsage().maxRSS / 1024 };
process.stdout.write(`${JSON.stringify(line)}\n`);
