export const sizeNames = ['XS', 'S', 'M', 'L'] as const;

export type SizeName = (typeof sizeNames)[number];

export interface Size {
  readonly people: number;
  readonly projects: number;
  readonly years: number;
  readonly quarter: readonly [start: string, end: string];
}

const quarter = ['2025-04-01', '2025-06-30'] as const;

/** The sizes of companies; all records end with 2025. */
export const sizes: Record<SizeName, Size> = {
  XS: { people: 12, projects: 6, years: 1, quarter },
  S: { people: 200, projects: 60, years: 3, quarter },
  M: { people: 2_000, projects: 800, years: 4, quarter },
  L: { people: 20_000, projects: 8_000, years: 5, quarter },
};

export const endYear = 2025;

export function parseSize(text: string | undefined): SizeName {
  const size = sizeNames.find((name) => name === text?.toUpperCase());
  if (size === undefined) throw new Error(`--size is ${text ?? 'missing'}, and must be one of ${sizeNames.join(', ')}`);
  return size;
}
