import { useState } from 'preact/hooks';
import type { ListedLoad, ToldEffect } from '../../src/store/loads/load-json.ts';
import { type Failure, readFile, sendJson } from '../data/api.ts';
import { LoadEffect } from './load-effect.tsx';
import { sendInTurn, type Waiting } from './others.ts';
import { listWords } from './words.ts';

/** The loads so far, each with its mapping and the way back. */
export function LoadListing({ loads, onUndone }: { loads: readonly ListedLoad[]; onUndone: () => void }) {
  if (loads.length === 0) return null;
  return (
    <section>
      <h2>Loaded before</h2>
      <ul class="loads">
        {loads.map((load) => (
          <Listed load={load} onUndone={onUndone} />
        ))}
      </ul>
    </section>
  );
}

function Listed({ load, onUndone }: { load: ListedLoad; onUndone: () => void }) {
  const [asked, ask] = useState<ToldEffect>();
  const [failure, fail] = useState<Failure>();
  const [isBusy, setBusy] = useState(false);
  const [waiting, wait] = useState<Waiting>();
  const undo = async (isDry: boolean, prefer?: 'here' | 'files') => {
    setBusy(true);
    fail(undefined);
    try {
      const body = { dry_run: isDry, ...(prefer && { prefer }), accept: isDry ? '' : 'days,names' };
      const send = () => {
        wait(undefined);
        return sendJson<{ load: ToldEffect }>(`/v3/loads/${load.id}/undo`, body);
      };
      const answer = await sendInTurn(send, wait);
      if (isDry) ask(answer?.load);
      else onUndone();
    } catch (error) {
      fail(error as Failure);
    }
    wait(undefined);
    setBusy(false);
  };
  const hasConflicts = (asked?.conflicts.length ?? 0) > 0;
  return (
    <li>
      <div class="heading">
        <strong>{listWords(load.files.map(({ name }) => name))}</strong>
        <span class="hint">
          load {load.id}, {load.loaded_at.slice(0, 16).replace('T', ' ')} UTC, by {load.loaded_by}
        </span>
        {load.undone_at !== null ? (
          <span class="hint">
            taken back {load.undone_at.slice(0, 16).replace('T', ' ')} UTC by {load.undone_by}
          </span>
        ) : (
          <>
            <button type="button" onClick={() => void saveMapping(load.id)}>
              Mapping
            </button>
            {!asked && (
              <button type="button" disabled={isBusy} onClick={() => void undo(true)}>
                {isBusy ? 'Reading…' : 'Take back…'}
              </button>
            )}
          </>
        )}
      </div>
      {waiting && <p role="status">{waiting.words}…</p>}
      {failure && (
        <p class="warning" role="alert">
          {failure.message}
        </p>
      )}
      {asked && load.undone_at === null && (
        <fieldset class="question" aria-label={`Take load ${load.id} back`}>
          <LoadEffect effect={{ ...asked, totals: [], set_aside: [], unread: [], file_conflicts: [] }} />
          <button type="button" disabled={isBusy} onClick={() => void undo(false, hasConflicts ? 'here' : undefined)}>
            {hasConflicts ? 'Take it back, but for what was changed here' : 'Take it back'}
          </button>{' '}
          <button type="button" class="quiet" onClick={() => ask(undefined)}>
            Leave it
          </button>
        </fieldset>
      )}
    </li>
  );
}

/** Saves the mapping of a load as a file. */
async function saveMapping(id: number): Promise<void> {
  const { blob, name } = await readFile(`/v3/loads/${id}/mapping`);
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}
