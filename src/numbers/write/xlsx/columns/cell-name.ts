/**
 * Returns the name in formulas of a measure or a parameter: ActualFees, Cutoff.
 * @param name Its name in the catalogue, such as actual_fees or cutoff_date.
 */
export function cellName(name: string): string {
  const words = name.replace(/_date$/, '').split('_');
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}
