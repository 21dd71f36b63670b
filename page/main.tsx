import { render } from 'preact';
import { followLinks } from './address.ts';
import { App } from './app.tsx';
import { layOutSheets } from './paper.ts';
import { watchForNewData } from './reading.ts';
import { showMarks } from './turning.ts';

showMarks();
followLinks();
watchForNewData();
layOutSheets();
render(<App />, document.body);
