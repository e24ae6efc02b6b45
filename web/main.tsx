import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/timeline.css';
import './styles/detail.css';
import { App } from './shell/app.tsx';
import { openAtStart } from './sources/open-at-start.ts';
import { createPage, PageContext } from './state/page.ts';

const worker = new Worker(new URL('./engine/engine-worker.ts', import.meta.url), { type: 'module' });
const page = createPage(worker);
const root = document.getElementById('page');
if (root !== null) {
  render(
    <PageContext.Provider value={page}>
      <App />
    </PageContext.Provider>,
    root,
  );
}
void openAtStart(page);
