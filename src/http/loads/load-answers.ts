import type { FileTotals, ListedLoad, ToldEffect, ToldLoad } from '../../loads/load-json.ts';
import type { LoadEntry } from '../../loads/load-log.ts';
import type { LoadAnswer } from '../../loads/loads.ts';
import { type LoadEffect, withoutFileAmounts } from '../../loads/told-effect.ts';

/** Returns a load of the list as JSON, without amounts for a reader who sees no rates. */
export function toListedLoad(load: LoadEntry, seesRates: boolean): ListedLoad {
  const { id, loadedAt, loadedBy, files, undoneAt, undoneBy, totals } = load;
  return {
    id,
    loaded_at: loadedAt,
    loaded_by: loadedBy,
    files,
    totals: (seesRates ? totals : withoutFileAmounts(totals)).map(toTotals),
    undone_at: undoneAt,
    undone_by: undoneBy,
  };
}

/** Returns the answer to a load as JSON. */
export function toLoadAnswer(answer: LoadAnswer): ToldLoad {
  const { id, files, mapping, entries, open, first } = answer;
  return {
    id: id ?? null,
    files: files.map(({ columns, ...file }) => ({
      ...file,
      columns,
      first: first.find((each) => each.file === nameOf(file)) ?? null,
    })),
    mapping,
    entries,
    open,
    ...('changes' in answer ? toEffect(answer as LoadEffect) : {}),
  };
}

/** Returns the name of a file, or of its sheet, as a load has it. */
function nameOf({ file, sheet }: { readonly file: string; readonly sheet: string | null }): string {
  return sheet === null ? file : `${file}, sheet ${sheet}`;
}

/** Returns what a load changes as JSON. */
export function toEffect({
  setAside,
  unread,
  fileConflicts,
  nearNames,
  totals,
  differences,
  changes,
  conflicts,
  questions,
  notes,
  preview,
}: LoadEffect): ToldEffect {
  return {
    totals: totals.map(toTotals),
    differences,
    set_aside: setAside,
    unread,
    file_conflicts: fileConflicts,
    near_names: nearNames,
    changes,
    conflicts,
    questions: questions.map(({ name, text, isAnswered, names = [] }) => ({
      name,
      text,
      is_answered: isAnswered,
      names,
    })),
    notes,
    reports: preview ?? null,
  };
}

/** Returns the totals of a file as JSON, beside those that it has itself. */
function toTotals({
  firstDay,
  lastDay,
  billableHours,
  setAside,
  leftOut,
  number: _,
  ...totals
}: LoadEffect['totals'][number]): FileTotals {
  return {
    ...totals,
    set_aside: setAside,
    left_out: leftOut,
    billable_hours: billableHours,
    first_day: firstDay,
    last_day: lastDay,
  };
}
