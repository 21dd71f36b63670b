import type { HoursFormat } from '../mapping/hours-text.ts';
import { anyOfWords, isBookkeeping, isPlanned } from './loose-words.ts';
import { headerWords } from './split-header.ts';

/**
 * The time that a column has, by its words: worked hours without breaks, hours with them, a part of the hours, breaks that aren't paid,
 * billable and other hours, a plan, or hours of which the words tell no more.
 */
export type TimeClass = 'net' | 'gross' | 'part' | 'break' | 'paid break' | 'billable' | 'other' | 'plan' | 'hours';

const BREAK = anyOfWords(
  'break breaks lunch *lunch meal pause pauses pausen *pause *pausen pausenzeit* pausa pausas pauze pauzes *pauze pauzetijd rest recess deduct* deduction* descanso* intervalo* intervallo comida almuerzo almoço desconto pranzo repas coupure mittag* unterbrechung* onderbreking* interruption* tauko tauot przerwa przerwy rast raster rasttid paus pauser mola szünet overhead',
);

const PAID = anyOfWords('paid bezahlt* payé* pagad* pagat* betaald* betald*');

const NET = anyOfWords(
  'net netto* nett* neto neta netas netos nets nette nettes líquid* productive paid payable worked actual effective effektiv* effectif* efectiv* effettiv* efetiv* gearbeitet* geleistet* ist istzeit iststunden trabajad* trabalhad* travaillé* lavorat* gewerkt* arbetad* betald* betaald* bezahlt* payé* pagad* pagat* pagas pagos work',
);

const GROSS = anyOfWords(
  'gross brut* lord[aeio] presence présence presencia presença presenza närvaro* anwesenheit* anwesend* aanwezig* attendance elapsed span amplitude kokonaisaika',
);

const BILLABLE = anyOfWords(
  'billable billed chargeable invoiced abrechenbar* verrechenbar* fakturierbar* facturable* fatturabil* addebitabil* faturáve* factureerba* declarabel* fakturerba* debiterba*',
);

const NEGATION = anyOfWords('non not no nicht não niet ej icke');

/** The classes in the order in which their words count. */
const CLASSES: readonly (readonly [kind: TimeClass, words: RegExp])[] = [
  ['billable', BILLABLE],
  [
    'part',
    anyOfWords(
      'regular normal normales normaal normalstunden regulär* overtime ot double doubletime night sunday saturday weekend holiday premium extra standard überstunden mehrarbeit* zuschlag* nacht* sonntag* feiertag* supplémentaires sup supp straordinari* extras nachturen overuren late',
    ),
  ],
  ['net', NET],
  ['gross', GROSS],
];

const [MILLISECONDS, SECONDS, MINUTES, DAYS, HOURS] = [
  anyOfWords('ms millis milliseconds millisekunden'),
  anyOfWords('s sec secs second seconds sekunden sek secondes segundos seconden secondi'),
  anyOfWords('m min mins minute minutes minuten minutos minuti minuter *minuten perc'),
  anyOfWords('days tage jours días dias dagen giorni'),
  anyOfWords(
    'h hr hrs hour hours *hours std stunden *stunden heures horas uren *uren ore timer timmar *timmar tunnit tunteja godziny óra saat decimal dezimal',
  ),
];

const UNITS: readonly (readonly [words: RegExp, unit: HoursFormat])[] = [
  [MILLISECONDS, 'milliseconds'],
  [SECONDS, 'seconds'],
  [MINUTES, 'minutes'],
  [DAYS, 'days'],
  [HOURS, 'decimal'],
];

/** Words of an amount of time without a unit. */
const TIME = anyOfWords(
  'time duration dauer *dauer zeit *zeit durée temps tiempo tempo duración duração durata duur tijd *tijd tid *tid worked spent tracked aika kesto czas süre aufwand *aufwand gewerkt presence présence presencia presença presenza närvaro anwesenheit aanwezigheid amplitude overtime straordinari *overtime mehrarbeit',
);

/** Words beside those of time that don't tell which time it is. */
const PLAIN = anyOfWords(
  'total totals totale totali totales totaal sum summe summa suma soma gesamt gesamtstunden gesamtzeit gesamtdauer spent tracked logged log recorded reported registered booked worked entry timesheet cell cats number num nb no nr n nº nu anzahl aantal antal numero número numéro numero of de del des du di da the in im en em a qty quantity quantità amount units formatted rounded raw value besteed bestede dedicado passé gasto projekt* project task job activity labor labour workdate arbeitszeit arbeitsstunden arbeitsdauer arbetstid leistung leistungsdauer zeit dauer stunden aufwand zeitaufwand sheet log logs duration time',
);

/** Matches a word that is joined with one of time, such as Fahrzeit. */
const COMPOUND = /^\p{L}+(?:zeit|stunden|minuten|dauer|aufwand|hours|tijd|uren|tid|timmar)$/u;

/** Returns the unit that a header names; undefined for one without a unit. */
export function timeUnitOf(header: string): HoursFormat | undefined {
  const words = headerWords(header);
  return UNITS.find(([pattern]) => words.some((word) => pattern.test(word)))?.[1];
}

const SPAN = anyOfWords('start started begin beginn begins von from in end ended ende bis to out stop');

/** Tells whether a header is that of the start or the end of a break. */
export function isBreakSpan(header: string): boolean {
  const words = headerWords(header);
  return (
    words.some((word) => BREAK.test(word)) && words.some((word) => SPAN.test(word)) && timeUnitOf(header) === undefined
  );
}

/** Tells whether words all speak of time, so that none of them can name another time than work, such as a break or travel. */
export function isPlainTime(words: readonly string[]): boolean {
  const known = [TIME, ...UNITS.map(([pattern]) => pattern)];
  return words.every(
    (word) =>
      word.length === 1 ||
      [PLAIN, NET, GROSS].some((pattern) => pattern.test(word)) ||
      (!COMPOUND.test(word) && known.some((pattern) => pattern.test(word))),
  );
}

/** Returns what a header says of breaks: that they are left out, or not; undefined if it says neither. */
export function netClass(header: string): 'net' | 'gross' | undefined {
  const words = headerWords(header);
  if (words.some((word) => NET.test(word))) return 'net';
  return words.some((word) => GROSS.test(word)) ? 'gross' : undefined;
}

/** Returns the time that a header speaks of; undefined if it is about something else. */
export function timeClass(header: string): TimeClass | undefined {
  const words = headerWords(header);
  const has = (pattern: RegExp) => words.some((word) => pattern.test(word));
  if (isBreakSpan(header)) return undefined;
  if (has(BREAK)) return has(PAID) ? 'paid break' : 'break';
  if (timeUnitOf(header) === undefined && !has(TIME)) return undefined;
  if (isPlanned(words)) return 'plan';
  // Paid hours are hours, and a paid date is bookkeeping.
  if (
    (isBookkeeping(words) && timeUnitOf(header) === undefined) ||
    words.some((word) => word === 'zone' || word === 'stamp')
  )
    return undefined;
  if (words.some((word) => /^(?:non|un)(?:bill|charge)/.test(word)) || (has(BILLABLE) && has(NEGATION))) return 'other';
  return CLASSES.find(([, pattern]) => has(pattern))?.[0] ?? 'hours';
}

const PERIOD = anyOfWords(
  'week weeks weekly ending woche wochen kw period month monat semaine mois semana mes settimana mese maand månad vecka pay',
);

/** Tells whether a header is that of a week or a month, or of a day that stands for one. */
export function isPeriod(header: string): boolean {
  return headerWords(header).some((word) => PERIOD.test(word));
}
