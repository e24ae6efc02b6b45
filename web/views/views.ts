import type { ComponentType } from 'preact';
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
}

const TIMELINE: ViewKind = {
  id: 'timeline',
  title: 'Timeline',
  component: TimelineView,
  hasDetail: true,
  hasRows: true,
};

/** The views, in the order of their tabs. */
export const VIEW_KINDS: readonly ViewKind[] = [TIMELINE];

export function viewOf(id: ViewId): ViewKind {
  return VIEW_KINDS.find((view) => view.id === id) ?? TIMELINE;
}
