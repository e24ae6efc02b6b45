/** Why exchanges broke off for which no server is to blame, for those who record it and for those who tell of it. */

export const CLIENT_LEFT = 'the client left';

/** It was open when the session ended. */
export const SESSION_ENDED = 'mcpreel was ended';

/** It was cut off in a bridge: its conversation was over, or its client took nothing. */
export const CUT_OFF = 'mcpreel closed the connection';
