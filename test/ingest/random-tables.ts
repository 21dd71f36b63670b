import { moveDay } from '../../src/base/calendar/day.ts';
import { Prng } from '../oracle/prng.ts';
import {
  CASES,
  CLOCK_FORMS,
  DAY_FORMS,
  FLAGS,
  HOUR_FORMS,
  type HourForm,
  isRounded,
  UNIT_WORDS,
} from './table-forms.ts';
import { NOISE, type Role, WORDS } from './table-words.ts';

/*
 * Random tables as people and programs write them: columns of time in a relation, headers in many languages, columns that say nothing
 * about the work, rows of totals, and missing cells; with the work that they tell.
 */

/** A row of work. */
export interface WrittenWork {
  readonly person: string;
  readonly project: string;
  readonly day: string;
  readonly minutes: number;
  readonly billable: boolean;
  readonly [field: string]: unknown;
}

/** A table with the work that it says. */
export interface RandomTable {
  readonly name: string;
  readonly text: string;
  readonly work: readonly WrittenWork[];
  /** True if two readings hold equally well: a load without a question would be a guess. */
  readonly isUnclear: boolean;
  /** The greatest distance of its hours from those of the work. Unit: minutes. */
  readonly rounding: number;
  /** The columns with the names of its people, and the family name that they and nobody else have. */
  readonly person: { readonly columns: readonly string[]; readonly family: string };
  /** The fields that it has columns for. */
  readonly has: Readonly<Record<'project' | 'billable' | 'billRate' | 'payRate', boolean>>;
}

interface Entry {
  readonly given: string;
  readonly client: string;
  readonly project: string;
  readonly task: string;
  readonly day: string;
  /** Unit: minutes of the day. */
  readonly start: number;
  /** The time with the break, and what of it is a break or beyond regular hours. Unit: minutes. */
  readonly length: number;
  readonly pause: number;
  readonly overtime: number;
  /** A break that is work. Unit: minutes. */
  readonly paid: number;
  readonly isBillable: boolean;
  /** The column that is blank in its row. */
  readonly blank?: Role;
}

/** The columns of time that a table has: all of them stand in a relation. */
const SHAPES = [
  'hours',
  'start end',
  'start end hours',
  'start end break',
  'start end break net',
  'start end break hours',
  'start end break gross net',
  'start end net',
  'start end gross net',
  'gross break net',
  'gross break hours',
  'gross break',
  'gross net',
  'net',
  'net break',
  'hours break',
  'billableHours otherHours',
  'hours billableHours',
  'regular overtime',
] as const;

const GIVEN = ['Ada', 'Bo', 'Zoë', 'Jörg', 'Mia', 'Lars'];
const CLIENTS = ['Acme', 'Northwind', 'Müller & Söhne', 'Total Energies'];
const PROJECTS = ['Website', 'App', 'Büro Nord', 'Halle', 'R&D, phase'];
const TASKS = ['Design', 'Build', 'Fix', ''];
const TOTALS = ['Total', 'TOTAL', 'Summe', 'Grand Total', 'Gesamt', 'Totale', ''];
const WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Half of the last place of decimal hours, a little more. Unit: minutes. */
const ROUNDING = 0.31;

/** The random tables of one seed differ by their numbers. */
const NUMBER_STEP = 7919;

type WriteCell = (entry: Entry) => string;

interface Column {
  readonly role: Role | 'noise';
  readonly header: string;
  readonly cell: WriteCell;
  /** Writes the cell of a row of totals. */
  readonly total?: (entries: readonly Entry[]) => string;
}

const netOf = ({ length, pause }: Entry) => length - pause;

/** The minutes of a column of time. */
const MINUTES: Readonly<Record<string, (entry: Entry) => number>> = {
  hours: netOf,
  net: netOf,
  gross: ({ length }) => length,
  break: ({ pause }) => pause,
  billableHours: (entry) => (entry.isBillable ? netOf(entry) : 0),
  otherHours: (entry) => (entry.isBillable ? 0 : netOf(entry)),
  regular: (entry) => netOf(entry) - entry.overtime,
  overtime: ({ overtime }) => overtime,
};

