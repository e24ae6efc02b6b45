// Preloaded into mcpreel: decoding a brotli body takes a second longer once the session has been told to end.
const zlib = require('node:zlib');

const create = zlib.createBrotliDecompress;
const toldToEnd = new Promise((resolve) => process.once('SIGINT', resolve));

Object.defineProperty(zlib, 'createBrotliDecompress', {
  value: () => {
    const stream = create();
    const decode = stream._transform.bind(stream);
    stream._transform = (chunk, encoding, done) => {
      void toldToEnd.then(() => setTimeout(() => decode(chunk, encoding, done), 1000));
    };
    return stream;
  },
});
