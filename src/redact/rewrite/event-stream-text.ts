/** How the parts of an event stream are redacted. Ids of events link messages, so they stay, as do delays. */
export interface EventStreamRules {
  readonly data: (data: string) => string;
  readonly event: (name: string) => string;
  /** For comments and for fields that the specification does not know. */
  readonly other: (text: string) => string;
}

/** Redacts an event stream field by field. Lines without anything to redact stay unchanged to the character. */
export function redactEventStream(body: string, rules: EventStreamRules): string {
  const pieces = body.split(/(\r\n|\r|\n)/);
  const result: string[] = [];
  // The lines of an event's data, which belong together.
  let data: DataLine[] = [];
  const close = (): void => {
    const values = data.map(({ value }) => value).join('\n');
    const redacted = data.length === 0 ? values : rules.data(values);
    const [first] = data;
    if (first !== undefined && redacted !== values) {
      const lines = redacted.split('\n');
      for (const [index, { at }] of data.entries()) {
        const isLast = index === data.length - 1;
        const rest = isLast ? lines.slice(index) : lines.slice(index, index + 1);
        result[at] = rest.map((line) => first.name + line).join(first.end);
        // Fewer lines are left, if what was removed spanned several.
        if (rest.length === 0) result[at] = result[at + 1] = '';
      }
    }
    data = [];
  };
  for (let i = 0; i < pieces.length; i += 2) {
    const line = pieces[i] ?? '';
    const end = pieces[i + 1] ?? '';
    const [, name = '', field = '', value = ''] = /^(\uFEFF?([^:]*): ?)(.*)$/s.exec(line) ?? [line, '', '', line];
    if (line === '') close();
    if (field === 'data') data.push({ at: result.length, name, value, end: end || '\n' });
    result.push(field === 'data' ? line : name + redactedField(field, value, rules), end);
  }
  close();
  return result.join('');
}

interface DataLine {
  /** The index of the line in the result. */
  readonly at: number;
  /** The field's name, with the colon and the space behind it. */
  readonly name: string;
  readonly value: string;
  readonly end: string;
}

function redactedField(field: string, value: string, rules: EventStreamRules): string {
  if (value === '' || field === 'id' || field === 'retry') return value;
  return field === 'event' ? rules.event(value) : rules.other(value);
}
