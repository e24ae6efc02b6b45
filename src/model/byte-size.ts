const UNITS: Readonly<Record<string, number>> = { '': 1, k: 1 << 10, m: 1 << 20, g: 1 << 30 };

/** Parses a byte size such as `4096`, `64k`, `128M` or `1.5G`; `undefined` for anything else. */
export function parseByteSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([kmg]?)(?:i?b)?$/i.exec(text);
  const bytes = Math.floor(Number(match?.[1]) * (UNITS[match?.[2]?.toLowerCase() ?? ''] ?? 1));
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
