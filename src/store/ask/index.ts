export { parseAsked, runAsked } from './ask.ts';
export { askPreview, type PreviewAnswer, type PreviewReader, type PreviewSource } from './ask-preview.ts';
export { assertFormat } from './assert-format.ts';
export { type AskedStates, findStates, type States, type StatesRequest } from './find-states.ts';
export { ALONE } from './open-data.ts';
export {
  contextBefore,
  MAX_REPORT_ROWS,
  type OpenedStates,
  openStates,
  type Policy,
  queryKeyOf,
  takePermits,
  versionOf,
} from './open-states.ts';
export { type PreviewBody, previewBody, readPreviewBody } from './preview-body.ts';
export { readParameters } from './sent-parameters.ts';
export { servedStates } from './served-states.ts';
export type { ReportParameters } from './state-references.ts';
export { giveBack, type Permits, type Turn, type TurnReader, takeTurn } from './turn.ts';
export { writeAsked } from './write-asked.ts';
