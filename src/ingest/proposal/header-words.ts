import { MAX_HEADER_ROWS } from '../mapping/header.ts';
import { foldHeader } from '../mapping/nearest-field.ts';

/** The meaning of a column for a first mapping. */
export type ColumnMeaning =
  | 'person'
  | 'first_name'
  | 'last_name'
  | 'email'
  | 'job_title'
  | 'client'
  | 'project'
  | 'project_code'
  | 'task'
  | 'date'
  | 'hours'
  | 'clock_hours'
  | 'billable'
  | 'notes'
  | 'cost_rate'
  | 'bill_rate'
  | 'type'
  | 'start_date'
  | 'end_date'
  | 'budget'
  | 'name';

/** The headers that programs and people write, folded, in English, German and French. */
const HEADERS: Readonly<Record<ColumnMeaning, string>> = {
  person:
    'user|username|person|employee|team_member|resource|alias|mitarbeiter|mitarbeiterin|benutzer|person_name|collaborateur|salarié|personne|utilisateur',
  first_name: 'first_name|vorname|prénom',
  last_name: 'last_name|surname|nachname|nom_de_famille',
  email: 'email|e-mail|mail|courriel',
  job_title: 'job_title|title|roles|position|funktion|fonction|poste',
  client: 'client|customer|kunde|kundin',
  project: 'project|project_name|projekt|projet',
  project_code: 'project_code|project_number|projektnummer|code_projet',
  task: 'task|activity|service|aufgabe|tätigkeit|tâche|activité',
  date: 'date|day|start_date|datum|tag|jour|date_de_début',
  hours: 'hours|duration_(decimal)|time_(decimal)|stunden|heures|dauer_(dezimal)|logged_hours',
  clock_hours: 'duration|duration_(h)|time|dauer|durée|zeit|time_(h)',
  billable: 'billable|billable?|abrechenbar|verrechenbar|facturable',
  notes: 'notes|note|description|comment|beschreibung|bemerkung|notizen|remarque|commentaire',
  cost_rate: 'cost_rate|kostensatz|interner_satz|coût_horaire|taux_de_coût|internal_rate',
  bill_rate: 'billable_rate|bill_rate|hourly_rate|rate|stundensatz|taux_horaire|tarif_horaire|default_hourly_rate',
  type: 'type|people_type|art|typ',
  start_date: 'start|start_date|begin|beginn|eintritt|début|date_d’entrée|date_de_début',
  end_date: 'end|end_date|ende|austritt|fin|date_de_fin',
  budget: 'budget|budget_total',
  name: 'name|nom',
};

/** The meanings that tell a row of headers from others. */
const MEANINGS: readonly ColumnMeaning[] = [
  'person',
  'first_name',
  'last_name',
  'client',
  'project',
  'task',
  'date',
  'hours',
  'clock_hours',
  'billable',
  'notes',
  'cost_rate',
  'bill_rate',
  'job_title',
  'email',
  'type',
  'budget',
  'name',
];

/** Returns the first column that has a meaning, by the order of the headers that mean it; undefined if none has. */
export type FindHeader = (meaning: ColumnMeaning) => string | undefined;

/** Returns the search in a row of headers. */
export function openHeaders(headers: readonly string[]): FindHeader {
  // The first of two columns with one name counts.
  const byWord = new Map(headers.map((header) => [plainHeader(header), header] as const).reverse());
  return (meaning) => {
    const word = HEADERS[meaning].split('|').find((each) => byWord.has(each));
    return word === undefined ? undefined : byWord.get(word);
  };
}

/** Returns the place of the row with most of the known headers. */
export function findHeaderRow(rows: readonly (readonly string[])[]): number {
  const counts = rows.slice(0, MAX_HEADER_ROWS).map((row) => {
    const find = openHeaders(row);
    return MEANINGS.filter((each) => find(each) !== undefined).length;
  });
  return Math.max(0, counts.indexOf(Math.max(...counts, 0)));
}

/** Folds a header, without the currency that some programs put behind it. */
function plainHeader(header: string): string {
  return foldHeader(header).replace(/_\([a-z€$£]{0,5}\)$/, (end) => (end === '_(h)' ? end : ''));
}
