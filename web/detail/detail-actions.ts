import type { ComponentType } from 'preact';
import type { EntryDetail } from '../model/entry-detail.ts';
import { ReplayButton } from '../views/live/replay-button.tsx';
import { CopyMenu } from './copy-menu.tsx';

/** A button in the head of an entry's details. The component renders nothing if the action is unavailable. */
export interface DetailAction {
  readonly id: string;
  readonly component: ComponentType<{ readonly detail: EntryDetail }>;
}

/** All actions, in the order of the buttons. */
export const DETAIL_ACTIONS: readonly DetailAction[] = [
  { id: 'copy', component: CopyMenu },
  { id: 'replay', component: ReplayButton },
];
