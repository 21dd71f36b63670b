import { createReadStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isValid, parseISO } from 'date-fns';
import { Decimal } from 'decimal.js';

/** Decimals of one kind: their least and greatest, and the digits after the point that they keep. */
interface DecimalRange {
  readonly least: Decimal.Value;
  readonly greatest: Decimal.Value;
  readonly digits: number;
}

const hoursOfDay: DecimalRange = { least: 0, greatest: 24, digits: 6 };
const amount: DecimalRange = { least: 0, greatest: '99999999999.9999', digits: 4 };
const signedAmount: DecimalRange = { ...amount, least: '-99999999999.9999' };

export interface SetAside {
  readonly file: string;
  readonly line: number;
  readonly record: string;
  readonly reasons: readonly string[];
}

/** Reads the records of a resource; the last of several with one id counts. */
export async function readRecords<T extends { id: number | string }>(
  file: string,
  parse: (fields: FieldReader) => T,
  setAside: SetAside[],
): Promise<Map<T['id'], T>> {
  const records = new Map<T['id'], T>();
  if (!existsSync(file)) return records;
  let line = 0;
  for await (const record of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (record === '') continue;
    const fields = new FieldReader(JSON.parse(record));
    const parsed = parse(fields);
    if (fields.reasons.length === 0) records.set(parsed.id, parsed);
    else setAside.push({ file, line, record, reasons: fields.reasons });
  }
  return records;
}

/** Reads the fields of a record and collects errors. Ids of 0 and empty texts are null. */
export class FieldReader {
  readonly reasons: string[] = [];
  private readonly raw: Record<string, unknown>;

  constructor(raw: unknown) {
    const isObject = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
    if (!isObject) this.reasons.push('not an object');
    this.raw = isObject ? (raw as Record<string, unknown>) : {};
  }

  required<T>(name: string, value: T | null): T {
    if (value === null) this.wrong(name, 'missing');
    return value as T;
  }

  wrong(name: string, reason: string): null {
    this.reasons.push(`${name}: ${reason}`);
    return null;
  }

  id(name: string): number | null {
    const value = this.value(name);
    if (value === null) return null;
    const id = toId(value);
    if (id === null) return this.wrong(name, 'not an id');
    return id === 0 ? null : id;
  }

  text(name: string): string | null {
    const value = this.value(name);
    if (value === null || typeof value === 'string') return value;
    return typeof value === 'number' ? String(value) : this.wrong(name, 'not a text');
  }

  boolean(name: string): boolean | null {
    const value = this.value(name);
    if (value === null) return null;
    if (value === 1 || value === true || value === '1' || value === 'true') return true;
    if (value === 0 || value === false || value === '0' || value === 'false') return false;
    return this.wrong(name, 'not true or false');
  }

  code(name: string, least: number, greatest: number): number | null {
    const value = this.value(name);
    if (value === null) return null;
    const code = Number(value);
    if (Number.isInteger(code) && code >= least && code <= greatest) return code;
    return this.wrong(name, `not a whole number from ${least} to ${greatest}`);
  }

  hours(name: string): Decimal | null {
    return this.decimal(name, hoursOfDay);
  }

  money(name: string): Decimal | null {
    return this.decimal(name, amount);
  }

  /** Reads an amount that is below 0 for a credit note. */
  signedMoney(name: string): Decimal | null {
    return this.decimal(name, signedAmount);
  }

  date(name: string): string | null {
    const value = this.value(name);
    if (value === null) return null;
    return isDate(value) ? value : this.wrong(name, 'not a day from 1970 to 2099');
  }

  period(startName: string, endName: string): { startDate: string | null; endDate: string | null } {
    const startDate = this.date(startName);
    const endDate = this.date(endName);
    if (startDate !== null && endDate !== null && endDate < startDate) this.wrong(endName, `before ${startName}`);
    return { startDate, endDate };
  }

  week(name: string): Decimal[] | null {
    const value = this.value(name);
    if (value === null) return null;
    return toWeek(value) ?? this.wrong(name, 'not 7 numbers from 0 to 24');
  }

  /** Reads weeks by their first date, in order; leaves out bad ones. */
  weeks(name: string): { from: string; hours: Decimal[] }[] {
    const entries = Object.entries(this.value(name) ?? {});
    return entries
      .map(([from, value]) => ({ from, hours: toWeek(value) ?? [] }))
      .filter(({ from, hours }) => isDate(from) && hours.length > 0)
      .sort((a, b) => (a.from < b.from ? -1 : 1));
  }

  ids(name: string): number[] {
    const ids = this.array(name).map(toId);
    return [...new Set(ids.filter((id) => id !== null && id > 0))] as number[];
  }

  /** Reads the items of a list; leaves out bad ones. */
  list<T>(name: string, parse: (item: FieldReader) => T): T[] {
    return this.array(name).flatMap((raw) => {
      const item = new FieldReader(raw);
      const parsed = parse(item);
      return item.reasons.length === 0 ? [parsed] : [];
    });
  }

  private value(name: string): unknown {
    const value = this.raw[name];
    return value === undefined || value === '' ? null : value;
  }

  private array(name: string): unknown[] {
    const value = this.value(name) ?? [];
    if (Array.isArray(value)) return value;
    this.wrong(name, 'not a list');
    return [];
  }

  private decimal(name: string, range: DecimalRange): Decimal | null {
    const value = this.value(name);
    if (value === null) return null;
    return toDecimal(value, range) ?? this.wrong(name, `not a number from ${range.least} to ${range.greatest}`);
  }
}

function isDate(value: unknown): value is string {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  return isValid(parseISO(value)) && value >= '1970-01-01' && value <= '2099-12-31';
}

function toId(value: unknown): number | null {
  const id = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id >= 0 ? id : null;
}

function toDecimal(value: unknown, { least, greatest, digits }: DecimalRange): Decimal | null {
  if (typeof value !== 'number' && !(typeof value === 'string' && /^-?\d+(\.\d*)?$/.test(value))) return null;
  const decimal = new Decimal(value).toDecimalPlaces(digits);
  return decimal.lt(least) || decimal.gt(greatest) ? null : decimal;
}

function toWeek(value: unknown): Decimal[] | null {
  if (!Array.isArray(value) || value.length !== 7) return null;
  const week = value.map((hours) => toDecimal(hours, hoursOfDay)).filter((hours) => hours !== null);
  return week.length === 7 ? week : null;
}
