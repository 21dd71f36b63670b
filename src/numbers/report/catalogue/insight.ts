import type { FactUnit, Severity } from './insight-rule.ts';

export interface InsightNumber {
  /** A decimal with all its digits as reports have it, a day as YYYY-MM-DD, or a name. */
  readonly value: string;
  readonly unit: Exclude<FactUnit, 'budget'>;
  /** The measure whose number it is; null for an estimate or another fact. */
  readonly measure: string | null;
  /** The query that lists its lines, those of the part for a percentage; null if nothing stands behind it but a record. */
  readonly query: string | null;
  /** The characters of the sentence that show it, and the place of the first among its UTF-16 units. */
  readonly shown: string;
  readonly at: number;
}

export interface Insight {
  /** The name of its rule in reports/catalogue/insights.yaml. */
  readonly rule: string;
  readonly severity: Severity;
  readonly text: string;
  readonly numbers: readonly InsightNumber[];
}

/** The status of a row, and the sentence that decides it. */
export interface RowStatus {
  readonly status: Exclude<Severity, 'notice'>;
  readonly rule: string;
  readonly text: string;
}

/** The sentences about a row, gravest first. Its status is null where nothing decides one. */
export interface RowInsights {
  readonly insights: readonly Insight[];
  readonly status: RowStatus | null;
}

/** The values that find a row of the report, by column. */
export type RowKeys = Readonly<Record<string, string>>;

/** A sentence about a row of the whole report. */
export interface PlacedInsight extends Insight {
  readonly row: RowKeys;
  /** The names of the row's project and phase. */
  readonly label: string;
}

/** The sentences about all rows of a report, whatever its page shows. */
export interface PortfolioInsights {
  /** The number of rows of each status; none for rows without one. */
  readonly statuses: Readonly<Record<RowStatus['status'] | 'none', number>>;
  /** The number of all sentences but those of rows that are on plan. */
  readonly count: number;
  /** The worst of them, at most 20. */
  readonly worst: readonly PlacedInsight[];
  /** The sentences about all rows together, such as that of internal work. */
  readonly overall: readonly Insight[];
}
