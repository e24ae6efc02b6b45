import type { Direction } from '../model/entry.ts';

/** Requests that only a server sends. */
const SERVER_REQUESTS = /^(sampling\/|elicitation\/|roots\/list$)/;

/** Notifications that only a server sends. */
const SERVER_NOTIFICATIONS =
  /^notifications\/(message|progress|(tools|prompts|resources)\/list_changed|resources\/updated|elicitation\/complete|subscriptions\/acknowledged)$/;

/** The side that sends messages of this method, if the protocol is clear about it; otherwise the client. */
export function usualSender(method: string): Direction {
  const isServers = SERVER_REQUESTS.test(method) || SERVER_NOTIFICATIONS.test(method);
  return isServers ? 'server_to_client' : 'client_to_server';
}
