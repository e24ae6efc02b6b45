import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { visible } from '../../src/present/visible-text.ts';
import { laneClass } from '../state/lane-colours.ts';
import { usePage, usePlace } from '../state/page.ts';
import { THEMES, themeSignal } from '../state/theme.ts';
import { VIEW_KINDS } from '../views/views.ts';
import { Badges } from './badges.tsx';

/** The header: the name, a dot for each server, the views, and the state of the open recordings. */
export function Header(): JSX.Element {
  const page = usePage();
  const view = usePlace('view');
  const theme = useMemo(themeSignal, []);
  const { lanes } = page.timeline.value;
  const nextTheme = (): void => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system';
  };
  return (
    <header class="header">
      <button type="button" class="brand" onClick={() => page.go({ view: 'timeline' })}>
        <span class="brand-mark" aria-hidden="true">
          ◉
        </span>
        mcpreel
      </button>
      <ul class="lanes" aria-label="Servers">
        {lanes.map(({ index, label }) => (
          <li key={index} class={laneClass(index)}>
            <span class="lane-dot" />
            {visible(label)}
          </li>
        ))}
      </ul>
      {lanes.length > 0 && (
        <nav class="tabs" aria-label="Views">
          {VIEW_KINDS.filter(({ isOffered }) => isOffered?.(page) ?? true).map(({ id, title }) => (
            <button
              key={id}
              type="button"
              class="tab"
              aria-current={view === id ? 'page' : undefined}
              onClick={() => page.go({ view: id })}
            >
              {title}
            </button>
          ))}
        </nav>
      )}
      <span class="header-space" />
      <Badges />
      <button
        type="button"
        class="icon"
        onClick={nextTheme}
        title={`Theme: ${theme.value}`}
        aria-label={`Theme: ${theme.value}`}
      >
        ◐
      </button>
      <button
        type="button"
        class="icon"
        aria-label="Keys"
        title="Keys (?)"
        onClick={() => {
          page.isHelpOpen.value = true;
        }}
      >
        ?
      </button>
    </header>
  );
}
