import type { CallReplay } from '../../replay/call-replay.ts';
import type { ReplayableCall } from '../../replay/replayable-call.ts';
import { DetailPane } from './detail-pane.ts';
import type { ScreenPanel } from './panel.ts';

/** How far a replay has come: somebody is asked whether to begin, it runs, it is done, or it could not be. */
export type ReplayStage =
  | { readonly kind: 'asking' }
  | { readonly kind: 'running'; readonly sinceMs: number; readonly cancel: () => void }
  | ({ readonly kind: 'done' } & CallReplay)
  | { readonly kind: 'failed'; readonly why: string };

/** A call that is made once more, on the screen. */
export class ReplayView {
  readonly call: ReplayableCall;
  /** Which server that would be, in a few lines. */
  readonly where: readonly string[];
  /** The panel that keys went to before. */
  readonly cameFrom: ScreenPanel;
  readonly pane: DetailPane = new DetailPane();
  stage: ReplayStage = { kind: 'asking' };

  constructor(call: ReplayableCall, where: readonly string[], cameFrom: ScreenPanel) {
    this.call = call;
    this.where = where;
    this.cameFrom = cameFrom;
  }
}
