import type { Days } from '../../../base/calendar/index.ts';
import type { Meta } from '../../../numbers/report/catalogue/index.ts';

/** Words with the page that they lead to. */
export interface LinkedText {
  readonly text: string;
  readonly link: string | undefined;
}

export interface ContentSentence extends LinkedText {
  readonly name: string;
}

export interface ContentFigure extends LinkedText {
  readonly label: string;
  /** The value before, for a row that has changed. */
  readonly before?: string;
}

export interface ContentRow {
  readonly name: LinkedText;
  readonly values: readonly ContentFigure[];
  /** The sentence that an alert is about. */
  readonly sentence?: string;
  /** The change since the last message, for an alert. */
  readonly state?: string;
}

export interface ReportContent {
  readonly label: string;
  readonly company: string | null;
  readonly days: Days;
  readonly page: string | undefined;
  readonly sentences: readonly ContentSentence[];
  readonly figures: readonly ContentFigure[];
  readonly rows: readonly ContentRow[];
  /** The number of all rows; undefined if rows aren't named. */
  readonly rowCount: number | undefined;
  readonly meta: Meta;
}
