import { ResourceTemplate } from '@modelcontextprotocol/server';
import { PNG, text } from './samples.mjs';

const WATCHED = 'test://watched-resource';

/** Resources: a text, an image, a template, and one that changes. */
export function addResources(server, changes) {
  const add = (name, uri, mimeType, content) =>
    server.registerResource(name, uri, { description: `The ${name}.`, mimeType }, () => ({
      contents: [{ uri, mimeType, ...content }],
    }));
  add('static-text', 'test://static-text', 'text/plain', { text: 'This is the content of the static text resource.' });
  add('static-binary', 'test://static-binary', 'image/png', { blob: PNG });
  add('watched-resource', WATCHED, 'text/plain', { text: 'Somebody watches this.' });
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { description: 'Data for any id.', mimeType: 'application/json' },
    ({ href }, { id }) => ({
      contents: [
        {
          uri: href,
          mimeType: 'application/json',
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  );
  addSubscriptions(server, changes);
}

/** Clients subscribe with a request before 2026-07-28; since then listeners name the resources themselves. */
function addSubscriptions(server, changes) {
  server.server.setRequestHandler('resources/subscribe', () => ({}));
  server.server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.registerTool('test_trigger_resource_update', { description: 'Changes the watched resource.' }, () => {
    changes.resourceUpdated(WATCHED);
    return text('Changed the watched resource.');
  });
}
