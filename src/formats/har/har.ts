import type { FormatReader, FormatWriter } from '../format.ts';
import { detectHar, readHar } from './har-reader.ts';
import { writeHar } from './har-writer.ts';

/** Reads and writes HTTP archives (HAR 1.2) with MCP traffic in their bodies, as browser developer tools do. */
export const har: FormatReader & FormatWriter = {
  id: 'har',
  title: 'HTTP archive (HAR) with MCP traffic',
  loses: [
    'the order of messages within a millisecond',
    'originals of edited messages',
    'batches over stdio',
    'events other than HTTP exchanges',
    'how the session ended',
    'fields of other formats',
  ],
  detect: detectHar,
  read: readHar,
  write: writeHar,
};
