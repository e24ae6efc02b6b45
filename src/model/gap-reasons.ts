/** Why entries are missing where a gap stands, for those who record it and for those who tell of it. */

/** A message, or a body that holds some, of which only the size was kept. */
export const TOO_LONG = 'longer than --max-message';

/** Files of a rotating trace that are not there any more. */
export const PARTS_REMOVED = 'earlier parts were removed';
