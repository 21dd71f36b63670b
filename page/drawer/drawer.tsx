import { useLayoutEffect, useRef } from 'preact/hooks';
import { address, go, linkTo, linkToClosed } from '../data/address.ts';
import type { Catalogue } from '../data/catalogue.ts';
import { ChangedLines } from './changed-lines.tsx';
import { Findings } from './findings.tsx';
import { LineExplanation, LineNeighbors } from './line.tsx';
import { Lines } from './lines.tsx';

/** The drawer over a screen: the lines behind a number, the explanation of one line, lines that have changed, or findings. */
export function Drawer({ catalogue }: { catalogue: Catalogue }) {
  const [lines, line, findings, changed] = ['lines', 'line', 'findings', 'changed'].map((name) =>
    address.value.get(name),
  );
  if (line != null)
    return (
      <Dialog label="A line">
        <Line id={line} />
      </Dialog>
    );
  if (lines != null)
    return (
      <Dialog label="Lines behind a number">
        <Lines catalogue={catalogue} query={lines} key={lines} />
      </Dialog>
    );
  if (changed != null)
    return (
      <Dialog label="Lines behind a change">
        <ChangedLines catalogue={catalogue} query={changed} key={changed} />
      </Dialog>
    );
  if (findings == null) return null;
  return (
    <Dialog label="Findings">
      <Findings catalogue={catalogue} name={findings} key={findings} />
    </Dialog>
  );
}

function Line({ id }: { id: string }) {
  const lines = address.value.get('lines');
  return (
    <>
      {address.value.has('findings') && (
        <nav class="crumbs" aria-label="Path to this line">
          <a href={linkTo({ line: undefined })}>← All findings</a>
        </nav>
      )}
      {lines !== null && (
        <nav class="crumbs" aria-label="Path to this line">
          <a href={linkTo({ line: undefined })}>← All lines</a> <LineNeighbors id={id} query={lines} key={lines} />
        </nav>
      )}
      <LineExplanation id={id} key={id} />
    </>
  );
}

/** A modal dialog: the browser keeps the focus in it, closes it with Escape, and gives the focus back. */
function Dialog({ label, children }: { label: string; children: preact.ComponentChildren }) {
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    return () => dialog?.close();
  }, []);
  const close = () => go(linkToClosed());
  return (
    <dialog
      ref={place}
      aria-label={label}
      // A click beside it closes it, too, in browsers that support this attribute.
      {...{ closedby: 'any' }}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="drawer">
        <button type="button" class="close" onClick={close}>
          Close
        </button>
        {children}
      </div>
    </dialog>
  );
}
