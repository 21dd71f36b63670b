import { useState } from 'preact/hooks';
import { address, go, linkTo, linkToClosed } from '../data/address.ts';
import { Menu } from './menu.tsx';

/** A view that was kept: its name, and the query of its address. */
interface View {
  readonly name: string;
  readonly query: string;
}

const STORED_VIEWS = 'plumbline.views';

/** Views that a browser keeps at most. */
const MAX_VIEWS = 100;

/** Longest name of a view. Unit: characters. */
const MAX_NAME = 60;

/** A menu of the views of Explore that this browser keeps. The name of the one that is open is in the address, so a link has it, too. */
export function Views() {
  const [views, hold] = useState(readViews);
  const open = address.value.get('view');
  const query = linkToClosed().slice(2);
  const isSame = views.some(({ name, query: kept }) => name === open && kept === query);
  const keep = (next: readonly View[]) => {
    hold(next);
    writeViews(next);
  };
  const add = (name: string) => {
    const link = linkTo({ view: name }, new URLSearchParams(query));
    const others = views.filter((view) => view.name !== name);
    keep([{ name, query: link.slice(2) }, ...others].slice(0, MAX_VIEWS));
    go(link);
  };
  return (
    <Menu label={open === null ? 'Views' : `View: ${open}${isSame ? '' : ' (not kept)'}`}>
      {(close) => (
        <>
          <ul class="presets" aria-label="Views">
            {views.map(({ name, query: kept }) => (
              <li class="view">
                <a href={`/?${kept}`} aria-current={name === open ? 'true' : undefined} onClick={close}>
                  {name}
                </a>
                <button
                  type="button"
                  aria-label={`Remove the view ${name}`}
                  onClick={() => keep(views.filter((view) => view.name !== name))}
                >
                  ×
                </button>
              </li>
            ))}
          </ul>
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const name = new FormData(event.currentTarget).get('name');
              if (typeof name === 'string' && name.trim() !== '') add(name.trim());
              close();
            }}
          >
            <label>
              Keep this view as <input name="name" required maxLength={MAX_NAME} value={open ?? ''} />
            </label>{' '}
            <button type="submit">Keep</button>
          </form>
        </>
      )}
    </Menu>
  );
}

/** Reads the views of the browser; none where it keeps nothing, or something else under their name. */
function readViews(): readonly View[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORED_VIEWS) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView) : [];
  } catch {
    return [];
  }
}

function isView(kept: unknown): kept is View {
  const { name, query } = (kept ?? {}) as Partial<Record<string, unknown>>;
  return typeof name === 'string' && typeof query === 'string';
}

/** Keeps views as long as the browser allows it. */
function writeViews(views: readonly View[]): void {
  try {
    localStorage.setItem(STORED_VIEWS, JSON.stringify(views));
  } catch {
    // A private window may allow none; the address has the view, too.
  }
}
