import type { KnownName, ToldEffect, ToldQuestion } from '../../src/store/loads/load-json.ts';
import { wordOfField, wordOfResource } from './words.ts';

interface QuestionsProps {
  readonly effect: ToldEffect;
  readonly prefer: 'here' | 'files' | undefined;
  readonly accepted: readonly string[];
  readonly setPrefer: (prefer: 'here' | 'files') => void;
  readonly setAccepted: (names: readonly string[]) => void;
  /** Takes a name for that of a record which is here. */
  readonly same: (name: KnownName) => void;
}

/** The questions to a person before files are loaded. */
export function Questions({ effect, prefer, accepted, setPrefer, setAccepted, same }: QuestionsProps) {
  if (effect.questions.length === 0) return null;
  const toggle = (name: string, isOn: boolean) =>
    setAccepted(isOn ? [...accepted, name] : accepted.filter((each) => each !== name));
  return (
    <section>
      <h2>To answer first</h2>
      {effect.questions.map((question) => (
        <fieldset class="question" aria-label={question.name}>
          {question.name !== 'names' && <p>{question.text}.</p>}
          {question.name === 'conflicts' && <Conflicts effect={effect} prefer={prefer} setPrefer={setPrefer} />}
          {question.name === 'names' && <Names question={question} same={same} />}
          {question.name !== 'conflicts' && (
            <label>
              <input
                type="checkbox"
                checked={accepted.includes(question.name)}
                onChange={({ currentTarget }) => toggle(question.name, currentTarget.checked)}
              />{' '}
              {YES[question.name] ?? 'Yes'}
            </label>
          )}
        </fieldset>
      ))}
    </section>
  );
}

/** The words by which a question is answered with yes. */
const YES: Readonly<Record<string, string>> = {
  fewer: 'That is meant',
  days: 'Both count: they are different work',
  names: 'All others are different ones of the same name',
};

export function areAnswered(
  questions: readonly ToldQuestion[],
  prefer: 'here' | 'files' | undefined,
  accepted: readonly string[],
): boolean {
  return questions.every(({ name }) => (name === 'conflicts' ? prefer !== undefined : accepted.includes(name)));
}

function Names({ question, same }: { question: ToldQuestion; same: (name: KnownName) => void }) {
  return (
    <>
      <p>Some names may be those of records that are there already. Loaded as they are, each would be there twice.</p>
      <ul class="names">
        {question.names.map((known) => (
          <li>
            {known.name}{' '}
            <span class="hint">
              ({[wordOfResource(known.resource), known.id, known.email ?? []].flat().join(', ')})
            </span>{' '}
            <button type="button" onClick={() => same(known)}>
              It is the same
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

function Conflicts({ effect, prefer, setPrefer }: Pick<QuestionsProps, 'effect' | 'prefer' | 'setPrefer'>) {
  return (
    <>
      <div class="scroll">
        <table>
          <caption class="unseen">Values that differ here and in the files</caption>
          <thead>
            <tr>
              <th scope="col">Record</th>
              <th scope="col">Field</th>
              <th scope="col">Here</th>
              <th scope="col">In the files</th>
            </tr>
          </thead>
          <tbody>
            {effect.conflicts.map(({ resource, record_id: id, name, field, here, files }) => (
              <tr>
                <th scope="row">{name ?? `${wordOfResource(resource)} ${id}`}</th>
                <td>{field === null ? 'the whole record' : wordOfField(field)}</td>
                <td>{field === null ? 'changed' : (here ?? 'none')}</td>
                <td>{field === null ? 'no longer there' : (files ?? 'none')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(['here', 'files'] as const).map((each) => (
        <label>
          <input type="radio" name="prefer" checked={prefer === each} onChange={() => setPrefer(each)} />{' '}
          {each === 'here' ? 'Keep what is here' : 'Take what the files say'}
        </label>
      ))}
    </>
  );
}
