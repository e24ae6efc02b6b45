import { render } from 'preact';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/sources.css';
import './styles/timeline.css';
import './styles/views.css';
import './styles/calls.css';
import './styles/tools.css';
import './styles/raw.css';
import './styles/session.css';
import './styles/detail.css';
import './styles/json-tree.css';
import './styles/diff.css';
import './styles/live.css';
import { App } from './shell/app.tsx';
import { createPage, PageContext, type PageState } from './state/page.ts';

/** Renders the page. The caller provides the recordings. */
export function startPage(worker: Worker): PageState {
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
  return page;
}
