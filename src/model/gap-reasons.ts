/** Reasons for gaps (missing entries) in a recording, shared by recorder and reports. */

/** A message, or a body that contains messages, of which only the size was recorded. */
export const TOO_LONG = 'longer than --max-message';

/** Files of a rotating trace that were deleted. */
export const PARTS_REMOVED = 'earlier parts were removed';

/** The end of what a client sent without a pause, until mcpreel ended. */
export const STILL_SENDING = 'the client was still sending when the session ended';
