import type { ColumnMeaning } from './column-meanings.ts';

/** Matches words of columns that keep when a row was written, or by whom: they tell nothing about the work. */
const BOOKKEEPING =
  /^(?:created|modified|updated|last|submitted|entered|approved|exported|imported|synced|invoiced?|invoicing|paid|due|deleted|rechnungsdatum|fällig\p{L}*|erfasst|erstellt|geändert|gebucht|genehmigt|freigegeben|author|autor|créé|modifié|saisi|approuvé|creado|aprobado|criado|inserito|aangemaakt)$/u;

/** Matches words of columns that hold a plan, or another number than the work that was done. */
const PLANNED =
  /^(?:scheduled|planned|plan|budget\p{L}*|estimate[ds]?|estimated|expected|target|remaining|soll\p{L}*|geplant\p{L}*|rest|prévu\p{L}*|estimé\p{L}*|previst[oa]s?|effort|gepland\p{L}*)$/u;

/** Matches words of breaks, whose start and end are none of the work. */
const BREAK = /^(?:break|breaks|lunch|meal|\p{L}*pausen?|pausa|pauze|rest)$/u;

/** Matches words of ids, numbers and other properties of what another column names. */
const PROPERTY =
  /^(?:ids?|guid|uuid|no|nr|number|nummer|numéro|code|key|color|colour|farbe|status|state|type|typ|address|adresse|url|link|count|color|notes?|external|taken)$/;

/**
 * The words that tell the meaning of a header beside other words, by the meaning. A word that begins with * may have any beginning, one
 * that ends with * any end: kunde* is Kundenname, and *datum Buchungsdatum.
 */
const WORDS = {
  person:
    'employee worker staff crew person persona resource ressource resurs risorsa collega kollege addetto utente usuári* nominativo konsult användare técnico empregado utilizador technician consultant freelancer contractor teammate colleague username mitarbeiter* mitarbeitende* angestellte* beschäftigte* benutzer* arbeitnehmer* bearbeiter* monteur* techniker* salarié* collaborateur* intervenant* employé* ouvrier* emplead* trabajador* operari* colaborador* funcionári* dipendent* operaio* medewerker* werknemer* pernr personalnr* personalnummer* personnel pracownik* osoba medarbetare* anställd* medarbejder* ansatt* työntekijä* member assignee',
  email: 'email mail courriel correo',
  client:
    'customer* client clients kunde* kund kundnamn beställare committente empresa relatie auftraggeber* mandant* firma debitor* cliente* klant* opdrachtgever* azienda empresa société company asiakas klient* kunder account',
  project:
    'project* projekt* projet* proyecto* projeto* progetto* baustelle* bauvorhaben* bauprojekt* kostenträger* auftrag* chantier* affaire* dossier* obra* encargo* cantiere* commessa* werf* opdracht* site jobsite job jobcode matter engagement expediente mission klus uppdrag* arbetsplats vorhaben hanke rproj list prosjekt* projekti* zlecenie',
  task: 'task tasks activity activities service prestation labor mansione uppgift arbetsmoment werkzaamheden aufgabe* tätigkeit* leistungsart* tâche* activité* tarea* actividad* tarefa* atividade* taak* activiteit* attività lavorazione serviço* ticket issue zadanie aktivitet*',
  date: 'date datum *datum *date day tag arbeitstag *arbeitstag leistungstag werkdag arbetsdag jornada giornata jour fecha data giorno dia dag dato spent started local when päivä* dzień',
  start_time:
    'start starts started starttid* starttijd börjar comienzo inicial begin* from begun beginn *beginn anfang* von start* arrival arrived in clockin kommt kommen debut début início inicio entrada inizio ingresso ingreso arrivée entrée aankomst od alku',
  end_time:
    'end ends ended slutar final feierabend eind* endzeit endtid stop stops stopped finish finished to until out clockout ende *ende bis stop* departure departed left geht gehen fin salida saída fim término fine uscita vertrek einde do loppu slut sluttid sortie départ',
  billable:
    'billable billed chargeable cobrável addebitabile abrechenbarkeit doorbelasten factureren refacturable facturer factura faktureras fakturera debiterbar invoiceable bill* abrechenbar* verrechenbar* fakturierbar* facturable* fatturabil* faturáv* faturave* factureerbaar declarabel fakturerbar* laskutettava*',
  notes:
    'note notes comment* description annotation memo remark* notiz* bemerkung* beschreibung* kommentar* commentaire*',
  bill_rate: 'rate stundensatz tarif taux tarifa tariffa uurtarief tarief timpris stawka',
  cost_rate: 'wage* lohnsatz lohn salary payrate kostensatz',
  amount: 'amount total betrag montant importe importo valor bedrag summe belopp kwota',
  category: 'category kategorie catégorie categoria categoría categorie',
} as const satisfies Partial<Record<ColumnMeaning, string>>;

