import { expect, it } from 'vitest';
import type { SizeName } from '../../../bench/company.ts';
import { defaultMemoryMib } from '../../../src/base/config/default-memory.ts';
import { makeBenchCompany, readUrl, watchProgram } from './server.ts';

const MACHINE_MIB = 1024;

const WINDOW = 'start_date=2025-01-01&end_date=2025-12-31';

/** Typical reports, and a year of lines in three formats. */
const PATHS = [
  `projects?${WINDOW}&expand=phases`,
  `people?${WINDOW}&interval=month`,
  `tasks?${WINDOW}`,
  `pivot?${WINDOW}&group_by=client,month&measures=actual_hours,actual_fees`,
  `data-quality?${WINDOW}`,
  `lines.csv?${WINDOW}`,
  `lines.parquet?${WINDOW}`,
  `lines.xlsx?${WINDOW}`,
];

/*
 * A cgroup needs rights that a test user may lack. So the processes run without one, with the
 * default setting of so small a machine, and the test adds up their peaks (VmHWM). These include
 * program files, some 90 MiB of which a system short of memory reclaims.
 */
it.each<SizeName>(['S', 'M'])(
  'a company of size %s is loaded and served in 1 GiB, or refused in a sentence',
  async (size) => {
    const { dataset, file } = await makeBenchCompany(size);
    const memory = ['--database', file, '--memory-limit', String(defaultMemoryMib(MACHINE_MIB * 2 ** 20))];
    const load = watchProgram(['load', dataset, ...memory]);
    const { exitCode, stderr } = await load.program.outcome;
    const loadMib = load.readPeaks().summedMib;
    console.log(`${size}: the load took ${loadMib.toFixed(0)} MiB`);
    expect(exitCode, stderr).toBe(0);
    expect(loadMib).toBeLessThan(MACHINE_MIB);

    const { program, readPeaks } = watchProgram(['serve', ...memory, '--port', '0', '--log-level', 'error']);
    const url = await readUrl(program);
    for (const path of PATHS) {
      const response = await fetch(`${url}/v3/reports/${path}`);
      const text = await response.text();
      if (response.status !== 200) expect(JSON.parse(text)).toMatchObject({ code: 'limit' });
      console.log(`${size}: ${path}: ${response.status}, ${readPeaks().summedMib.toFixed(0)} MiB so far`);
    }
    // Two reports in parallel, the number computed at once.
    await Promise.all(PATHS.slice(-2).map(async (path) => (await fetch(`${url}/v3/reports/${path}`)).arrayBuffer()));
    const { summedMib } = readPeaks();
    console.log(`${size}: the server took ${summedMib.toFixed(0)} MiB`);
    expect(summedMib).toBeLessThan(MACHINE_MIB);
    program.signal('SIGTERM');
    expect((await program.outcome).exitCode).toBe(0);
  },
  900_000,
);
