import { type Bridge, measuresOfBridge } from '../catalogue/bridges.ts';
import type { Catalogue, Report } from '../catalogue/catalogue.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import type { ParameterReader } from '../catalogue/parameters.ts';

/** Returns the measures of the requested bridge; undefined without one. */
export function parseBridge(
  { value, fail }: ParameterReader,
  { measures }: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
): Measure[] | undefined {
  const bridge = value('bridge') as Bridge | undefined;
  if (!bridge) return undefined;
  if (sent['measures'] !== undefined)
    fail('bridge', 'bridge shows its own measures, so it takes no measures; leave one of them out');
  if (bridge === 'profit' && report.population?.always !== undefined)
    fail('bridge', 'bridge: people have no profit; give cost or fees');
  return measuresOfBridge(bridge).flatMap((name) => measures.get(name) ?? []);
}
