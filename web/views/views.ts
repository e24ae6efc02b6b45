import type { ComponentType } from 'preact';
import { loadedLater } from '../parts/loaded-later.tsx';
import type { PageState } from '../state/page.ts';
import type { ViewId } from '../state/place.ts';
import { TimelineView } from './timeline/timeline-view.tsx';

/** A view of the open recordings. */
export interface ViewKind {
  readonly id: ViewId;
  readonly title: string;
  readonly component: ComponentType;
  /** Whether the details of the selected entry are shown next to it. */
  readonly hasDetail: boolean;
  /** Whether the filter and the minimap apply to it. */
  readonly hasRows: boolean;
  /** Whether the view is available (default: always). */
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
