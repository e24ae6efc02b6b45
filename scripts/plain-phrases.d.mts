interface AvoidedPhrase {
  readonly at: number;
  readonly found: string;
  readonly write: string;
}

export function phrasesIn(text: string): AvoidedPhrase[];
export function phrasesInMarkdown(text: string): AvoidedPhrase[];
