export class Judgement {
  claim(what: string, isTrue: boolean, detail?: string): void;
  lose(count: number): void;
  compared(what: string, found: { readonly faults: readonly string[]; readonly missing: number }): void;
  outcome(injected: string): {
    readonly held: readonly string[];
    readonly faults: readonly string[];
    readonly lost: number;
    readonly ok: boolean;
  };
}
