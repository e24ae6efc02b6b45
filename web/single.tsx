import EngineWorker from './model/engine-worker.ts?worker&inline';
import { openEmbedded } from './sources/embedded.ts';
import { startPage } from './start.tsx';

// The entry point of the single-file page with embedded recordings.
void openEmbedded(startPage(new EngineWorker()));
