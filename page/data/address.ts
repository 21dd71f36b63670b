import { computed, signal } from '@preact/signals';

/*
 * The address is the state of the page: the screen, the window, the filters and the open drawer are its parameters.
 * Filters have the names of the reports' own parameters.
 */

/** The parameters of the address. */
export const address = signal(new URLSearchParams(location.search));

/** Parameters that belong to the page; all others are parameters of reports. */
export const PAGE_PARAMETERS = [
  'screen',
  'by',
  'group',
  'find',
  'across',
  'view',
  'show',
  'compare',
  'since',
  'order',
  'bridge',
  'lines',
  'line',
  'findings',
  'changed',
  'from',
  'to',
] as const;

/** Parameters of reports that choose what a screen shows of its lines; other screens drop them. */
export const EXPLORED = ['sort', 'group_by', 'measures', 'earned_in', 'technique'] as const;

/** Changed parameters; undefined removes one. */
export type Changes = Readonly<Record<string, string | undefined>>;

export function linkTo(changes: Changes, from = address.value): string {
  const next = new URLSearchParams(from);
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) next.delete(name);
    else next.set(name, value);
  }
  return `/?${next}`;
}

/** Parameters that every screen keeps: the subject, the comparison and the state since which changes are shown. */
const KEPT: readonly string[] = ['by', 'compare', 'since'];

/** Screens of one thing, with the filter that names it. */
export const PLACES: Readonly<Record<string, string>> = {
  project: 'project_id',
  person: 'people_id',
  client: 'client_id',
};

/** Returns the link to another screen, with the same window, filters and subject. What a place is of is no filter elsewhere. */
export function linkToScreen(screen: string, changes: Changes = {}): string {
  const screenNow = address.value.get('screen') ?? '';
  const place = Object.hasOwn(PLACES, screenNow) ? PLACES[screenNow] : undefined;
  const own = [...PAGE_PARAMETERS, ...EXPLORED, ...(place ? [place] : [])];
  const dropped = Object.fromEntries(own.filter((name) => !KEPT.includes(name)).map((name) => [name, undefined]));
  return linkTo({ ...dropped, screen: screen === 'portfolio' ? undefined : screen, ...changes });
}

/** Goes to a link. @param replace True to leave the present address out of the history. */
export function go(link: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', link);
  address.value = new URLSearchParams(location.search);
}

const closed = computed(() => linkTo({ lines: undefined, line: undefined, findings: undefined, changed: undefined }));

/** Returns the link that opens the lines behind a number. @param lines The path of the lines, from a row's `_lines`. */
export function linkToLines(lines: string, measure: string): string {
  const query = lines.slice(lines.indexOf('?') + 1);
  return `${closed.value}&lines=${encodeURIComponent(`${query}&measure=${measure}`)}`;
}

/** Returns the link that opens a query of lines with its measure. @param path A path, or its query. */
export function linkToQuery(path: string): string {
  return `${closed.value}&lines=${encodeURIComponent(path.slice(path.indexOf('?') + 1))}`;
}

/** Returns the link that closes the drawer. */
export function linkToClosed(): string {
  return closed.value;
}

/** Follows links within the page without loading it again, and the browser's back and forward. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    address.value = new URLSearchParams(location.search);
  });
  document.addEventListener('click', (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element ? target.closest('a') : null;
    const href = link?.getAttribute('href');
    if (!href?.startsWith('/?') || button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    const screen = address.value.get('screen');
    go(href);
    if (screen !== address.value.get('screen')) scrollTo(0, 0);
  });
}
