import { linkTo } from '../data/address.ts';

interface SwitchProps {
  /** The parameter of the address. */
  readonly name: string;
  /** The words of its values. */
  readonly of: Readonly<Record<string, string>>;
  readonly current: string;
  readonly label: string;
}

/** Links for a choice of the address. */
export function Switch({ name, of, current, label }: SwitchProps) {
  return (
    <nav class="switch" aria-label={label}>
      {Object.entries(of).map(([value, text]) => (
        <a href={linkTo({ [name]: value })} aria-current={value === current ? 'true' : undefined}>
          {text}
        </a>
      ))}
    </nav>
  );
}
