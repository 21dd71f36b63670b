export { fileWithoutRates, isNamedWithoutRates } from './generation/files.ts';
export { openCopy, openGeneration, openPublished, type Published, stampGeneration } from './generation/open.ts';
export { type Build, publishGeneration } from './generation/publish.ts';
