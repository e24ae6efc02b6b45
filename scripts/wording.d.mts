interface WordingHit {
  readonly file: string;
  readonly line: number;
  readonly found: string;
  readonly write: string;
}

interface WordingVerdict {
  readonly kind: 'code' | 'strings' | 'documents';
  readonly lines: number;
  readonly rate: number;
  readonly limit: number;
  readonly hits: readonly WordingHit[];
  readonly forbidden: readonly WordingHit[];
  readonly isTooMany: boolean;
}

export function checkWording(base: string, chosen?: readonly string[]): WordingVerdict[];
