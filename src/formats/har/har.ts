import type { FormatReader, FormatWriter } from '../format.ts';
import { detectHar, readHar } from './har-reader.ts';
import { writeHar } from './har-writer.ts';

/** An HTTP archive (HAR 1.2) with MCP traffic in its bodies: what browsers' developer tools write and open. */
export const har: FormatReader & FormatWriter = {
  id: 'har',
  title: 'HTTP archive (HAR) with MCP traffic',
  loses: [
    'the order of messages',
    'the original of a modified message',
    'batches over stdio',
    'what happened beside messages and HTTP exchanges',
    'how the session ended',
    'fields of other formats',
  ],
  detect: detectHar,
  read: readHar,
  write: writeHar,
};
