import { AppError } from '../error.ts';

export type FlagValues = Readonly<Record<string, unknown>>;
export type Environment = Readonly<Record<string, string | undefined>>;

/** The names and the help of a setting, which a flag, an environment variable or its default gives. */
interface SettingDescription {
  readonly flag: string;
  readonly variable: string;
  readonly default: string;
  /** The placeholder of its value in the help. */
  readonly argument: string;
  readonly help: string;
  /** The default in words. Default: the text of the default, or "none" if that is empty. */
  readonly shownDefault?: string;
}

export interface Setting<Value = unknown> extends SettingDescription {
  readonly parse: Parser<Value>;
}

/** A parser of a setting's text. @throws AppError usage for an invalid text. */
export type Parser<Value> = (text: string, setting: SettingDescription, environment: Environment) => Value;

export type Settings = Readonly<Record<string, Setting>>;

/** The values of settings, by the names of their entries. */
export type ConfigOf<S extends Settings> = { readonly [Name in keyof S]: ReturnType<S[Name]['parse']> };

/**
 * Reads settings: a flag comes before the environment, and that before the default.
 * @throws AppError usage for an invalid value.
 */
export function readSettings<S extends Settings>(settings: S, flags: FlagValues, environment: Environment) {
  const values = Object.entries(settings).map(([name, setting]) => [
    name,
    setting.parse(settingText(setting, flags, environment), setting, environment),
  ]);
  return Object.fromEntries(values) as ConfigOf<S>;
}

export function settingText(setting: SettingDescription, flags: FlagValues, environment: Environment): string {
  const flag = flags[setting.flag];
  return typeof flag === 'string' ? flag : (environment[setting.variable] ?? setting.default);
}

export const parseText: Parser<string> = (text) => text;

/** Makes a parser that takes an empty text as undefined. */
export function optional<Value>(parse: Parser<Value>): Parser<Value | undefined> {
  return (text, ...rest) => (text === '' ? undefined : parse(text, ...rest));
}

/** Makes a parser of whole numbers. @param unit Of the number, for the error; empty for a number without one. */
export function numberFrom(least: number, most: number, unit = ''): Parser<number> {
  return (text, { flag }) => {
    if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text);
    const kind = unit && `of ${unit} `;
    throw new AppError('usage', `--${flag}: "${text}" is not a number ${kind}from ${least} to ${most}`);
  };
}

/** Makes a parser of one of several words. @param noun Names the word in the error, such as "an engine". */
export function oneOf<const Word extends string>(noun: string, words: readonly Word[]): Parser<Word> {
  return (text, { flag }) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new AppError('usage', `--${flag}: "${text}" is not ${noun}`, {
      hint: `Give ${words.length === 2 ? words.join(' or ') : `one of ${words.join(', ')}`}.`,
    });
  };
}
