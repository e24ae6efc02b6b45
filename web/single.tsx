import EngineWorker from './model/engine-worker.ts?worker&inline';
import { openEmbedded } from './sources/embedded.ts';
import { startPage } from './start.tsx';

// The page as one file, with the recordings that it is about in it.
void openEmbedded(startPage(new EngineWorker()));
