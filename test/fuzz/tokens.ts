/** Texts that often break readers, inserted at unexpected places. */
export const TOKENS: readonly string[] = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\r\n', '\r', '\0', ' ', '-', '\t', '/', '*', '(', ')', "'"],
  ...['null', 'true', 'false', '{}', '[]', '""', '"t"', '"raw"', '\\ud800', '\\udc00', '\\u0000', '\\u', '\\x'],
  ...['1e999', '-1e-999', '-0', '0', '1.0', '01', '1e5000000000', '9007199254740993', '12345678901234567890', '1E400'],
  ...['2147483648', '-1', '4294967296', '8640000000000001', '0.1e1', '1.00000000000000000001'],
  ...['\uFEFF', '🦊', '\u2028', '\u0085', '\u00a0', '\u200b', '\u001b[2J', '\u007f', 'é', 'ß', 'İ', 'ﬁ'],
  ...['__proto__', '"__proto__":', '"constructor":', '"toString"', '"hasOwnProperty":1', '"length":0'],
  ...['{"v":1,"type":"meta"}\n', '{"type":"end"}', '"messages":[', '"events":[', '{"jsonrpc":"2.0"', '"id":{}'],
  ...[
    '"direction":"up"',
    '"before":-1e99',
    '"timestamp_ms":9e15',
    '"t":"9999-12-31T23:59:60Z"',
    '"id":1,',
    '"id":null',
  ],
  ...[
    '"extra":{"payload":1}',
    '{"trace":{"meta":{"label":[]},"end":[]}}',
    '"command":[["a"]]',
    '"method":"tools/call"',
  ],
  ...[
    'data:',
    'data: {"jsonrpc":"2.0"}\n\n',
    'event: endpoint\n',
    'id: 1\r\n',
    'retry: 1\n',
    ': comment\n',
    '\n\n',
    '\r\r',
  ],
  ...[
    'tool:',
    'status:error',
    ' or ',
    'not ',
    '-',
    'dur:>1s',
    '/a+/i',
    'id:1',
    'size:<1k',
    'http:200',
    '"a b"',
    'text:',
  ],
  ...['- ', 'rules:', '&a ', '*a', '!!str ', '|', '>', '? ', '%YAML', '---\n', '<<: ', "''"],
];

/** Deep enough to overflow recursive code, and small enough to try often. */
export function deeply(open: string, close: string, levels: number): string {
  return open.repeat(levels) + close.repeat(levels);
}
