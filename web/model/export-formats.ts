/** The export formats, in the order of the menu. */
export const EXPORT_FORMATS = {
  trace: { title: 'Trace (JSON Lines)', ending: 'jsonl' },
  json: { title: 'Session file (JSON)', ending: 'json' },
  markdown: { title: 'Markdown, for an issue', ending: 'md' },
  csv: { title: 'Table of calls (CSV)', ending: 'csv' },
  jsonrpc: { title: 'Bare messages (JSON-RPC)', ending: 'jsonl' },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;
