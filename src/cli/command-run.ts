/**
 * What a command returns to the program: its output, part by part, and its exit code.
 *
 * A command is an async generator. It yields each part when it is made and goes on when that part is written, so a slow
 * reader slows the command down, and nothing gathers in memory. `print-run.ts` alone prints the parts.
 *
 * Some commands write while they run, from event handlers that cannot yield. They use `DirectOutput`:
 * - `record` and `mock` report what happens to their connections, and `view` that no browser could be opened;
 * - `hold` prints messages as they are held, and `replay` results as they arrive: neither may wait for the reader;
 * - `ProblemReport` is called by the readers of files in the middle of a batch.
 *
 * Three use a stream of the process itself: `ask.ts` for its question, `tui` for its screen, and `mock` and `record` for
 * MCP on stdin and stdout.
 */

/** Text or bytes for stdout, or a note: one line for stderr. */
export type OutputPart = string | Uint8Array | { readonly note: string };

/** A step of a command that yields output and results in a value. */
export type CommandStep<T = void> = AsyncGenerator<OutputPart, T, void>;

/** A whole command. It results in its exit code; without one it succeeded. One that never yields is a promise. */
export type CommandRun = CommandStep<number> | CommandStep | Promise<number>;

/** Writes at once, for code that cannot yield. */
export interface DirectOutput {
  /** Writes one line to stderr. */
  note(line: string): void;
  /** Writes text to stdout without waiting. `flushed` rejects if that fails. */
  print(text: string): void;
  /** Resolves when all that was printed is written. */
  flushed(): Promise<void>;
}
