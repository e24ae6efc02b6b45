import type { Direction } from '../model/entry.ts';

/** The arrow that shows the direction of a message. */
export const ARROWS: Readonly<Record<Direction, string>> = { client_to_server: '▶', server_to_client: '◀' };
