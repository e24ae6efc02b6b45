import { openAtStart } from './sources/open-at-start.ts';
import { startPage } from './start.tsx';

void openAtStart(startPage(new Worker(new URL('./model/engine-worker.ts', import.meta.url), { type: 'module' })));
