export class SmallDisk {
  readonly folder: string;
  readonly close: () => void;
  constructor(folder: string, options: string);
  fill(): void;
  free(): void;
  makeReadOnly(): void;
  makeWritable(): void;
}

export class JournalledDisk {
  readonly folder: string;
  readonly close: () => void;
  constructor(folder: string, bytes?: number);
  breakDown(): void;
}

export function whyNoSmallDisk(): string | undefined;
export function whyNoJournalledDisk(): string | undefined;
