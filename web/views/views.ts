import type { ComponentType } from 'preact';
import { loadedLater } from '../parts/loaded-later.tsx';
import type { PageState } from '../state/page.ts';
import type { ViewId } from '../state/place.ts';
import { TimelineView } from './timeline/timeline-view.tsx';

/** A way to look at what is open. */
export interface ViewKind {
  readonly id: ViewId;
  readonly title: string;
  readonly component: ComponentType;
  /** Whether the selected entry is shown beside it. */
  readonly hasDetail: boolean;
  /** Whether the filter and the minimap narrow it down. */
  readonly hasRows: boolean;
  /** Whether there is anything to see in it; always if absent. */
  isOffered?(page: PageState): boolean;
}

const TIMELINE: ViewKind = {
  id: 'timeline',
  title: 'Timeline',
  component: TimelineView,
  hasDetail: true,
  hasRows: true,
};

/** The views, in the order of their tabs. */
export const VIEW_KINDS: readonly ViewKind[] = [
  TIMELINE,
  {
    id: 'calls',
    title: 'Calls',
    component: loadedLater(async () => (await import('./calls/calls-view.tsx')).CallsView),
    hasDetail: true,
    hasRows: true,
  },
  {
    id: 'tools',
    title: 'Tools',
    component: loadedLater(async () => (await import('./tools/tools-view.tsx')).ToolsView),
    hasDetail: false,
    hasRows: true,
  },
  {
    id: 'raw',
    title: 'Raw',
    component: loadedLater(async () => (await import('./raw/raw-view.tsx')).RawView),
    hasDetail: false,
    hasRows: false,
  },
  {
    id: 'session',
    title: 'Session',
    component: loadedLater(async () => (await import('./session/session-view.tsx')).SessionView),
    hasDetail: false,
    hasRows: false,
  },
  {
    id: 'diff',
    title: 'Diff',
    component: loadedLater(async () => (await import('./diff/diff-view.tsx')).DiffView),
    hasDetail: false,
    hasRows: false,
  },
  {
    id: 'live',
    title: 'Live',
    component: loadedLater(async () => (await import('./live/live-view.tsx')).LiveView),
    hasDetail: false,
    hasRows: false,
    isOffered: (page) => page.served.value?.live !== undefined,
  },
];

export function viewOf(id: ViewId): ViewKind {
  return VIEW_KINDS.find((view) => view.id === id) ?? TIMELINE;
}