/** Returns the table of a number: equal seeds and numbers give equal tables. */
export function randomTable(seed: number, number: number): RandomTable {
  return new TableWriter(new Prng(seed + number * NUMBER_STEP), number).write();
}

/** A table that is written: its forms are chosen once, its columns are added one by one. */
class TableWriter {
  readonly #random: Prng;
  readonly #number: number;
  readonly #words: (typeof WORDS)[number];
  readonly #shape: readonly string[];
  readonly #writeHeader: (header: string) => string;
  readonly #decimal: '.' | ',';
  readonly #delimiter: ',' | ';' | '\t';
  readonly #writeDay: (day: string) => string;
  readonly #form: HourForm;
  readonly #columns: Column[] = [];
  #rounding = 0.01;
  /** True if nothing tells that the only column has minutes. */
  #hasSilentMinutes = false;

  constructor(random: Prng, number: number) {
    this.#random = random;
    this.#number = number;
    this.#words = random.pick(random.chance(0.08) ? WORDS.slice(-1) : WORDS.slice(0, -1));
    this.#shape = random.pick(SHAPES).split(' ');
    const prefix = random.chance(0.05) ? 'entry_' : '';
    const writeCase = random.pick(CASES);
    this.#writeHeader = (header) => `${prefix}${writeCase(header)}`;
    this.#delimiter = random.pick([',', ',', ';', '\t']);
    this.#decimal = this.#delimiter === ',' ? '.' : random.pick(['.', ',']);
    this.#writeDay = random.pick(DAY_FORMS);
    this.#form = random.pick(['decimal', 'decimal', 'short', 'clock', 'seconds', 'units', 'minutes'] as const);
  }

