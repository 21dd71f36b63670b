export { fileWithoutRates, isNamedWithoutRates } from './generation/files.ts';
export { openCopy, openGeneration, openPublished, stampGeneration } from './generation/open.ts';
export { publishGeneration } from './generation/publish.ts';
