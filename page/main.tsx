import { render } from 'preact';
import { App } from './app.tsx';
import { followLinks } from './data/address.ts';
import { layOutSheets } from './data/paper.ts';
import { watchForNewData } from './data/reading.ts';
import { showMarks } from './data/turning.ts';

showMarks();
followLinks();
watchForNewData();
layOutSheets();
render(<App />, document.body);
