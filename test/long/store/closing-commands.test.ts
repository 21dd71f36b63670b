import { expect, it } from 'vitest';
import { runProcess, startServer } from '../../errors/program.ts';
import { copyKeptCompany } from '../../history/kept-company.ts';

const COMMANDS = [
  [['close', '2026-03', '--kind', 'hard'], 'POST /v3/closings {"period": "2026-03", "kind": "hard"}'],
  [['keep', 'plan'], 'POST /v3/closings {"name": "plan"}'],
  [['reopen', '2026-03', '--reason', 'test'], 'POST /v3/closings/2026-03/reopen {"reason": ...}'],
  [['closings', 'remove', '2026-03', '--reason', 'test'], 'Stop it for this while'],
  [['closings', 'import', 'elsewhere', '--reason', 'test'], 'Stop it for this while'],
] as const;

it('commands leave kept states to the server that owns the data, and name the request', async () => {
  const { database } = await copyKeptCompany();
  const { program } = await startServer(database);
  for (const [args, way] of COMMANDS) {
    const { exitCode, stderr } = await runProcess([...args, '--database', database]);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(way)]);
  }
  program.signal('SIGTERM');
  expect(await program.outcome).toMatchObject({ exitCode: 0 });
  expect((await runProcess(['keep', 'plan', '--database', database])).exitCode).toBe(0);
});
