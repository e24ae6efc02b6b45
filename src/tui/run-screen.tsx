import { Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import { type Instance, render } from 'ink';
import type { OpenTrace } from '../control/trace-lines.ts';
import type { Source } from '../formats/format.ts';
import type { BatchPlaces } from '../formats/trace/entry-block.ts';
import { inOneLine } from '../model/errors.ts';
import type { RecordedSession } from '../model/session.ts';
import { type CallReplayOptions, replayCall, type StartServer } from '../replay/call-replay.ts';
import type { RunningSession } from '../state/live-sessions.ts';
import { feedConversation } from './feed/conversation-feed.ts';
import { feedLive } from './feed/live-feed.ts';
import { breath } from './feed/pace.ts';

import type { FeedListener, SessionFeed } from './feed/session-feed.ts';
import { FrameWriter } from './frame-writer.ts';
import type { KeyPress } from './model/key.ts';
import { paste, pressKey } from './model/press-key.ts';
import { type RunningReplay, ScreenModel } from './model/screen-model.ts';
import type { SessionPlace } from './model/session-view.ts';
import { editOutside } from './outside-editor.ts';
import { ScreenTerminal } from './terminal.ts';
import { App } from './view/app.tsx';
import { Canvas } from './view/canvas.ts';
import { CanvasContext } from './view/rows.tsx';
import { paletteFor } from './view/styled-row.ts';

/** What to show: a recorded session, a running one, or any session that is running. */
export type ScreenSubject =
  | ({ readonly kind: 'recorded' } & OpenedRecording & SessionPlace)
  | { readonly kind: 'live'; readonly session: RunningSession }
  | { readonly kind: 'any' };

/** A recording, and where the entries of the batch that it yields are in its source. */
export interface OpenedRecording {
  readonly session: RecordedSession;
  readonly source: Pick<Source, 'readNow'>;
  readonly places: BatchPlaces;
}

export interface ScreenOptions {
  readonly subject: ScreenSubject;
  readonly stdin: ReadStream;
  readonly stdout: WriteStream;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: string;
  readonly temporaryFolder: string;
  /** The folder that the screen was opened in. */
  readonly folder: string;
  readonly newId: () => string;
  /** Starts a server for a replay. It does not outlive this process. */
  readonly startServer: StartServer;
  readonly nowMs: () => number;
  readonly openTrace: OpenTrace;
  /** The running sessions, or those that belong to the session the screen owns. */
  readonly running: () => Promise<readonly RunningSession[]>;
  /** Whether the screen owns the session, so that leaving it ends the session. */
  readonly ownsSession: boolean;
  /** The address clients connect to, if known. */
  readonly listening?: string | undefined;
  /** Resolves when a signal asks the screen to close; rejects on an uncaught error. */
  readonly interrupted: Promise<void>;
}

const TICK_MS = 1000;

/** Shows the screen until the user leaves it, and restores the terminal in any case. */
export async function runScreen(options: ScreenOptions): Promise<void> {
  const screen = new RunningScreen(options);
  try {
    await Promise.race([screen.open(), options.interrupted]);
  } finally {
    await screen.close();
  }
}

class RunningScreen {
  readonly #options: ScreenOptions;
  readonly #terminal: ScreenTerminal;
  readonly #canvas = new Canvas();
  readonly #backstage = new ScreenDeps();
  readonly #model: ScreenModel;
  readonly #frames: FrameWriter;
  #instance: Instance | undefined;
  #ticking: NodeJS.Timeout | undefined;
  #isAway = false;
  readonly #replays = new Set<RunningReplay>();
  #leave: () => void = () => undefined;
  #fail: (error: unknown) => void = () => undefined;

  constructor(options: ScreenOptions) {
    this.#options = options;
    this.#frames = new FrameWriter(() => this.#draw(), options.nowMs);
    this.#terminal = new ScreenTerminal(options.stdin, options.stdout, {
      onKey: (key) => this.#press((model) => pressKey(model, key satisfies KeyPress)),
      onPaste: (text) => this.#press((model) => paste(model, text)),
      onResize: () => this.#redraw(),
    });
    this.#model = new ScreenModel({
      nowMs: options.nowMs,
      onChange: () => this.#frames.soon(),
      copy: (text) => this.#terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
      edit: (text) => this.#editOutside(text),
      leave: () => this.#leave(),
      replay: (requested) => this.#replay(requested),
      env: options.env,
      folder: options.folder,
      openLive: (session, listener) => this.#openLive(session, listener),
      ownsSession: options.ownsSession,
      listening: options.listening,
    });
  }

  /** Resolves when the user leaves. */
  open(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#leave = resolve;
      this.#fail = reject;
      this.#terminal.enter();
      this.#begin();
      this.#ticking = setInterval(() => this.#tick(), TICK_MS);
      this.#frames.now();
    });
  }

  /** Restores the terminal at once; resolves when all replay servers have stopped. */
  async close(): Promise<void> {
    clearInterval(this.#ticking);
    this.#frames.stop();
    this.#model.session?.close();
    this.#instance?.unmount();
    this.#terminal.leave();
    for (const { cancel } of this.#replays) cancel();
    await Promise.allSettled([...this.#replays].map(({ result }) => result));
  }

  /** A conversation with its own trace is controlled through its run, which has the same process id. */
  async #openLive(session: RunningSession, listener: FeedListener): Promise<SessionFeed> {
    const { running } = this.#options;
    const isRun = ({ pid, socket }: RunningSession): boolean => pid === session.pid && socket !== undefined;
    const run = session.socket === undefined ? (await running()).find(isRun) : undefined;
    return run === undefined
      ? feedLive(session, this.#options, listener)
      : feedConversation(session, run, this.#options, listener);
  }

  #replay(requested: CallReplayOptions): RunningReplay {
    const { nowMs, newId, startServer } = this.#options;
    const cancelling = new AbortController();
    const { signal } = cancelling;
    const result = replayCall(requested, { nowMs, newId, startServer, signal });
    const replay = { result, cancel: () => cancelling.abort() };
    this.#replays.add(replay);
    const forget = (): boolean => this.#replays.delete(replay);
    result.then(forget, forget);
    return replay;
  }

  #begin(): void {
    const { subject } = this.#options;
    switch (subject.kind) {
      case 'recorded':
        this.#model.show(subject, async (view) => feedRecorded(subject, view));
        return;
      case 'live':
        this.#model.showLive(subject.session);
        return;
      case 'any':
        this.#tick();
        return;
    }
  }

  #tick(): void {
    const { subject, ownsSession } = this.#options;
    if (subject.kind === 'any' || ownsSession) {
      this.#options.running().then(
        (running) => this.#model.setRunning(running),
        (error) => this.#fail(error),
      );
    }
    const { session, doing } = this.#model;
    const isReplaying = doing.kind === 'replaying' && doing.replay.stage.kind === 'running';
    if (isReplaying || (session?.held.count ?? 0) > 0) this.#frames.now();
  }

  #press(act: (model: ScreenModel) => void): void {
    try {
      act(this.#model);
    } catch (error) {
      this.#fail(error);
      return;
    }
    this.#frames.next();
  }

  #redraw(): void {
    this.#canvas.reset();
    this.#terminal.write('\u001b[2J');
    this.#frames.now();
  }

  #draw(): void {
    if (this.#isAway) return;
    // The screen closes with the session it owns.
    const ending = this.#model.session?.ending;
    if (this.#options.ownsSession && ending !== undefined && ending.how !== 'silent') this.#leave();
    if (this.#terminal.isBehind) {
      this.#terminal.onCaughtUp(() => this.#frames.soon());
      return;
    }
    try {
      this.#render();
    } catch (error) {
      this.#fail(error);
    }
  }

  #render(): void {
    const { env } = this.#options;
    const model = this.#model;
    model.size = this.#terminal.size;
    this.#backstage.columns = model.size.columns;
    this.#backstage.rows = model.size.rows;
    const palette = paletteFor((env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb');
    const tree = (
      <CanvasContext.Provider value={this.#canvas}>
        <App model={model} palette={palette} home={env.HOME} />
      </CanvasContext.Provider>
    );
    if (this.#instance === undefined) {
      this.#instance = render(tree, {
        // Ink only computes the layout. Its own output is discarded.
        stdout: this.#backstage as unknown as NodeJS.WriteStream,
        debug: true,
        patchConsole: false,
        exitOnCtrlC: false,
      });
      this.#instance.waitUntilExit().catch((error: unknown) => this.#fail(error));
    } else this.#instance.rerender(tree);
    this.#terminal.write(this.#canvas.paint(model.size.rows));
  }

  /** The editor uses the terminal in the meantime; the feed keeps running. */
  async #editOutside(text: string): Promise<string> {
    this.#isAway = true;
    this.#terminal.leave();
    try {
      return await editOutside(text, this.#options);
    } finally {
      this.#isAway = false;
      this.#terminal.enter();
      this.#redraw();
    }
  }
}

/** A stream that looks like a terminal of a given size and discards its output. */
class ScreenDeps extends Writable {
  columns = 80;
  rows = 24;
  readonly isTTY = false;

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

/** Reads a recorded session batch by batch. */
function feedRecorded({ session, source, places }: OpenedRecording, listener: FeedListener): SessionFeed {
  let isClosed = false;
  void read();
  return {
    close: () => {
      isClosed = true;
    },
  };

  async function read(): Promise<void> {
    try {
      listener.onHeader(session.header, source);
      for await (const batch of session.batches()) {
        if (isClosed) return;
        listener.onEntries(batch, places.take());
        await breath();
      }
      listener.onEnding({ how: 'read' });
    } catch (error) {
      listener.onEnding({ how: 'lost', why: inOneLine(error) });
    }
  }
}
