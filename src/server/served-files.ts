import type { OpenTrace } from '../control/trace-lines.ts';
import type { FileSource } from '../files/file-source.ts';
import { ReelError } from '../model/errors.ts';
import type { LiveHub } from './live-hub.ts';
import type { ReplayOrigin } from './replay-controller.ts';

/** A recording that the page was opened for. */
export interface FileToServe {
  readonly source: FileSource;
  /** The id of its format, where its content shall not tell. */
  readonly format?: string | undefined;
}

/** What the page is told of a recording. */
export interface FileFacts {
  readonly id: string;
  readonly name: string;
  readonly format: string | undefined;
  readonly size: number | undefined;
  /** The session that it is the trace of, where it ran while the page was open. */
  readonly session?: string | undefined;
}

/** The recordings that pages may read: those that were named at the start, and sessions that have ended since. */
export class ServedFiles {
  readonly #files: readonly FileToServe[];
  readonly #hub: LiveHub | undefined;
  readonly #openTrace: OpenTrace;

  constructor(files: readonly FileToServe[], hub: LiveHub | undefined, openTrace: OpenTrace) {
    this.#files = files;
    this.#hub = hub;
    this.#openTrace = openTrace;
  }

  list(): readonly FileFacts[] {
    const named = this.#files.map(({ source, format }, index) => ({
      id: String(index),
      name: source.name,
      format,
      size: source.size,
    }));
    const ended = (this.#hub?.ended ?? []).map(({ id, trace }) => ({
      id,
      name: trace,
      format: 'trace',
      size: undefined,
      session: id,
    }));
    return [...named, ...ended];
  }

  async open(id: string): Promise<FileSource> {
    const named = this.#named(id);
    if (named !== undefined) return named.source;
    const ended = this.#hub?.ended.find((session) => session.id === id);
    if (ended === undefined) throw new ReelError('file-not-found', 'No such recording is open');
    return this.#openTrace(ended.trace);
  }

  /** What a replay is taken from: a recording that is open, or a session that runs. */
  async origin(id: string): Promise<ReplayOrigin> {
    const named = this.#named(id);
    if (named !== undefined) return named;
    const isOver = this.#hub?.ended.some((session) => session.id === id) === true;
    if (isOver || this.#hub === undefined) return { source: await this.open(id), format: 'trace' };
    const { session, client } = this.#hub.link(id);
    return { source: await this.#openTrace(session.trace), format: 'trace', folder: client.facts.folder };
  }

  /** One of those that were named at the start. */
  #named(id: string): FileToServe | undefined {
    return /^\d{1,6}$/.test(id) ? this.#files[Number(id)] : undefined;
  }
}
