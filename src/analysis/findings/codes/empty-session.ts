import type { Finder } from '../finder.ts';

/** Finds sessions without a single message. */
export const emptySession: Finder = {
  codes: ['empty-session'],
  watch(report, { exit }) {
    let isEmpty = true;
    return {
      message() {
        isEmpty = false;
      },
      end() {
        if (!isEmpty) return;
        report('empty-session', 'The session has no messages. Check that the client connects through mcpreel.', {
          event: 'end',
          atMs: exit?.atMs ?? 0,
          after: undefined,
        });
      },
    };
  },
};
