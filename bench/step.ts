import { aggregateQuarter } from './comparators/aggregate.ts';
import { buildLedger, dropLedger } from './comparators/fused.ts';
import { cleanTypedTables, loadTypedTables } from './comparators/load.ts';
import { reportByOracle } from './comparators/oracle.ts';
import { median } from './measure.ts';
import { allStep, buildStep, loadStep, reportStep } from './steps.ts';

/*
 * One measured step in a separate process: `node dist/bench/step.js NAME [ARGUMENTS]` prints a line of JSON.
 */

export interface StepResult {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
  readonly facts: Readonly<Record<string, number>>;
}

interface Measured {
  readonly seconds: number;
  readonly facts?: Readonly<Record<string, number>>;
}

const reportRuns = 15;

async function time<T>(work: () => Promise<T>): Promise<{ seconds: number; result: T }> {
  const startedAt = performance.now();
  const result = await work();
  return { seconds: (performance.now() - startedAt) / 1000, result };
}

const steps: Record<string, (...args: string[]) => Promise<Measured>> = {
  load: async (directory = '', file = '') => ({ seconds: (await time(() => loadStep(directory, file))).seconds }),
  build: async (file = '') => {
    const { seconds, result } = await time(() => buildStep(file));
    return { seconds, facts: { lines: result } };
  },
  report: async (file = '', start = '', end = '') => {
    const { seconds, result } = await reportStep(file, start, end, reportRuns);
    return { seconds: median(seconds), facts: { characters: result.length } };
  },
  all: async (directory = '', file = '', start = '', end = '') => {
    const { seconds } = await time(() => allStep(directory, file, start, end));
    return { seconds };
  },
  'plain-load': async (directory = '', file = '') => {
    const { seconds, result } = await time(() => loadTypedTables(directory, file));
    return { seconds, facts: { logged: result } };
  },
  clean: async (file = '') => ({ seconds: (await time(() => cleanTypedTables(file))).seconds }),
  'fused-build': async (file = '') => {
    await dropLedger(file);
    const { seconds, result } = await time(() => buildLedger(file));
    return { seconds, facts: { lines: result } };
  },
  'plain-aggregate': async (file = '', table = '', start = '', end = '') => {
    const { seconds, result } = await aggregateQuarter(file, table, start, end, reportRuns);
    return { seconds: median(seconds), facts: { rows: result } };
  },
  oracle: async (directory = '', start = '', end = '') => {
    const { seconds, result } = await time(async () => reportByOracle(directory, start, end, end));
    return { seconds, facts: { ...result.lines, projects: result.rows.length, characters: result.json.length } };
  },
};

const [name = '', ...args] = process.argv.slice(2);
const step = steps[name];
if (step === undefined) throw new Error(`step ${name}: must be one of ${Object.keys(steps).join(', ')}`);
const { seconds, facts = {} } = await step(...args);
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
const line: StepResult = {
  seconds,
  cpuSeconds: (userCPUTime + systemCPUTime) / 1e6,
  maxRssMb: maxRSS / 1024,
  facts,
};
process.stdout.write(`${JSON.stringify(line)}\n`);
