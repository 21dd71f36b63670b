import type { FileTotals, ToldEffect } from '../../src/store/loads/load-json.ts';
import { formatDecimal, trimZeros } from '../data/numbers.ts';
import { listWords, wordOfField, wordOfResource } from './words.ts';

/** The changes of a load, made or planned: control totals, what is set aside, records, and reports. */
export function LoadEffect({ effect, isDone = false }: { effect: ToldEffect; isDone?: boolean }) {
  const { totals, differences, set_aside: setAside, unread, file_conflicts: conflicts, notes, reports } = effect;
  return (
    <>
      {totals.length > 0 && <Totals totals={totals} />}
      <Sentences title="Other totals than the files have" sentences={differences} />
      <Sentences title="Set aside, and not loaded" sentences={setAside} />
      <Sentences title="Different values in the files" sentences={conflicts} />
      <Sentences
        title="Names that are the same or almost, with the line of the mapping that makes them one"
        sentences={effect.near_names}
      />
      <Sentences title="Not read" sentences={unread.map((name) => `${name}: nothing in it is understood.`)} />
      <section>
        <h2>{isDone ? 'What changed' : 'What changes'}</h2>
        <p>{describeChanges(effect)}</p>
        {notes.map((note) => (
          <p class="hint">{note}</p>
        ))}
        {reports && reports.changes.length > 0 && <ReportChanges reports={reports} />}
      </section>
    </>
  );
}

function Sentences({ title, sentences }: { title: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <section>
      <h2>{title}</h2>
      <ul class="warnings">
        {sentences.map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
    </section>
  );
}

/** Says which records are new, changed or gone. */
function describeChanges({ changes }: ToldEffect): string {
  const tell = (what: 'new' | 'changed' | 'gone', words: string) => {
    const found = changes.filter((change) => change[what] > 0);
    const counts = found.map((change) => `${formatDecimal(String(change[what]))} ${wordOfResource(change.resource)}`);
    return counts.length === 0 ? [] : [`${words} ${listWords(counts)}.`];
  };
  const sentences = [...tell('new', 'New:'), ...tell('changed', 'Changed:'), ...tell('gone', 'Gone:')];
  return sentences.length === 0 ? 'Nothing: all of it is here already.' : sentences.join(' ');
}

/** The totals of each file, to compare with the program that wrote it. */
function Totals({ totals }: { totals: readonly FileTotals[] }) {
  const has = (name: 'hours' | 'billable_hours' | 'cost' | 'people' | 'projects') =>
    totals.some((row) => row[name] !== null);
  const hasOwn = totals.some(({ own }) => own.length > 0);
  return (
    <section>
      <h2>Control totals</h2>
      <p class="hint">Compare them with the program that wrote the files.</p>
      <div class="scroll">
        <table>
          <caption class="unseen">Control totals of each file</caption>
          <thead>
            <tr>
              <th scope="col">File</th>
              <th scope="col">Records</th>
              <th scope="col">Days</th>
              {has('hours') && (
                <th scope="col" class="number">
                  Hours
                </th>
              )}
              {has('billable_hours') && (
                <th scope="col" class="number">
                  Billable
                </th>
              )}
              {has('cost') && (
                <th scope="col" class="number">
                  Cost
                </th>
              )}
              {has('people') && (
                <th scope="col" class="number">
                  People
                </th>
              )}
              {has('projects') && (
                <th scope="col" class="number">
                  Projects
                </th>
              )}
              {hasOwn && <th scope="col">The file’s own total</th>}
            </tr>
          </thead>
          <tbody>
            {totals.map((row) => (
              <tr>
                <th scope="row">{row.file}</th>
                <td>
                  {formatDecimal(String(row.records))} {wordOfResource(row.resource)}
                  {row.set_aside > 0 && <small>{formatDecimal(String(row.set_aside))} set aside</small>}
                </td>
                <td>{row.first_day === null ? '' : `${row.first_day} to ${row.last_day}`}</td>
                {has('hours') && <td class="number">{shorten(row.hours)}</td>}
                {has('billable_hours') && <td class="number">{shorten(row.billable_hours)}</td>}
                {has('cost') && <td class="number">{shorten(row.cost)}</td>}
                {has('people') && <td class="number">{row.people}</td>}
                {has('projects') && <td class="number">{row.projects}</td>}
                {hasOwn && <td>{row.own.map((own) => describeOwn(own)).join('; ')}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Returns a decimal with the decimals that it has, two at least. */
function shorten(text: string | null): string {
  return text === null ? '' : formatDecimal(trimZeros(text));
}

function describeOwn({ name, total, difference }: FileTotals['own'][number]): string {
  const words = `${wordOfField(name)} ${shorten(total)}`;
  if (difference === null) return words;
  return /[1-9]/.test(difference) ? `${words}, ${formatDecimal(difference, true)} more than here` : `${words} ✓`;
}

/** Columns of the bridge that aren't causes. */
const KEYS = ['project_id', 'project', 'measure', 'unit', 'value_then', 'value_now', 'difference'];

/** The effect on the projects, by cause. */
function ReportChanges({ reports }: { reports: NonNullable<ToldEffect['reports']> }) {
  const causes = Object.keys(reports.changes[0] ?? {}).filter((name) => !KEYS.includes(name));
  return (
    <div class="scroll">
      <table>
        <caption>
          The report on projects, {reports.start_date} to {reports.end_date}
        </caption>
        <thead>
          <tr>
            <th scope="col">Project</th>
            <th scope="col">Measure</th>
            <th scope="col" class="number">
              Before
            </th>
            <th scope="col" class="number">
              After
            </th>
            <th scope="col" class="number">
              Difference
            </th>
            {causes.map((cause) => (
              <th scope="col" class="number">
                {wordOfField(cause)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {reports.changes.map((row) => (
            <tr>
              <th scope="row">{row['project'] ?? 'None'}</th>
              <td>{wordOfField(String(row['measure']))}</td>
              <td class="number">{number(row['value_then'])}</td>
              <td class="number">{number(row['value_now'])}</td>
              <td class="number">{number(row['difference'], true)}</td>
              {causes.map((cause) => (
                <td class="number">{number(row[cause], true)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function number(value: unknown, signed = false): string {
  return value === null || value === undefined ? '' : formatDecimal(String(value), signed);
}
