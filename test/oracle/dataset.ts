/** A value as a list endpoint returns it: decimals, booleans and ids in any spelling of 1.2. */
export type RecordValue = string | number | boolean | null | RecordValue[] | { [field: string]: RecordValue };

export type RawRecord = { [field: string]: RecordValue };

/** A dataset directory as a plain object: the records of each resource (1.1), in file order. */
export interface Dataset {
  settings?: RawRecord;
  departments?: RawRecord[];
  clients?: RawRecord[];
  accounts?: RawRecord[];
  roles?: RawRecord[];
  rate_cards?: RawRecord[];
  people?: RawRecord[];
  project_stages?: RawRecord[];
  projects?: RawRecord[];
  phases?: RawRecord[];
  milestones?: RawRecord[];
  project_tasks?: RawRecord[];
  progress?: RawRecord[];
  retainers?: RawRecord[];
  tasks?: RawRecord[];
  timeoffs?: RawRecord[];
  holidays?: RawRecord[];
  logged_time?: RawRecord[];
  project_expenses?: RawRecord[];
}
