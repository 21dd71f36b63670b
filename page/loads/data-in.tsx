import { useEffect, useState } from 'preact/hooks';
import type { ListedLoad, ToldEffect, ToldLoad } from '../../src/store/loads/load-json.ts';
import { linkToScreen } from '../data/address.ts';
import type { Failure } from '../data/api.ts';
import { readAgain } from '../data/reading.ts';
import { Failed, TableShape } from '../parts/states.tsx';
import { DropZone } from './drop-zone.tsx';
import { FileCard } from './file-card.tsx';
import { useIncoming } from './incoming.ts';
import { LoadEffect } from './load-effect.tsx';
import { LoadListing } from './load-list.tsx';
import { nameRecord, settleOverlap } from './meanings.ts';
import { readLoadList, type Waiting } from './others.ts';
import { areAnswered, Questions } from './questions.tsx';

/** The screen on which files come in: they are dropped, understood, checked and loaded, and taken back. */
export function DataIn() {
  const [list, setList] = useState<readonly ListedLoad[] | Failure>();
  const readList = () => readLoadList().then(({ loads }) => setList(loads), setList);
  useEffect(() => void readList(), []);
  if (list === undefined) return <TableShape rows={8} />;
  if ('status' in list) return <NoLoads failure={list} retry={readList} />;
  return (
    <div class="data-in">
      <h1>Data in</h1>
      <p class="hint">
        Exports of other programs, or your own tables: time, plans, people, expenses. What they change is shown before
        anything is loaded.
      </p>
      <Incoming onLoaded={() => void readList()} />
      <LoadListing
        loads={list}
        onUndone={() => {
          void readList();
          readAgain();
        }}
      />
    </div>
  );
}

/** Says why no files are taken here. */
function NoLoads({ failure, retry }: { failure: Failure; retry: () => void }) {
  if (failure.status === 405)
    return (
      <div class="message">
        <h2>This server takes no files</h2>
        <p>
          It shows what the command loads: <code>plumbline load FOLDER</code>. A server started with{' '}
          <code>plumbline serve --write</code> takes files here.
        </p>
      </div>
    );
  const isScope = failure.status === 403;
  return (
    <Failed
      failure={
        isScope
          ? { ...failure, message: `${failure.message}. To bring files in, a token needs the scope load.` }
          : failure
      }
      retry={retry}
    />
  );
}

function Incoming({ onLoaded }: { onLoaded: () => void }) {
  const incoming = useIncoming(onLoaded);
  const { files, understood, waiting, failure, loaded, change, mapping } = incoming;
  if (loaded) return <Loaded loaded={loaded} again={incoming.clear} />;
  const effect = understood?.changes ? (understood as ToldEffect) : undefined;
  return (
    <>
      <DropZone isSmall={files.length > 0} take={incoming.add} />
      {failure && (
        <Refused
          failure={failure}
          settle={(overlap) => change(settleOverlap(mapping, overlap))}
          clear={incoming.clear}
        />
      )}
      {understood?.files.map((file) => (
        <FileCard
          file={file}
          mapping={mapping}
          open={understood.open.filter((point) => point.entries.some((place) => file.entries.includes(place)))}
          change={change}
          remove={() => incoming.remove(file.file)}
        />
      ))}
      {waiting && <Progress {...waiting} />}
      {effect && (
        <>
          <LoadEffect effect={effect} />
          <Questions
            effect={effect}
            prefer={incoming.prefer}
            accepted={incoming.accepted}
            setPrefer={incoming.setPrefer}
            setAccepted={incoming.setAccepted}
            same={({ resource, name, id }) => change(nameRecord(mapping, resource, name, id))}
          />
          <p class="actions">
            <button
              type="button"
              class="main"
              disabled={waiting !== undefined || !areAnswered(effect.questions, incoming.prefer, incoming.accepted)}
              onClick={incoming.load}
            >
              {files.length === 1 ? 'Load this file' : `Load these ${files.length} files`}
            </button>{' '}
            <button type="button" class="quiet" onClick={incoming.clear}>
              Start again
            </button>
          </p>
        </>
      )}
    </>
  );
}

function Progress({ words, part }: Waiting) {
  return (
    <div class="progress" role="status">
      <span>{words}…</span>
      <progress value={part} aria-label={words} />
    </div>
  );
}

/** The reason for refusing files, with the way on. */
function Refused({
  failure,
  settle,
  clear,
}: {
  failure: Failure;
  settle: (overlap: 'newest' | 'add') => void;
  clear: () => void;
}) {
  const isOverlap = failure.fields?.includes('overlap') === true;
  return (
    <div class="question refused" role="alert">
      <p>{isOverlap ? `${failure.message.split('. Write overlap')[0]}. Which count?` : failure.message}</p>
      {isOverlap ? (
        <>
          <button type="button" onClick={() => settle('newest')}>
            Those of the later file
          </button>
          <button type="button" onClick={() => settle('add')}>
            All of them: they are different work
          </button>
        </>
      ) : (
        <button type="button" onClick={clear}>
          Start again
        </button>
      )}
    </div>
  );
}

/** The result of a load, and the way to its numbers. */
function Loaded({ loaded, again }: { loaded: ToldLoad; again: () => void }) {
  return (
    <section class="loaded" aria-live="polite">
      <h2>Loaded, as load {loaded.id}</h2>
      <LoadEffect effect={loaded as ToldEffect} isDone />
      <p class="actions">
        <a class="button" href={linkToScreen('portfolio')}>
          See the portfolio
        </a>{' '}
        <button type="button" onClick={again}>
          Bring in more files
        </button>
      </p>
      <p class="hint">The list below takes it back, and has its mapping to download.</p>
    </section>
  );
}
