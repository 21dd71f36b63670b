import { address, go, linkTo } from './address.ts';
import { type Answer, type Row, rowsOf, textOf } from './api.ts';
import { Bars } from './bars.tsx';
import { BESIDE_EARNED, EARNED_PARAMETERS, inEarnedUnit, isEarned } from './budget-units.ts';
import { type Catalogue, type Column, columnsOf, type Dimension, isNumber, pathOf, reportOf } from './catalogue.ts';
import { FindingsBadge, pathOfCauses } from './causes.tsx';
import { Checkboxes, type Option } from './checkboxes.tsx';
import { CopyAs } from './copy-as.tsx';
import { formatPeriod, nameOr } from './numbers.ts';
import { placeCells } from './place-cells.tsx';
import { Provenance } from './provenance.tsx';
import { useAnswers } from './reading.ts';
import { Select } from './select.tsx';
import { Empty, Ready, TableShape } from './states.tsx';
import { ReportTable } from './table.tsx';

/** Charts at most, one for each measure. */
const MAX_CHARTS = 4;

/** Any measures by any dimensions, as a table and charts. */
export function Explore({ catalogue }: { catalogue: Catalogue }) {
  const groups = listOf('group_by', 'client');
  const measures = listOf('measures', 'scheduled_hours,actual_hours');
  const sort = address.value.get('sort') ?? undefined;
  const choices = earnedChoices(catalogue, measures);
  const chosen = Object.fromEntries(choices.map(({ name, value }) => [name, value]));
  const path = pathOf(catalogue, 'pivot', {
    group_by: groups.join(','),
    measures: measures.join(','),
    sort,
    ...chosen,
  });
  const reading = useAnswers<Answer>([path, pathOfCauses(catalogue)], true, 1);
  return (
    <>
      <h1>Explore</h1>
      <div class="choices">
        <Choice label="By" name="group_by" chosen={groups} options={catalogue.dimensions.map(optionOf)} />
        <Choice
          label="Measures"
          name="measures"
          chosen={measures}
          options={reportOf(catalogue, 'pivot')
            .columns.filter((column) => isNumber(column) && column.when === 'measures')
            .map(optionOf)}
        />
        {choices.map(({ name, label, value, values }) => (
          <Select label={label} name={name} chosen={value} options={values.map((each) => [each, each] as const)} />
        ))}
        <CopyAs catalogue={catalogue} path={path} groups={groups} measures={measures} />
      </div>
      <Ready reading={reading} shape={<TableShape rows={20} />}>
        {([answer, findings]) =>
          answer && (
            <>
              <Provenance meta={answer.meta} />
              <FindingsBadge catalogue={catalogue} answer={findings} />
              <Explored catalogue={catalogue} groups={groups} measures={measures} answer={answer} path={path} />
            </>
          )
        }
      </Ready>
    </>
  );
}

/** Returns a dimension or a measure as an option. */
function optionOf({ name: value, label: name, group }: Pick<Column, 'name' | 'label' | 'group'>): Option {
  return { value, name, group };
}

/** Returns the choices of earned value, each with its value in the address, if a measure of it is shown. */
function earnedChoices(catalogue: Catalogue, measures: readonly string[]) {
  if (!columnsOf(catalogue, 'pivot', measures).some(isEarned)) return [];
  const { parameters } = reportOf(catalogue, 'pivot');
  return EARNED_PARAMETERS.flatMap((name) => {
    const found = parameters.find((parameter) => parameter.name === name);
    if (!found) return [];
    const value = address.value.get(name) ?? String(found.default);
    return [{ name, label: found.label, value, values: (found.values ?? []).map(String) }];
  });
}

function listOf(name: string, standard: string): string[] {
  return (address.value.get(name) ?? standard).split(',').filter((each) => each !== '');
}

/** A list of names in the address, in the order in which they were chosen; at least one stays chosen. */
function Choice(props: { label: string; name: string; chosen: readonly string[]; options: readonly Option[] }) {
  const { label, name, chosen, options } = props;
  const labels = new Map(options.map((option) => [option.value, option.name]));
  return (
    <details class="choice">
      <summary>
        {label}: {chosen.map((each) => labels.get(each) ?? each).join(', ')}
      </summary>
      <div class="options">
        <Checkboxes
          {...{ label, options, chosen }}
          choose={(values) => go(linkTo({ [name]: values.join(','), sort: undefined }))}
          isRequired
        />
      </div>
    </details>
  );
}

interface ExploredProps {
  readonly catalogue: Catalogue;
  readonly groups: readonly string[];
  readonly measures: readonly string[];
  readonly answer: Answer;
  readonly path: string;
}

function Explored({ catalogue, groups, measures, answer, path }: ExploredProps) {
  const rows = rowsOf(answer);
  const dimensions = catalogue.dimensions.filter(({ name }) => groups.includes(name));
  const shown = groups.flatMap((group) => dimensions.find(({ name }) => name === group)?.columns ?? []);
  const texts = shown.filter((name) => !name.endsWith('_id') || shown.length === 1);
  const isAnswered = (name: string) => rows.some((row) => name in row);
  const beside = ['budget_unit', ...BESIDE_EARNED].filter(isAnswered);
  const countedOf = (list: readonly string[]) =>
    columnsOf(catalogue, 'pivot', list).map((column) => inEarnedUnit(column, answer.meta.parameters));
  const columns = countedOf([...texts, ...beside, ...measures]);
  const drawn = countedOf(measures);
  const hasPeriods = dimensions.some(({ period }) => period !== undefined);
  const names = namesOf(dimensions);
  const nameOf = (row: Row) => texts.map((name) => names[name]?.(row)).join(', ');
  if (rows.length === 0) return <Empty>No line is in this window, with these filters.</Empty>;
  const sort = address.value.get('sort');
  return (
    <>
      {answer.meta.notes.map((note) => (
        <p class="hint">{note}</p>
      ))}
      {drawn.slice(0, MAX_CHARTS).map((measure) => (
        <Bars
          {...{ answer, nameOf, measure }}
          scaled={drawn.slice(0, MAX_CHARTS).filter(({ unit }) => unit === measure.unit)}
          isTime={hasPeriods && groups.length === 1 && sort === null}
          isSorted={sort !== null || hasPeriods}
        />
      ))}
      {drawn.length > MAX_CHARTS && <p class="hint">The first {MAX_CHARTS} measures are drawn; the table has all.</p>}
      <ReportTable
        caption={`${rows.length} rows`}
        columns={columns}
        rows={rows}
        totals={answer.totals}
        currency={answer.meta.currency}
        path={path}
        cells={{ ...names, ...placeCells }}
        sorted={sort === null ? undefined : { column: sort.replace(/^-/, ''), isDescending: sort.startsWith('-') }}
        sortBy={(name) => linkTo({ sort: sort === `-${name}` ? name : `-${name}` })}
      />
    </>
  );
}

/** Returns the texts that name a row, by column: a row without a name is named by its id. */
function namesOf(dimensions: readonly Dimension[]): Readonly<Record<string, (row: Row) => string>> {
  const names = dimensions.flatMap(({ key, label, columns, period }) =>
    columns.map((column) => {
      const name = (row: Row) => {
        const [text, id] = [textOf(row, column), textOf(row, key)];
        if (typeof row[column] === 'boolean') return row[column] ? 'yes' : 'no';
        if (text && period !== undefined) return formatPeriod(period, text);
        return id === null ? text || '(none)' : nameOr(text, id, label);
      };
      return [column, name] as const;
    }),
  );
  return Object.fromEntries(names);
}
