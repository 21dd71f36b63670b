/** Removes trailing zeros, as Excel does. */
export function trimDecimal(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 0x30) end -= 1;
  if (text.charCodeAt(end - 1) === 0x2e) end -= 1;
  return text.slice(0, end);
}

export function percentToFraction(text: string): string {
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '0', digits = ''] = text.slice(sign.length).split('.');
  const padded = whole.padStart(3, '0');
  return sign + trimDecimal(`${padded.slice(0, -2)}.${padded.slice(-2)}${digits}`);
}

/**
 * Returns the Excel serial number of a date, in days from 1899-12-30.
 * @param date YYYY-MM-DD.
 */
export function dateSerial(date: string): number {
  return Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 25_569;
}
