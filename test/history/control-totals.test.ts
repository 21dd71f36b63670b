import { expect, it, onTestFinished } from 'vitest';
import { readCatalogues } from '../../src/store/generation/own-reports.ts';
import { compareTotals } from '../../src/store/history/control-totals.ts';

it('compares a measure that had another name when the state was kept', () => {
  const measures = readCatalogues().full.measures as Map<string, object>;
  const measure = measures.get('actual_cost') ?? {};
  measures.set('actual_cost', { ...measure, formerly: ['labor_cost'] });
  onTestFinished(() => void measures.set('actual_cost', measure));
  const totalsOf = (name: string, cost: string) => `project_id,month,${name}\r\n1,2026-03-01,${cost}\r\n`;
  expect(compareTotals(totalsOf('labor_cost', '450.00'), totalsOf('actual_cost', '450.00'))).toEqual([]);
  expect(compareTotals(totalsOf('labor_cost', '450.00'), totalsOf('actual_cost', '451.00'))).toEqual([
    { measure: 'labor_cost', row: 'project_id=1, month=2026-03-01', kept: '450.00', computed: '451.00' },
  ]);
});
