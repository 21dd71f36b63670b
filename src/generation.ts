export { fileWithoutRates, isNamedWithoutRates, journalFile, syncPath, workingFile } from './generation/files.ts';
export { openCopy, openGeneration, openPublished, stampGeneration } from './generation/open.ts';
export { publishGeneration } from './generation/publish.ts';
export { openIdleWorking, openWorking, publishWorking } from './generation/working.ts';
