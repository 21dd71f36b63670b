import { go, linkTo } from '../data/address.ts';

/** A choice of one value in the address; the empty one leaves it out. */
export function Select(props: {
  label: string;
  name: string;
  chosen: string;
  options: readonly (readonly [value: string, text: string])[];
}) {
  const { label, name, chosen, options } = props;
  const known = options.some(([value]) => value === chosen) ? options : [[chosen, chosen] as const, ...options];
  return (
    <label>
      {label}{' '}
      <select value={chosen} onChange={({ currentTarget }) => go(linkTo({ [name]: currentTarget.value || undefined }))}>
        {known.map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </label>
  );
}
