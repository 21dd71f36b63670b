import { changeForm, formOf, type MappedFile } from './meanings.ts';

/** The forms of values that a person may choose, as mappings have them. */
const FORMS: readonly (readonly [name: string, label: string, options: readonly (readonly [string, string])[]])[] = [
  [
    'dates',
    'Days',
    [
      ['DD/MM/YYYY', '31/12/2026'],
      ['MM/DD/YYYY', '12/31/2026'],
      ['DD.MM.YYYY', '31.12.2026'],
      ['DD-MMM-YYYY', '31-Dec-2026'],
      ['MMM DD, YYYY', 'Dec 31, 2026'],
    ],
  ],
  [
    'decimal',
    'Numbers',
    [
      ['point', '1,234.50'],
      ['comma', '1.234,50'],
    ],
  ],
  [
    'hours',
    'Hours',
    [
      ['decimal', '7.5'],
      ['h:mm', '7:30'],
      ['units', '7h 30m'],
      ['minutes', '450 minutes'],
      ['seconds', '27000 seconds'],
      ['days', '0.9375 days'],
    ],
  ],
];

/** The forms in which a file writes days, numbers and hours. */
export function ValueForms({ file, mapping, change }: MappedFile) {
  if (file.entries.length === 0) return null;
  return (
    <div class="forms">
      {FORMS.map(([name, label, options]) => {
        const chosen = formOf(mapping, file, name);
        const known =
          chosen === '' || options.some(([value]) => value === chosen)
            ? options
            : [[chosen, chosen] as const, ...options];
        return (
          <label>
            {label}{' '}
            <select
              value={chosen}
              onChange={({ currentTarget }) => change(changeForm(mapping, file, name, currentTarget.value))}
            >
              <option value="">as usual</option>
              {known.map(([value, example]) => (
                <option value={value}>{example}</option>
              ))}
            </select>
          </label>
        );
      })}
    </div>
  );
}
