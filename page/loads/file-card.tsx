import type { OpenDecision, TakenFile } from '../../src/store/loads/load-json.ts';
import { trimZeros } from '../data/numbers.ts';
import { ColumnMeanings } from './column-meanings.tsx';
import { decide, type MappedFile, namePerson, nameRows, ROW_KINDS } from './meanings.ts';
import { ValueForms } from './value-forms.tsx';
import { listWords, wordOfField, wordOfResource } from './words.ts';

interface FileCardProps extends MappedFile {
  readonly open: readonly OpenDecision[];
  /** Takes the file out. */
  readonly remove: () => void;
}

/** A file: what it is taken for, what is open, its first rows as they are understood, and its columns. */
export function FileCard({ file, mapping, open, change, remove }: FileCardProps) {
  return (
    <section class="taken">
      <div class="heading">
        <h2>{file.sheet === null ? file.file : `${file.file}, ${file.sheet}`}</h2>
        {file.program !== null && <span class="program">{file.program}</span>}
        <button type="button" class="quiet" onClick={remove}>
          Take out
        </button>
      </div>
      <p>{describeTaken(file)}</p>
      {file.notes.map((note) => (
        <p class="hint">{note}.</p>
      ))}
      {file.resources.length === 0 && file.columns.length > 0 && (
        <p>
          <label>
            Its rows are{' '}
            <select value="" onChange={({ currentTarget }) => change(nameRows(mapping, file, currentTarget.value))}>
              <option value="">not understood</option>
              {Object.keys(ROW_KINDS).map((resource) => (
                <option value={resource}>{wordOfResource(resource)}</option>
              ))}
            </select>
          </label>
        </p>
      )}
      {open.map((point) => (
        <OpenQuestion
          point={point}
          onChoose={(choice) => change(decide(mapping, point, choice))}
          onName={(name) => change(namePerson(mapping, point, name))}
        />
      ))}
      <FirstRows file={file} isOpen={open.length > 0} />
      {file.columns.length > 0 && file.resources.length > 0 && (
        <details>
          <summary>Columns and how values are written</summary>
          <ValueForms file={file} mapping={mapping} change={change} />
          <ColumnMeanings file={file} mapping={mapping} change={change} />
        </details>
      )}
    </section>
  );
}

/** Says in a sentence what a file is taken for. */
function describeTaken({ main, resources, columns }: TakenFile): string {
  if (main === null) {
    if (resources.length > 0) return `It has the ${wordOfResource(resources[0] ?? '')} of the company.`;
    const names = columns.map(({ header }) => header).filter((header) => header !== '');
    return `It isn’t understood, and nothing of it is read.${names.length === 0 ? '' : ` Its columns are ${listWords(names)}.`}`;
  }
  const others = resources.filter((resource) => resource !== main).map(wordOfResource);
  const rows = `Its rows are ${wordOfResource(main)}.`;
  return others.length === 0 ? rows : `${rows} The ${listWords(others)} that they name are read, too.`;
}

/** Returns a question without the words for a person who writes the answer into the file. */
function withoutWriting(text: string): string {
  const [start, end] = [text.indexOf(' (then write '), text.lastIndexOf('):')];
  return start < 0 || end < start ? text : `${text.slice(0, start)}${text.slice(end + 1)}`;
}

function OpenQuestion({
  point: { text, choices, takes_name: takesName },
  onChoose,
  onName,
}: {
  point: OpenDecision;
  onChoose: (choice: OpenDecision['choices'][number]) => void;
  onName: (name: string) => void;
}) {
  return (
    <fieldset class="question" aria-label="To decide">
      <p>
        {choices.length > 0 ? (withoutWriting(text).split(/: (?:write|remove this line)/)[0] ?? text) : text}
        {choices.length > 0 ? '. Which is right?' : '.'}
      </p>
      {choices.map((choice) => (
        <button type="button" onClick={() => onChoose(choice)}>
          {choice.label}
        </button>
      ))}
      {takesName && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            const name = String(new FormData(event.currentTarget).get('name') ?? '').trim();
            if (name !== '') onName(name);
          }}
        >
          <label>
            Whose time is it? <input name="name" required />
          </label>{' '}
          <button type="submit">That person’s</button>
        </form>
      )}
      {choices.length === 0 && !takesName && <span class="hint">Take the file out, and add a repaired one.</span>}
    </fieldset>
  );
}

/** The first rows: as they are understood, or as they are in the file while that isn't known. */
function FirstRows({ file, isOpen }: { file: TakenFile; isOpen: boolean }) {
  const { first, columns } = file;
  if (first && first.rows.length > 0)
    return (
      <>
        <div class="scroll">
          <table>
            <caption>First rows, as they are understood</caption>
            <thead>
              <tr>
                {first.columns.map((column) => (
                  <th scope="col" class={isNumberColumn(first, column) ? 'number' : undefined}>
                    {wordOfField(column)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {first.rows.map((row) => (
                <tr>
                  {row.map((value, at) => (
                    <td class={isNumberColumn(first, first.columns[at] ?? '') ? 'number' : undefined}>
                      {shown(value)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {first.problems.map((problem) => (
          <p class="warning">{problem}</p>
        ))}
      </>
    );
  if (columns.length === 0) return null;
  const rows = columns[0]?.values ?? [];
  return (
    <div class="scroll">
      <table>
        <caption>{isOpen ? 'First rows, as they are in the file' : 'First rows'}</caption>
        <thead>
          <tr>
            {columns.map(({ header }) => (
              <th scope="col">{header}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((_, at) => (
            <tr>
              {columns.map(({ values }) => (
                <td>{values[at]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const NUMBER = /^-?[0-9]+(\.[0-9]+)?$/;

function isNumberColumn({ columns, rows }: NonNullable<TakenFile['first']>, column: string): boolean {
  const at = columns.indexOf(column);
  return rows.every((row) => row[at] === null || NUMBER.test(row[at] ?? ''));
}

/** Returns a value of the server as it is read by people: without the zeros of its type. */
function shown(value: string | null): string {
  if (value === 'true') return 'yes';
  if (value === 'false') return 'no';
  return value !== null && NUMBER.test(value) ? trimZeros(value) : (value ?? '');
}
