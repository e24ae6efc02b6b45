import type { ComponentType } from 'preact';
import type { EntryDetail } from '../model/entry-detail.ts';
import { ReplayButton } from '../views/live/replay-button.tsx';
import { CopyMenu } from './copy-menu.tsx';

/** Something that can be done with an entry, as a button in the head of its detail. It shows nothing where it cannot be done. */
export interface DetailAction {
  readonly id: string;
  readonly component: ComponentType<{ readonly detail: EntryDetail }>;
}

/** All that can be done, in the order of the buttons. */
export const DETAIL_ACTIONS: readonly DetailAction[] = [
  { id: 'copy', component: CopyMenu },
  { id: 'replay', component: ReplayButton },
];
