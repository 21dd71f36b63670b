import { useLayoutEffect, useRef } from 'preact/hooks';
import { address, go, linkTo, linkToClosed } from './address.ts';
import type { Catalogue } from './catalogue.ts';
import { LineExplanation } from './line.tsx';
import { Lines } from './lines.tsx';

/** The drawer over a screen: the lines behind a number, or the explanation of one line. */
export function Drawer({ catalogue }: { catalogue: Catalogue }) {
  const [lines, line] = [address.value.get('lines'), address.value.get('line')];
  if (lines === null && line === null) return null;
  return <Dialog>{line === null ? <Lines catalogue={catalogue} query={lines ?? ''} /> : <Line id={line} />}</Dialog>;
}

function Line({ id }: { id: string }) {
  return (
    <>
      {address.value.has('lines') && <a href={linkTo({ line: undefined })}>← All lines</a>}
      <LineExplanation id={id} />
    </>
  );
}

/** A modal dialog: the browser keeps the focus in it, closes it with Escape, and gives the focus back. */
function Dialog({ children }: { children: preact.ComponentChildren }) {
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
      aria-label="Lines behind a number"
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
