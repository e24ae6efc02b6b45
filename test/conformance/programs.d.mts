/** A program that listens. */
export interface Program {
  readonly url: string;
  /** Ends it; tells its status, or the signal that it took, and what it said. */
  stop(): Promise<{ readonly status: number | NodeJS.Signals | null; readonly output: string }>;
}

export function startFixture(): Promise<Program>;
