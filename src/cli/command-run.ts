/**
 * The types of a command's result: its output, part by part, and its exit code.
 *
 * A command is an async generator. It yields each part as it is produced and continues when that part is written. So a
 * slow reader slows the command down, and output does not pile up in memory. Only `print-run.ts` prints the parts.
 *
 * Some commands write from event handlers, which cannot yield. They use `DirectOutput`:
 * - `record` and `mock` report the events of their connections, and `view` reports that no browser could be opened;
 * - `hold` prints messages when they are held and `replay` results as they arrive, neither waiting for a reader;
 * - the file readers call `ProblemReport` in the middle of a batch.
 *
 * Three use a stream of the process itself: `ask.ts` for its question, `tui` for its screen, and `mock` and `record`
 * for MCP on stdin and stdout.
 */

/** Text or bytes for stdout, or a note: one line for stderr. */
export type OutputPart = string | Uint8Array | { readonly note: string };

/** A step of a command, which yields output and returns a value. */
export type CommandStep<T = void> = AsyncGenerator<OutputPart, T, void>;

/** A whole command. It returns its exit code, or nothing on success. A command that never yields is a promise. */
export type CommandRun = CommandStep<number> | CommandStep | Promise<number>;

/** Writes immediately, for code that cannot yield. */
export interface DirectOutput {
  /** Writes one line to stderr. */
  note(line: string): void;
  /** Writes text to stdout without waiting. If that fails, `flushed` rejects. */
  print(text: string): void;
  /** Resolves when all printed text is written. */
  flushed(): Promise<void>;
}
