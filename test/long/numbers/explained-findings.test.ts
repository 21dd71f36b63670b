import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase, type Value } from '../../../src/base/database/database.ts';
import { buildModels } from '../../../src/numbers/model/build.ts';
import { sqlDirectory } from '../../../src/numbers/relation/sql-file.ts';
import { explainLine } from '../../../src/numbers/report/explain/explain-line.ts';
import type { LineStep } from '../../../src/numbers/report/explain/line-steps.ts';
import { ingestDirectory } from '../../../src/records/ingest/ingest.ts';
import { stampGeneration } from '../../../src/store/generation/open-generation.ts';
import { readCatalogues } from '../../../src/store/generation/own-reports.ts';
import { writeDataset } from '../../oracle/files.ts';
import { randomDataset } from '../../oracle/random.ts';
import { SEED } from '../../seed.ts';

const catalogues = readCatalogues();
/** The most lines explained of a dataset. */
const LINES = 40;

/** Where the ledger says that a rate comes from, in the order in which the rule asks. */
const BILL_SOURCES = ['phase_team', 'phase', 'project_team', 'project', 'person', 'role'];
const COST_SOURCES = ['person', 'role'];

it.each([SEED])('6.2 explains each line as the ledger has it, seed %i', async (seed) => {
  const directory = await mkdtemp(join(tmpdir(), 'plumbline-oracle-'));
  const database = await openDatabase(':memory:', { settings: { threads: '1' } });
  try {
    await writeDataset(randomDataset(seed), directory, seed);
    await ingestDirectory(database, directory);
    await stampGeneration(database, directory, new Date());
    await buildModels(database, sqlDirectory);
    const lines = await database.rows<Record<string, Value>>(
      `SELECT * FROM core.named_lines ORDER BY hash(line_id) LIMIT ${LINES}`,
    );
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      const id = String(line['line_id']);
      const { steps } = await explainLine(database, catalogues, true, id);
      const decided = (name: string) => decisionOf(steps.find((step) => step.name === name));
      if (line['kind'] !== 'expense') {
        const unnamed = line['role_id'] === null ? null : `(role ${line['role_id']})`;
        expect(decided('role')?.value ?? null, id).toBe(line['role'] ?? unnamed);
        expect(decided('cost_rate')?.value ?? null, id).toBe(line['cost_rate']);
        expect(decided('bill_rate')?.value ?? null, id).toBe(line['bill_rate']);
        const isCopied = decided('cost_rate')?.label.endsWith('with the rate of its role') ?? false;
        const source = isCopied ? 'role' : (COST_SOURCES[decided('cost_rate')?.index ?? -1] ?? 'none');
        // A contract may call its own rate either.
        expect(source === 'person' ? ['person', 'contract'] : [source], id).toContain(line['cost_rate_source']);
        expect(BILL_SOURCES[decided('bill_rate')?.index ?? -1] ?? 'none', id).toBe(line['bill_rate_source']);
      }
      const billable = decided('billable');
      const isRefused = billable?.label.includes('non-billable') ?? false;
      expect(isRefused ? false : (billable?.value ?? true), id).toBe(line['billable']);
      const { line: shown, columns, steps: without } = await explainLine(database, catalogues, false, id);
      expect(columns.map(({ name }) => name)).not.toContain('cost_rate');
      expect(shown).toHaveLength(columns.length);
      expect(without.map(({ name }) => name).filter((name) => name.startsWith('cost'))).toEqual([]);
    }
  } finally {
    await database.close();
    await rm(directory, { recursive: true, force: true });
  }
});

function decisionOf(step: LineStep | undefined) {
  const index = step?.levels.findIndex(({ wins }) => wins) ?? -1;
  const level = step?.levels[index];
  return level && { index, label: level.label, value: level.value };
}
