import { render } from 'preact';
import { followLinks } from './address.ts';
import { App } from './app.tsx';
import { watchForNewData } from './reading.ts';

followLinks();
watchForNewData();
render(<App />, document.body);
