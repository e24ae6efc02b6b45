/** Reasons for HTTP exchanges that were cut off through no fault of the server, shared by recorder and reports. */

export const CLIENT_LEFT = 'the client left';

/** The exchange was open when the session ended. */
export const SESSION_ENDED = 'mcpreel was ended';

/** The bridge closed the exchange: its conversation was over, or the client had stopped reading. */
export const CUT_OFF = 'mcpreel closed the connection';
