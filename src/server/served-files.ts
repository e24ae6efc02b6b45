import type { OpenTrace } from '../control/trace-lines.ts';
import type { FileSource } from '../files/file-source.ts';
import { ReelError } from '../model/errors.ts';
import { isOwnFile } from '../state/trusted-folder.ts';
import type { LiveHub } from './live-hub.ts';
import type { ReplayOrigin } from './replay-controller.ts';

/** A recording that the page was opened with. */
export interface FileToServe {
  readonly source: FileSource;
  /** The id of the recording's format, if it must not be detected. */
  readonly format?: string | undefined;
  /** Whether mcpreel recorded it here. */
  readonly isOwn: boolean;
}

/** The facts about a recording that the page receives. */
export interface FileFacts {
  readonly id: string;
  readonly name: string;
  readonly format: string | undefined;
  readonly size: number | undefined;
  /** The session's id, if the session ran while the page was open. */
  readonly session?: string | undefined;
}

/** The recordings that pages may read: those named at startup, and sessions that ended since. */
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

  /** Returns the open recording or running session to replay from. */
  async origin(id: string): Promise<ReplayOrigin> {
    const named = this.#named(id);
    if (named !== undefined) return named;
    const ended = this.#hub?.ended.find((session) => session.id === id);
    const link = ended === undefined ? this.#hub?.link(id) : undefined;
    const session = ended ?? link?.session;
    if (session === undefined) throw new ReelError('file-not-found', 'No such recording is open');
    // Its trace may be in any folder, where another user may have put another file in its place.
    const isOwn = isOwnFile(session.trace);
    return { source: await this.#openTrace(session.trace), format: 'trace', folder: link?.client.facts.folder, isOwn };
  }

  /** Returns a recording that was named at startup. */
  #named(id: string): FileToServe | undefined {
    return /^\d{1,6}$/.test(id) ? this.#files[Number(id)] : undefined;
  }
}
