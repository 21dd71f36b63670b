import { changeMeaning, type MappedFile, meaningOf, otherMeanings } from './meanings.ts';
import { wordOfField } from './words.ts';

/** The values of a column that are shown beside its meaning. Unit: values. */
const EXAMPLES = 3;

/** The columns of a file with their meaning, which a person may change. */
export function ColumnMeanings({ file, mapping, change }: MappedFile) {
  return (
    <div class="scroll">
      <table class="meanings">
        <caption>What each column is read as</caption>
        <thead>
          <tr>
            <th scope="col">Column</th>
            <th scope="col">Read as</th>
            <th scope="col">First values</th>
          </tr>
        </thead>
        <tbody>
          {file.columns
            .filter(({ header }) => header !== '')
            .map(({ header, values }) => {
              const meaning = meaningOf(file, mapping, header);
              const others = otherMeanings(file, mapping, header);
              return (
                <tr>
                  <th scope="row">{header}</th>
                  <td>
                    <select
                      aria-label={`Meaning of ${header}`}
                      value={meaning}
                      disabled={file.entries.length === 0}
                      onChange={({ currentTarget }) =>
                        change(changeMeaning(mapping, file, header, currentTarget.value))
                      }
                    >
                      <option value="">{others[0] ?? 'Not read'}</option>
                      {file.fields.map((field) => (
                        <option value={field}>{wordOfField(field)}</option>
                      ))}
                    </select>
                    {meaning !== '' && others.length > 0 && <small>{others.join(', ')}</small>}
                  </td>
                  <td class="examples">
                    {[...new Set(values)]
                      .filter((value) => value !== '')
                      .slice(0, EXAMPLES)
                      .join(' · ')}
                  </td>
                </tr>
              );
            })}
        </tbody>
      </table>
    </div>
  );
}
