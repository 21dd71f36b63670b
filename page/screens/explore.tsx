import { address, go, linkTo } from '../data/address.ts';
import type { Answer } from '../data/answer.ts';
import { EARNED_PARAMETERS, isEarned } from '../data/budget-units.ts';
import { type Catalogue, type Column, columnsOf, isNumber, pathOf, reportOf } from '../data/catalogue.ts';
import { useAnswers } from '../data/reading.ts';
import { FindingsBadge, pathOfCauses } from '../parts/causes.tsx';
import { Checkboxes, type Option } from '../parts/checkboxes.tsx';
import { CopyAs } from '../parts/copy-as.tsx';
import { Provenance } from '../parts/provenance.tsx';
import { Select } from '../parts/select.tsx';
import { Failed, Ready, TableShape } from '../parts/states.tsx';
import { Views } from '../parts/views.tsx';
import { SinceNews } from '../since/since-news.tsx';
import { Explored } from './explored.tsx';

/** Any measures by any dimensions, as a table and charts. */
export function Explore({ catalogue }: { catalogue: Catalogue }) {
  const across = address.value.get('across');
  if (across !== null && !catalogue.dimensions.some(({ name }) => name === across))
    return <Failed failure={{ status: 404, message: `There is no dimension "${across}" to go across.` }} />;
  return <Builder catalogue={catalogue} across={across} />;
}

/** The choices of what is explored, and the answer. A dimension of the rows can't go across, too. */
function Builder({ catalogue, across }: { catalogue: Catalogue; across: string | null }) {
  const groups = listOf('group_by', 'client');
  const measures = listOf('measures', 'scheduled_hours,actual_hours');
  const sort = address.value.get('sort') ?? undefined;
  const choices = earnedChoices(catalogue, measures);
  const chosen = Object.fromEntries(choices.map(({ name, value }) => [name, value]));
  const further = catalogue.dimensions.find(({ name }) => name === across && !groups.includes(name));
  const pathBy = (group_by: readonly string[], own = {}) =>
    pathOf(catalogue, 'pivot', { group_by: group_by.join(','), measures: measures.join(','), ...own, ...chosen });
  const path = pathBy(groups, { sort });
  const crossedBy = [...groups, ...(further ? [further.name] : [])];
  const crossed = further ? [pathBy(crossedBy), pathBy([further.name])] : [];
  const reading = useAnswers<Answer>([path, ...crossed, pathOfCauses(catalogue)], true, 1 + crossed.length);
  return (
    <>
      <div class="title">
        <h1>Explore</h1>
        <Views />
      </div>
      <div class="choices">
        <Choice label="Rows" name="group_by" chosen={groups} options={catalogue.dimensions.map(optionOf)} />
        <Choice
          label="Measures"
          name="measures"
          chosen={measures}
          options={reportOf(catalogue, 'pivot')
            .columns.filter((column) => isNumber(column) && column.when === 'measures')
            .map(optionOf)}
        />
        <div class="selects">
          <Select
            label="Across, by color"
            name="across"
            chosen={further?.name ?? ''}
            options={[
              ['', 'nothing'],
              ...catalogue.dimensions
                .filter(({ name }) => !groups.includes(name))
                .map(({ name, label }) => [name, label] as const),
            ]}
          />
          {choices.map(({ name, label, value, values }) => (
            <Select label={label} name={name} chosen={value} options={values.map((each) => [each, each] as const)} />
          ))}
        </div>
        <CopyAs {...{ catalogue, measures }} path={crossed[0] ?? path} groups={crossedBy} />
      </div>
      <Ready reading={reading} shape={<TableShape rows={20} />}>
        {(answers) => {
          const [answer, cells, sums] = answers;
          const known = further && cells && sums ? { further, cells, sums } : undefined;
          return (
            answer && (
              <>
                <Provenance meta={answer.meta} />
                <FindingsBadge catalogue={catalogue} answer={answers[1 + crossed.length]} />
                <SinceNews catalogue={catalogue} measures={measures} />
                <Explored {...{ catalogue, groups, measures, answer, path, known }} />
              </>
            )
          );
        }}
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
