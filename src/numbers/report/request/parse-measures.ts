import { type Bridge, measuresOfBridge } from '../catalogue/bridges.ts';
import { type Catalogue, measuresOf, offeredMeasures, type Parameter, type Report } from '../catalogue/catalogue.ts';
import { EARNED_PARAMETERS, type EarnedChoice, withTextsBeside } from '../catalogue/earned-choice.ts';
import type { Measure } from '../catalogue/measure-kinds.ts';
import { countedIn, isEarned, isEarnedNumber } from '../catalogue/measure-meaning.ts';
import { type ParameterReader, throwParameterErrors } from '../catalogue/parameters.ts';
import type { Query } from './query.ts';

interface ShownMeasures {
  readonly measures: readonly Measure[];
  readonly fields: readonly string[] | undefined;
}

interface ParsedMeasures extends ShownMeasures {
  readonly choice: EarnedChoice;
  /** Returns the parameters whose defaults are told: those of earned value only if it is shown. */
  understood(accepted: readonly Parameter[]): readonly Parameter[];
}

/** Parses the measures that a request shows, and the columns that it names. */
export function parseMeasures(
  parameters: ParameterReader,
  catalogue: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
): ParsedMeasures {
  const offered = offeredMeasures(catalogue, report);
  const byName = new Map(offered.map((measure) => [measure.name, measure]));
  const name = report.compares && parameters.accepts('measure') ? 'measure' : 'measures';
  const chosen = parameters.entries(name, byName);
  const fields = parameters.list('fields');
  const bridge = parseBridge(parameters, catalogue, report, sent);
  const measures = bridge ?? (chosen.length > 0 ? chosen : measuresOf(catalogue, report, fields));
  return parseEarned(parameters, offered, { measures, fields });
}

/** Returns the measures of the requested bridge; undefined without one. */
function parseBridge(
  { value, fail }: ParameterReader,
  { measures }: Catalogue,
  report: Report,
  sent: Readonly<Record<string, string>>,
): Measure[] | undefined {
  const bridge = value('bridge') as Bridge | undefined;
  if (!bridge) return undefined;
  if (sent['measures'] !== undefined)
    fail('bridge', 'bridge shows its own measures, so it takes no measures; leave one of them out');
  if ((bridge === 'profit' || bridge === 'revenue') && report.population?.always !== undefined)
    fail('bridge', `bridge: people have no ${bridge}; give cost or fees`);
  return measuresOfBridge(bridge).flatMap((name) => measures.get(name) ?? []);
}

/**
 * Parses the choices of earned value, counts its measures by them, and puts its texts beside its numbers.
 * @param offered The measures that the report can show.
 */
function parseEarned({ value }: ParameterReader, offered: readonly Measure[], shown: ShownMeasures): ParsedMeasures {
  const choice = {
    earnedIn: value('earned_in') ?? 'hours',
    technique: value('technique') ?? 'remaining',
  } as EarnedChoice;
  const byName = new Map(offered.map((measure) => [measure.name, measure]));
  const isNumber = (name: string): boolean => {
    const measure = byName.get(name);
    return measure !== undefined && isEarnedNumber(measure);
  };
  const names = withTextsBeside(
    shown.measures.map(({ name }) => name),
    isNumber,
  );
  const known = new Map([...byName, ...shown.measures.map((measure) => [measure.name, measure] as const)]);
  const measures = names.flatMap((name) => known.get(name) ?? []).map((measure) => countedIn(measure, choice));
  const showsEarned = measures.some(isEarned);
  return {
    choice,
    measures,
    fields: shown.fields && withTextsBeside(shown.fields, isNumber),
    understood: (accepted) => accepted.filter(({ name }) => showsEarned || !EARNED_PARAMETERS.includes(name)),
  };
}

/** @throws AppError usage for choices of earned value in a request that shows none of it. */
export function assertEarned({ selection: { report }, grouping }: Query, sent: Readonly<Record<string, string>>): void {
  if (grouping.measures.some(isEarned) || sent['measure'] !== undefined) return;
  const idle = EARNED_PARAMETERS.filter((name) => sent[name] !== undefined);
  throwParameterErrors(
    report,
    idle.map((field) => ({
      field,
      message: `${field} is about earned value, of which no measure is shown; name one, such as spi, or leave it out`,
    })),
  );
}
