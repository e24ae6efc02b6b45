import type { Direction } from '../model/entry.ts';

/** Which way a message went, for the eye. */
export const ARROWS: Readonly<Record<Direction, string>> = { client_to_server: '▶', server_to_client: '◀' };
