export interface Call {
  readonly lane: number;
  readonly text: string;
  readonly sentAtMs: number;
  readonly answer?: string;
  readonly answeredAtMs?: number;
}

export function judgeTexts(
  trace: { readonly messages: readonly { readonly dir: 'in' | 'out'; readonly text: string }[] },
  lanes: {
    readonly calls: readonly Call[];
    readonly sent: readonly string[];
    readonly received: readonly string[];
    readonly strainMs: number;
  },
  server: { readonly heard: readonly string[]; readonly said: readonly string[] },
): { readonly faults: readonly string[]; readonly lost: number; readonly missing: number; readonly settled: number };
