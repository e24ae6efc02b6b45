import { signal } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import type { ServedLive, ServedSession } from '../../sources/served-live.ts';
import type { ServedHeldMessage } from '../../sources/served-protocol.ts';
import type { PageState } from '../../state/page.ts';
import { LiveController } from './live-controller.ts';

const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search"}}';

function held(id: string, atMs: number, text = CALL): ServedHeldMessage {
  return { id, direction: 'client_to_server', text, atMs, untilMs: atMs + 30_000, conversation: 0 };
}

/** A controller with these held messages, each in a session of its own, and the notices that the page shows. */
function controllerWith(...waiting: readonly ServedHeldMessage[]): {
  readonly controller: LiveController;
  readonly notice: () => string | undefined;
  hold(message: ServedHeldMessage): void;
} {
  const sessions = signal<readonly ServedSession[]>([]);
  const hold = (message: ServedHeldMessage): void => {
    sessions.value = [...sessions.value, { id: `of ${message.id}`, held: [message] } as unknown as ServedSession];
  };
  for (const message of waiting) hold(message);
  const notice = signal<string | undefined>(undefined);
  const controller = new LiveController({ notice } as unknown as PageState, { sessions } as unknown as ServedLive);
  return { controller, notice: () => notice.value, hold };
}

describe('LiveController', () => {
  it('selects the message held longest, unless another was chosen', () => {
    const { controller } = controllerWith(held('later', 20), held('first', 10));
    expect(controller.chosen.value?.held.id).toBe('first');
    controller.chooseNext();
    expect(controller.chosen.value?.held.id).toBe('later');
  });

  it('keeps the message that is being edited selected when others arrive', () => {
    const { controller, hold } = controllerWith(held('mine', 20));
    controller.write('edit');
    hold(held('older', 10));
    expect(controller.chosen.value?.held.id).toBe('mine');
    expect(controller.writing.value).toEqual({ what: 'edit', id: 'mine' });
  });

  it('reports why a message cannot be edited or answered', () => {
    const none = controllerWith();
    none.controller.write('edit');
    expect(none.notice()).toBe('No message is held.');
    const notification = controllerWith(held('told', 10, '{"jsonrpc":"2.0","method":"notifications/initialized"}'));
    notification.controller.write('answer');
    expect(notification.notice()).toBe('Only requests can be answered.');
    expect(notification.controller.writing.value).toBeUndefined();
  });
});
