import { useState } from 'preact/hooks';

/** Options from which a list has a field that searches it. */
const MANY_OPTIONS = 12;

/** A value that can be chosen, by its name, perhaps in a group. */
export interface Option {
  readonly value: string;
  readonly name: string;
  readonly group?: string | undefined;
}

interface CheckboxesProps {
  /** The name of the list, for readers who hear it. */
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  /** Takes the values that are chosen after a change. */
  readonly choose: (values: readonly string[]) => void;
  /** True if at least one value stays chosen. */
  readonly isRequired?: boolean;
}

/** Boxes of values by their groups; a long list can be searched. */
export function Checkboxes({ label, options, chosen, choose, isRequired = false }: CheckboxesProps) {
  const [text, search] = useState('');
  const found = options.filter(({ name, group = '' }) => `${name} ${group}`.toLowerCase().includes(text.toLowerCase()));
  const toggle = (value: string) =>
    choose(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value]);
  return (
    <>
      {options.length > MANY_OPTIONS && (
        <input
          type="search"
          aria-label={`Find in ${label}`}
          placeholder={`Find in ${options.length}`}
          value={text}
          onInput={({ currentTarget }) => search(currentTarget.value)}
        />
      )}
      {[...Map.groupBy(found, ({ group = '' }) => group)].map(([group, own]) => (
        <fieldset key={group}>
          <legend class={group === '' ? 'unseen' : ''}>{group || label}</legend>
          {own.map(({ value, name }) => (
            <label key={value}>
              <input
                type="checkbox"
                checked={chosen.includes(value)}
                disabled={isRequired && chosen.length === 1 && chosen[0] === value}
                onChange={() => toggle(value)}
              />{' '}
              {name}
            </label>
          ))}
        </fieldset>
      ))}
      {found.length === 0 && <p class="hint">Nothing has “{text}” in its name.</p>}
    </>
  );
}
