import type { CallReplay } from '../../replay/call-replay.ts';
import type { ReplayableCall } from '../../replay/replayable-call.ts';
import { DetailPane } from './detail-pane.ts';
import type { ScreenPanel } from './panel.ts';

/** The stage of a replay: awaiting confirmation, running, done or failed. */
export type ReplayStage =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running'; readonly sinceMs: number; readonly cancel: () => void }
  | ({ readonly kind: 'done' } & CallReplay)
  | { readonly kind: 'failed'; readonly why: string };

/** A replayed call as shown on the screen. */
export class ReplayView {
  readonly call: ReplayableCall;
  /** Lines that describe the server. */
  readonly where: readonly string[];
  /** The panel that had the focus before. */
  readonly cameFrom: ScreenPanel;
  readonly pane: DetailPane = new DetailPane();
  stage: ReplayStage = { kind: 'asking' };

  constructor(call: ReplayableCall, where: readonly string[], cameFrom: ScreenPanel) {
    this.call = call;
    this.where = where;
    this.cameFrom = cameFrom;
  }
}
