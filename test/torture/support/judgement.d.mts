export class Judgement {
  claim(what: string, isTrue: boolean, detail?: string): void;
  lose(count: number): void;
  outcome(injected: string): {
    readonly held: readonly string[];
    readonly faults: readonly string[];
    readonly lost: number;
    readonly ok: boolean;
  };
}
