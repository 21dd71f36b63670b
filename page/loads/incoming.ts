import { useRef, useState } from 'preact/hooks';
import type { MappingJson, ToldLoad } from '../../src/store/loads/load-json.ts';
import type { Failure } from '../data/api.ts';
import { readAgain } from '../data/reading.ts';
import { type LoadFields, refuseFiles, sendFiles } from './loads-api.ts';
import { PROGRESS_MS, readLoadList, sendInTurn, stepOf, type Waiting } from './others.ts';

/** The files of a load on their way, and what the server says of them. One request is under way at a time. */
export function useIncoming(onLoaded: () => void) {
  const [files, setFiles] = useState<readonly File[]>([]);
  const [understood, setUnderstood] = useState<ToldLoad>();
  const [waiting, wait] = useState<Waiting>();
  const [failure, fail] = useState<Failure>();
  const [loaded, setLoaded] = useState<ToldLoad>();
  const [prefer, setPrefer] = useState<'here' | 'files'>();
  const [accepted, setAccepted] = useState<readonly string[]>([]);
  const round = useRef(0);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const mapping = understood?.entries ?? {};

  const follow = (mine: number) => () => mine === round.current;
  /** Understands files anew, and then reads them wholly. */
  const check = (now: readonly File[], changed: MappingJson | undefined) => {
    const isMine = follow(++round.current);
    setFiles(now);
    setAccepted([]);
    fail(undefined);
    if (changed === undefined) setUnderstood(undefined);
    if (now.length === 0) return wait(undefined);
    const refused = refuseFiles(now);
    if (refused) return fail(refused);
    const given = changed && JSON.stringify(changed);
    const ask = async (words: string, dryRun: LoadFields['dry_run']) => {
      wait({ words, part: undefined });
      const sent = (part: number) =>
        isMine() && wait({ words: part < 1 ? 'Sending' : words, part: part < 1 ? part : undefined });
      const send = () => sendFiles(now, { dry_run: dryRun, mapping: given }, sent);
      const answer = await sendInTurn(send, (waiting) => isMine() && wait(waiting), isMine);
      if (isMine()) setUnderstood(answer);
    };
    last.current = last.current.then(async () => {
      if (!isMine()) return;
      try {
        await ask('Understanding the files', 'first');
        // The whole file may decide a point that its beginning leaves open.
        if (isMine()) await ask('Reading the files, and comparing them with what is here', '1');
      } catch (error) {
        if (isMine()) fail(error as Failure);
      }
      if (isMine()) wait(undefined);
    });
  };
  const load = async () => {
    const fields = { mapping: JSON.stringify(mapping), prefer, accept: accepted.join(',') };
    fail(undefined);
    wait({ words: 'Sending', part: 0 });
    try {
      const answer = await sendInTurn(() => loadAll(files, fields, wait), wait, follow(round.current));
      if (!answer) return;
      setLoaded(answer);
      onLoaded();
      readAgain();
    } catch (error) {
      fail(error as Failure);
    }
    wait(undefined);
  };
  return {
    files,
    understood,
    mapping,
    waiting,
    failure,
    loaded,
    prefer,
    setPrefer,
    accepted,
    setAccepted,
    add: (more: readonly File[]) => {
      const kept = without(files, ...more.map(({ name }) => name));
      if (more.length > 0) check([...kept, ...more], undefined);
    },
    remove: (name: string) => check(without(files, name), undefined),
    change: (changed: MappingJson) => check(files, changed),
    load: () => void load(),
    clear: () => {
      check([], undefined);
      setLoaded(undefined);
      setPrefer(undefined);
    },
  };
}

function without(files: readonly File[], ...names: readonly string[]): File[] {
  return files.filter(({ name }) => !names.includes(name));
}

/** Loads files, and shows how far that is. @throws a Failure. */
async function loadAll(
  files: readonly File[],
  fields: Omit<LoadFields, 'dry_run'>,
  wait: (waiting: Waiting) => void,
): Promise<ToldLoad> {
  const progress = setInterval(() => void showProgress(wait), PROGRESS_MS);
  try {
    return await sendFiles(files, { dry_run: '0', ...fields }, (part) => {
      if (part < 1) wait({ words: 'Sending', part });
    });
  } finally {
    clearInterval(progress);
  }
}

async function showProgress(wait: (waiting: Waiting) => void): Promise<void> {
  const { running } = await readLoadList().catch(() => ({ running: null }));
  if (running && running.step !== 'receiving') wait(stepOf(running));
}