export type LooseMeaning = keyof typeof WORDS;

const PATTERNS = Object.entries(WORDS).map(([meaning, words]) => ({
  meaning: meaning as LooseMeaning,
  pattern: anyOfWords(words),
}));

/** Returns the pattern of a word that is one of these, in which * stands for further letters. */
export function anyOfWords(words: string): RegExp {
  return new RegExp(`^(?:${words.replaceAll('*', '\\p{L}*').replaceAll(' ', '|')})$`, 'u');
}

/** Matches words of money, whose amounts are no time. */
const MONEY =
  /^(?:tips?|amount|pay|payroll|earnings|earned|bonus|price|cost|costs|expenses?|fees?|rate|wages?|salary|revenue|tax|betrag|kosten|preis|lohn|umsatz|montant|coût|prix|importe|precio|coste|valor|preço|custo|bedrag|prijs|importo|prezzo|costo|belopp|pris|usd|eur|gbp)$/;

/** Matches words of what people, places, machines and records have besides a project. */
const OTHER =
  /^(?:location|ort|standort|place|city|stadt|country|land|region|state|office|büro|building|room|department|dept|abteilung|division|unit|organi[sz]ation|company|firma|team|group|gruppe|manager|supervisor|vorgesetzter?|lead|approver|reviewer|status|source|quelle|device|gerät|machine|maschine|equipment|vehicle|fahrzeug|type|typ|art|kind|category|kategorie|class|klasse|grade|level|role|rolle|position|title|funktion|shift|schicht|schedule|weekday|wochentag|dow|currency|währung|timezone|zone|tags?|labels?|reason|grund|absence|leave|holiday|email|mail|gender|language|pay|payroll|tax|contract|employment|priority|billing|invoice|rechnung|account|konto|cost|kosten|center|centre|tool|app|application|quantity|qty|count|counter|pieces|items|menge|stück|score|rating|distance|km|mileage|age|verified|checked|taxable|locked|manual|edited|active|present|absent|late|remote|confirmed|valid|browser|os|ip|name|first|last|initials|kürzel|id|guid|key|code|number|nummer|nr|no|link|url)$/;

/** The meanings that a plan or a bookkeeping column doesn't have. */
const OF_WORK: ReadonlySet<LooseMeaning> = new Set([
  'date',
  'start_time',
  'end_time',
  'person',
  'billable',
  'bill_rate',
  'amount',
]);

/** The meanings of names, of which an id or an address is none. */
const NAMES: ReadonlySet<LooseMeaning> = new Set(['person', 'client', 'project', 'task']);

/** Tells whether words are those of a column that was written about a row, not of the work in it. */
export function isBookkeeping(words: readonly string[]): boolean {
  return words.some((word) => BOOKKEEPING.test(word));
}

/** Tells whether words are those of something else than work, clients and projects, such as a place or a status. */
export function isOtherProperty(words: readonly string[]): boolean {
  return words.some((word) => OTHER.test(word));
}

export function isMoney(words: readonly string[]): boolean {
  return words.some((word) => MONEY.test(word));
}

export function isPlanned(words: readonly string[]): boolean {
  return words.some((word) => PLANNED.test(word));
}

/** Returns the meanings that a header speaks of by one of its words. */
export function spokenMeanings(words: readonly string[]): LooseMeaning[] {
  return PATTERNS.flatMap(({ meaning, pattern }) => (words.some((word) => pattern.test(word)) ? [meaning] : []));
}

/** Returns the meanings that a header without a known form has by its words. */
export function looseMeanings(words: readonly string[]): LooseMeaning[] {
  const isOther = isBookkeeping(words) || isPlanned(words) || words.some((word) => BREAK.test(word));
  const spoken = spokenMeanings(words);
  // A client gives the order: Auftraggeber begins as Auftrag does.
  const isClient = words.length === 1 && spoken.includes('client');
  return spoken.filter(
    (meaning) =>
      !(isOther && OF_WORK.has(meaning)) &&
      !(isClient && meaning === 'project') &&
      !(NAMES.has(meaning) && words.some((word) => PROPERTY.test(word))),
  );
}
