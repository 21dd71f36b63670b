import { render } from 'preact';
import { followLinks } from './address.ts';
import { App } from './app.tsx';
import { splitWideTables } from './paper.ts';
import { watchForNewData } from './reading.ts';

followLinks();
watchForNewData();
splitWideTables();
render(<App />, document.body);
