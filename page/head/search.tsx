import { options } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { go, linkToScreen } from '../data/address.ts';
import { type Answer, type Row, rowsOf, textOf } from '../data/answer.ts';
import { asOfParameter, type Catalogue, reportOf } from '../data/catalogue.ts';
import { WHOLE_LIFE } from '../data/days.ts';
import { nameOr } from '../data/numbers.ts';
import { useAnswers } from '../data/reading.ts';
import { Failed } from '../parts/states.tsx';

/** Things found at most. */
const MAX_FOUND = 12;

/** A project, a person or a client, with its screen. */
interface Found {
  readonly kind: string;
  readonly name: string;
  /** Empty for a client, and where it has none. */
  readonly code: string;
  readonly detail: string;
  readonly href: string;
}

/** Draws a change at once instead of in the next frame, before which letters that follow a key would be lost. */
function drawNow(change: () => void): void {
  const { debounceRendering } = options;
  options.debounceRendering = (draw) => draw();
  change();
  if (debounceRendering) options.debounceRendering = debounceRendering;
  else delete options.debounceRendering;
}

/** A button, and Ctrl+K, that find any project, person or client from everywhere. */
export function Search({ catalogue }: { catalogue: Catalogue | undefined }) {
  const [isOpen, open] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      drawNow(() => open(true));
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="search" onClick={() => drawNow(() => open(true))}>
        Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <SearchDialog catalogue={catalogue} close={() => open(false)} />}
    </>
  );
}

/** The dialog, whose field has the focus before any name is read. */
function SearchDialog({ catalogue, close }: { catalogue: Catalogue | undefined; close: () => void }) {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => place.current?.showModal(), []);
  const path = (report: string, own: Readonly<Record<string, string>>) =>
    catalogue
      ? [
          `${reportOf(catalogue, report).path}?${new URLSearchParams({ ...WHOLE_LIFE, ...asOfParameter(), ...own })}&decimals=string`,
        ]
      : [];
  // One reading holds all names: typing asks for nothing.
  const reading = useAnswers<Answer>([
    ...path('projects', { fields: 'project_id,project_code,name,client_id,client', include_empty: '1' }),
    ...path('people', { fields: 'people_id,people_code,name,role,department' }),
  ]);
  const [projects, people] = reading.state === 'ready' ? reading.answers : [];
  return (
    <dialog class="finder" ref={place} aria-label="Search" onClose={close} {...{ closedby: 'any' }}>
      {reading.state === 'failed' ? (
        <Failed failure={reading.failure} retry={reading.retry} />
      ) : (
        <Finder all={projects && people && collect(rowsOf(projects), rowsOf(people))} close={close} />
      )}
    </dialog>
  );
}

function collect(projects: readonly Row[], people: readonly Row[]): Found[] {
  const words = (row: Row, columns: readonly string[]) =>
    columns.flatMap((column) => textOf(row, column) ?? []).join(' · ');
  const thing = (
    kind: string,
    screen: string,
    parameter: string,
    id: string | null,
    name: string | null,
    code: string | null,
    detail: string,
  ) =>
    id === null || id === '0'
      ? []
      : [
          {
            kind,
            name: nameOr(name, id, kind),
            code: code ?? '',
            detail,
            href: linkToScreen(screen, { [parameter]: id }),
          },
        ];
  const clients = new Map(projects.map((row) => [textOf(row, 'client_id'), textOf(row, 'client')]));
  return [
    ...projects.flatMap((row) =>
      thing(
        'Project',
        'project',
        'project_id',
        textOf(row, 'project_id'),
        textOf(row, 'name'),
        textOf(row, 'project_code'),
        words(row, ['client', 'project_code']),
      ),
    ),
    ...people.flatMap((row) =>
      thing(
        'Person',
        'person',
        'people_id',
        textOf(row, 'people_id'),
        textOf(row, 'name'),
        textOf(row, 'people_code'),
        words(row, ['role', 'department', 'people_code']),
      ),
    ),
    ...[...clients].flatMap(([id, name]) => thing('Client', 'client', 'client_id', id, name, null, '')),
  ];
}

/**
 * The field, and what has its words in its name or details. Arrow keys choose; Enter opens, as soon as the names are there.
 * @param all Undefined until the names are read.
 */
function Finder({ all, close }: { all: readonly Found[] | undefined; close: () => void }) {
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  const [isAwaited, wait] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const found = findThings(all ?? [], text);
  const openThing = (thing: Found | undefined) => {
    if (!thing) return;
    close();
    go(thing.href);
    scrollTo(0, 0);
  };
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    if (isAwaited && all) openThing(found[0]);
  }, [isAwaited, all !== undefined]);
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    // The letters before this key may not be drawn yet.
    const typed = field.current?.value ?? '';
    if (step !== undefined) choose(Math.max(0, Math.min(found.length - 1, chosen + step)));
    else if (all === undefined) wait(true);
    else openThing(typed === text ? found[chosen] : findThings(all, typed)[0]);
  };
  return (
    <>
      <input
        type="search"
        ref={field}
        aria-controls="found"
        aria-activedescendant={found.length > 0 ? `found-${chosen}` : undefined}
        aria-label="Find a project, a person or a client"
        placeholder="Find a project, a person or a client"
        value={text}
        onInput={({ currentTarget: { value } }) => {
          setText(value);
          choose(0);
          wait(false);
        }}
        onKeyDown={onKey}
      />
      <div id="found" role="listbox" aria-label="Found">
        {found.map(({ kind, name, detail, href }, index) => (
          <a
            role="option"
            id={`found-${index}`}
            aria-selected={index === chosen}
            tabIndex={-1}
            href={href}
            onClick={close}
          >
            {name} <small>{[kind, detail].filter(Boolean).join(' · ')}</small>
          </a>
        ))}
      </div>
      {all === undefined && (
        <p class="loading" role="status">
          Reading the names
        </p>
      )}
      {all && found.length === 0 && <p class="empty">Nothing has “{text}” in its name.</p>}
    </>
  );
}

/** Returns what has all the words of a text, in the order of what they are found in. */
function findThings(all: readonly Found[], text: string): readonly Found[] {
  const typed = text.trim().toLowerCase();
  const words = typed.split(' ').filter(Boolean);
  return all
    .filter(({ name, detail }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .toSorted((one, other) => placeOf(one, typed) - placeOf(other, typed))
    .slice(0, MAX_FOUND);
}

/** Returns the rank of a thing for a text: its code first, then its whole name, their beginnings, and any other place. */
function placeOf(thing: Found, typed: string): number {
  if (typed === '') return 0;
  const [name, code] = [thing.name.toLowerCase(), thing.code.toLowerCase()];
  const ranks = [code === typed, name === typed, name.startsWith(typed), code.startsWith(typed), true];
  return ranks.indexOf(true);
}