  write(): RandomTable {
    const random = this.#random;
    const entries = this.#makeEntries();
    this.#addColumns();
    const columns = random.chance(0.5) ? this.#columns : random.shuffled(this.#columns);
    const title = random.chance(0.06) ? [[`Report ${this.#number}`], []] : [];
    const rows = entries.map((entry) => columns.map(({ cell }) => cell(entry)));
    const lines = [...title, columns.map(({ header }) => header), ...rows, ...this.#totalRows(columns, entries)];
    const has = (...roles: readonly Role[]) => columns.some(({ role }) => roles.some((each) => each === role));
    const shape = this.#shape.join(' ');
    return {
      name: `t${this.#number}.csv`,
      text: lines.map((line) => `${line.map((text) => this.#quote(text)).join(this.#delimiter)}\n`).join(''),
      work: entries.filter(({ blank }) => blank !== 'end').map((entry) => this.#workOf(entry)),
      isUnclear: shape === 'hours break' || this.#hasSilentMinutes,
      rounding: this.#rounding,
      person: {
        columns: (['person', 'first', 'last'] as const).flatMap((role) =>
          columns.filter((each) => each.role === role).map(({ header }) => header),
        ),
        family: this.#family(),
      },
      has: {
        project: has('project'),
        billable: has('billable', 'billableHours'),
        billRate: has('billRate'),
        payRate: has('payRate'),
      },
    };
  }

  /** Returns the family name of all people of the table: no other table has it. */
  #family(): string {
    const letters = this.#number
      .toString(26)
      .replaceAll(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)));
    return `${letters.charAt(0).toUpperCase()}${letters.slice(1)}k`;
  }

  #quote(text: string): string {
    return text.includes(this.#delimiter) || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text;
  }

  #has(role: string): boolean {
    return this.#shape.includes(role);
  }

  #makeEntries(): Entry[] {
    const random = this.#random;
    const [people, projects] = [random.some(GIVEN, 1, 3), random.some(PROJECTS, 1, 3)];
    const count = random.int(3, 14);
    const step = random.pick([15, 15, 5, 1]);
    const hasPauses = ['break', 'net', 'gross'].some((role) => this.#has(role));
    const entries = Array.from({ length: count }, (_, at): Entry => {
      const length = step * random.int(Math.ceil(60 / step), Math.floor(570 / step));
      const most = Math.floor(Math.min(60, length - 30) / 5);
      return {
        given: random.pick(people),
        // No two tables have a project of one name: loaded together, they would be asked about.
        project: `${random.pick(projects)} ${this.#family()}`,
        client: `${random.pick(CLIENTS)} ${this.#family()}`,
        task: random.pick(TASKS),
        // The 16th tells the order of day and month.
        day: at === 0 ? '2026-03-16' : moveDay('2026-03-02', 'day', random.int(0, 45)),
        start: random.chance(0.05) ? 1320 : random.int(24, 44) * 15,
        length,
        // Somebody has a break, and somebody has none.
        pause: hasPauses && at !== 1 ? 5 * random.int(at === 0 ? 1 : 0, most) : 0,
        paid: 5 * random.int(0, 3),
        overtime: random.chance(0.3) ? random.int(0, 2) * 15 : 0,
        isBillable: random.chance(0.7),
      };
    });
    return random.chance(0.25) ? this.#withBlank(entries) : entries;
  }

  /** Blanks a cell: nobody has stopped the clock, had a break, or written the hours that start and end tell. */
  #withBlank(entries: readonly Entry[]): Entry[] {
    const blanked = this.#random.int(2, entries.length - 1);
    return entries.map((entry, at): Entry => {
      if (at !== blanked) return entry;
      if (this.#has('start') && !this.#has('net') && !this.#has('hours')) return { ...entry, blank: 'end' };
      if (this.#has('break')) return { ...entry, pause: 0, blank: 'break' };
      return this.#shape.join(' ') === 'start end hours' ? { ...entry, blank: 'hours' } : entry;
    });
  }

  #add(role: Column['role'], word: string, cell: WriteCell, total?: Column['total']): void {
    const header = this.#writeHeader(word);
    const isThere = this.#columns.some((each) => each.header.toLowerCase() === header.toLowerCase());
    if (isThere && role === 'noise') return;
    this.#columns.push({ role, header: isThere ? `${header} 2` : header, cell, ...(total ? { total } : {}) });
  }

  #addNamed(role: Role, cell: WriteCell): void {
    this.#add(role, this.#random.pick(this.#words[role].split('|')), cell);
  }

  #addColumns(): void {
    const random = this.#random;
    if (random.chance(0.85)) this.#addPerson();
    if (random.chance(0.75)) {
      this.#addNamed('project', ({ project }) => project);
      if (random.chance(0.4)) this.#addNamed('client', ({ client }) => client);
      if (random.chance(0.4)) this.#addNamed('task', ({ task }) => task);
    }
    this.#addTimes();
    const rate = (least: number) => (entry: Entry) => this.#number2(least + entry.given.length);
    if (random.chance(0.4) && !this.#has('billableHours')) {
      const [yes, no] = random.pick(FLAGS);
      this.#addNamed('billable', ({ isBillable }) => (isBillable ? yes : no));
    }
    if (random.chance(0.15)) this.#addNamed('billRate', rate(50));
    if (random.chance(0.15)) this.#addNamed('payRate', rate(20));
    if (random.chance(0.4)) this.#addNamed('notes', ({ task, start }) => `${task || 'Call'} ${start}`);
    for (let count = random.int(0, 4); count > 0; count -= 1) this.#addNoise();
  }

  #addPerson(): void {
    const family = this.#family();
    if (this.#random.chance(0.85)) this.#addNamed('person', ({ given }) => `${given} ${family}`);
    else {
      this.#addNamed('first', ({ given }) => given);
      this.#addNamed('last', () => family);
    }
  }

  #number2(number: number): string {
    return number.toFixed(2).replace('.', this.#decimal);
  }

  #write(minutes: number, form: HourForm): string {
    const text = HOUR_FORMS[form](minutes);
    return isRounded(form) ? text.replace('.', this.#decimal) : text;
  }

  #addTimes(): void {
    const random = this.#random;
    const clock = random.pick(CLOCK_FORMS);
    const isStamped = this.#has('start') && random.chance(0.2);
    if (!isStamped) this.#addNamed('day', ({ day }) => this.#writeDay(day));
    const writeMoment = ({ day }: Entry, minutes: number) =>
      isStamped ? `${this.#writeDay(minutes < 1440 ? day : moveDay(day, 'day', 1))} ${clock(minutes)}` : clock(minutes);
    for (const role of this.#shape) {
      if (role === 'start') this.#addNamed('start', (entry) => writeMoment(entry, entry.start));
      else if (role === 'end')
        this.#addNamed('end', (entry) => (entry.blank === 'end' ? '' : writeMoment(entry, entry.start + entry.length)));
      else this.#addAmount(role);
    }
  }

  #addAmount(shape: string): void {
    const random = this.#random;
    const form = shape === 'break' && random.chance(0.6) ? 'minutes' : this.#form;
    const isPart = shape === 'regular' || shape === 'overtime';
    const words =
      shape === 'regular' ? 'Regular Hours|Regular|Normalstunden|Standard Hours' : 'Overtime Hours|Overtime';
    const role = (isPart ? 'hours' : shape) as Role;
    const word = random.pick((isPart ? words : this.#words[role]).split('|')).replace(/ ?\((?:h|min)\)$/, '');
    const isNumber = form === 'minutes' || isRounded(form);
    const unit = isNumber ? random.pick(UNIT_WORDS[form === 'minutes' ? 'minutes' : 'decimal']) : '';
    const minutesOf = MINUTES[shape] ?? netOf;
    if (form === 'minutes' && unit === '' && this.#shape.length === 1) this.#hasSilentMinutes = true;
    if (isRounded(form)) this.#rounding += ROUNDING;
    this.#add(
      role,
      `${word}${unit}`,
      (entry) => (entry.blank === role ? '' : this.#write(minutesOf(entry), form)),
      (entries) => {
        const written = entries.filter(({ blank }) => blank !== role);
        return this.#write(
          written.map(minutesOf).reduce((sum, each) => sum + each, 0),
          form,
        );
      },
    );
  }

  /** Adds a column that says nothing about the work that was done. */
  #addNoise(): void {
    const random = this.#random;
    const kind = random.pick(Object.keys(NOISE));
    const header = random.pick((NOISE[kind] ?? '').split('|'));
    // Where no column has names, a number of people names them.
    if (/^personal/i.test(header) && !this.#columns.some(({ role }) => role === 'person' || role === 'first')) return;
    const [clock, most] = [random.pick(CLOCK_FORMS), random.int(1, 400)];
    const cells: Readonly<Record<string, WriteCell>> = {
      number: ({ start, pause }) => String(((start * 7 + pause) % most) + 1),
      small: ({ overtime }) => this.#write(overtime, this.#form),
      plan: ({ length }) => this.#write(Math.ceil(length / 60) * 60, this.#form),
      clock: ({ start }) => clock(Math.floor(start / 60) * 60),
      paidBreak: ({ paid }) => this.#write(paid, header.includes('min') ? 'minutes' : this.#form),
      stamp: ({ day }) => `${moveDay(day, 'day', 3)} 17:45`,
      month: ({ day }) => (/month|monat|period/i.test(header) ? day.slice(0, 7) : `${Number(day.slice(8))}`),
      weekday: ({ day }) => WEEKDAYS[new Date(day).getUTCDay()] ?? '',
      text: ({ given }) => (given.length % 2 === 0 ? 'North' : 'Greta South'),
      code: ({ project }) => `A${100 + project.length}`,
      money: ({ length }) => this.#number2(length * 0.77),
      percent: ({ start }) => `${start % 100}%`,
      balance: ({ start }) => this.#write(start % 2400, this.#form),
    };
    this.#add('noise', header, cells[kind] ?? (() => ''));
  }

  #totalRows(columns: readonly Column[], entries: readonly Entry[]): string[][] {
    const at = columns.findIndex(({ total }) => total === undefined);
    if (at < 0 || !this.#random.chance(0.3)) return [];
    const label = this.#random.pick(TOTALS);
    return [columns.map(({ total }, place) => (place === at ? label : (total?.(entries) ?? '')))];
  }

  #workOf(entry: Entry): WrittenWork {
    const { given, project, day, isBillable } = entry;
    return { person: `${given} ${this.#family()}`, project, day, minutes: netOf(entry), billable: isBillable };
  }
}
