export interface Stall {
  /** How much is said. */
  readonly bytes: number;
  /** How long each line is. */
  readonly lineBytes: number;
  /** What mcpreel is given as --max-message. */
  readonly maxMessage: string;
}

export interface Measured {
  readonly status: number | null;
  /** How many bytes the one who spoke could say while nobody read. */
  readonly takenWhileStalled: number;
  /** What mcpreel held of the machine's memory then, in bytes; `undefined` where the system does not tell. */
  readonly stalledMemory: number | undefined;
  /** The most that it ever held. */
  readonly peakMemory: number | undefined;
  readonly sent: { readonly bytes: number; readonly sha256: string };
  readonly received: { readonly bytes: number; readonly sha256: string };
  /** The lines that passed; the text of short ones. */
  readonly lines: readonly { readonly size: number; readonly sha256: string; readonly text: string | undefined }[];
  readonly trace: readonly Readonly<Record<string, unknown>>[];
}

export const MAX_MEMORY: number;
export function stallClient(stall: Stall): Promise<Measured>;
export function stallServer(stall: Stall): Promise<Measured>;
