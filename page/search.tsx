import { useEffect, useRef, useState } from 'preact/hooks';
import { go, linkToScreen } from './address.ts';
import { type Answer, type Row, rowsOf, textOf } from './answer.ts';
import { asOfParameter, type Catalogue, reportOf } from './catalogue.ts';
import { WHOLE_LIFE } from './days.ts';
import { nameOr } from './numbers.ts';
import { useAnswers } from './reading.ts';
import { Ready, TableShape } from './states.tsx';

/** Things found at most. */
const MAX_FOUND = 12;

/** A project, a person or a client, with its screen. */
interface Found {
  readonly kind: string;
  readonly name: string;
  readonly detail: string;
  readonly href: string;
}

/** A button, and Ctrl+K, that find any project, person or client from everywhere. */
export function Search({ catalogue }: { catalogue: Catalogue }) {
  const [isOpen, open] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      open(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button type="button" class="search" onClick={() => open(true)}>
        Search <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <SearchDialog catalogue={catalogue} close={() => open(false)} />}
    </>
  );
}

function SearchDialog({ catalogue, close }: { catalogue: Catalogue; close: () => void }) {
  const place = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    place.current?.showModal();
  }, []);
  const path = (report: string, own: Readonly<Record<string, string>>) =>
    `${reportOf(catalogue, report).path}?${new URLSearchParams({ ...WHOLE_LIFE, ...asOfParameter(), ...own })}&decimals=string`;
  // One reading holds all names: typing asks for nothing.
  const reading = useAnswers<Answer>([
    path('projects', { fields: 'project_id,project_code,name,client_id,client', include_empty: '1' }),
    path('people', { fields: 'people_id,people_code,name,role,department' }),
  ]);
  return (
    <dialog class="finder" ref={place} aria-label="Search" onClose={close} {...{ closedby: 'any' }}>
      <Ready reading={reading} shape={<TableShape rows={6} />}>
        {([projects, people]) =>
          projects && people && <Finder all={collect(rowsOf(projects), rowsOf(people))} close={close} />
        }
      </Ready>
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
    detail: string,
  ) =>
    id === null || id === '0'
      ? []
      : [{ kind, name: nameOr(name, id, kind), detail, href: linkToScreen(screen, { [parameter]: id }) }];
  const clients = new Map(projects.map((row) => [textOf(row, 'client_id'), textOf(row, 'client')]));
  return [
    ...projects.flatMap((row) =>
      thing(
        'Project',
        'project',
        'project_id',
        textOf(row, 'project_id'),
        textOf(row, 'name'),
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
        words(row, ['role', 'department', 'people_code']),
      ),
    ),
    ...[...clients].flatMap(([id, name]) => thing('Client', 'client', 'client_id', id, name, '')),
  ];
}

/** The field, and what has its words in its name or details. Arrow keys choose, Enter opens. */
function Finder({ all, close }: { all: readonly Found[]; close: () => void }) {
  const [text, setText] = useState('');
  const [chosen, choose] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const found = findThings(all, text);
  const openAt = (index: number) => {
    const thing = found[index];
    if (!thing) return;
    close();
    go(thing.href);
    scrollTo(0, 0);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    if (step === undefined) openAt(chosen);
    else choose(Math.max(0, Math.min(found.length - 1, chosen + step)));
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
      {found.length === 0 && <p class="empty">Nothing has “{text}” in its name.</p>}
    </>
  );
}

/** Returns what has all the words of a text, first what begins with it. */
function findThings(all: readonly Found[], text: string): readonly Found[] {
  const words = text.toLowerCase().split(' ').filter(Boolean);
  const begins = ({ name }: Found) => Number(!name.toLowerCase().startsWith(words[0] ?? ''));
  return all
    .filter(({ name, detail }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .toSorted((one, other) => begins(one) - begins(other))
    .slice(0, MAX_FOUND);
}
