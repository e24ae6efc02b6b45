/** The export formats, in the order of the menu. */
export const EXPORT_FORMATS = {
  trace: { title: 'Trace (JSON Lines)', ending: 'jsonl' },
  json: { title: 'Session file (JSON)', ending: 'json' },
  markdown: { title: 'Report for an issue (Markdown)', ending: 'md' },
  csv: { title: 'Table of calls (CSV)', ending: 'csv' },
  jsonrpc: { title: 'JSON-RPC messages (JSON Lines)', ending: 'jsonl' },
} as const;

export type ExportFormat = keyof typeof EXPORT_FORMATS;
