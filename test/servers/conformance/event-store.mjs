/** Stores the events of a session's streams, so that a client can resume them. */
export class EventStore {
  #events = [];

  async storeEvent(streamId, message) {
    this.#events.push({ streamId, message });
    return String(this.#events.length);
  }

  async getStreamIdForEventId(eventId) {
    return this.#events[Number(eventId) - 1]?.streamId;
  }

  async replayEventsAfter(lastEventId, { send }) {
    const streamId = await this.getStreamIdForEventId(lastEventId);
    for (const [index, event] of this.#events.entries()) {
      // An event without a message only gave the client an id to resume from.
      const missed = index >= Number(lastEventId) && event.streamId === streamId && 'jsonrpc' in event.message;
      if (missed) await send(String(index + 1), event.message);
    }
    return streamId;
  }
}
