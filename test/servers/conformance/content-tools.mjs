import { PNG, text, WAV } from './samples.mjs';

const IMAGE = { type: 'image', data: PNG, mimeType: 'image/png' };
const AUDIO = { type: 'audio', data: WAV, mimeType: 'audio/wav' };

/** Tools that answer at once, each with a different content type. */
export function addContentTools(server) {
  const add = (name, description, result) => server.registerTool(name, { description }, () => result);
  // The suite calls the first tool without arguments.
  add('test_simple_text', 'Returns a text.', text('This is a simple text response for testing.'));
  add('test_image_content', 'Returns an image.', { content: [IMAGE] });
  add('test_audio_content', 'Returns a sound.', { content: [AUDIO] });
  add('test_embedded_resource', 'Returns a resource.', {
    content: [embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  });
  add('test_multiple_content_types', 'Returns a text, an image and a resource.', {
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      IMAGE,
      embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  });
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing');
  });
}

function embedded(uri, mimeType, content) {
  return { type: 'resource', resource: { uri, mimeType, text: content } };
}
