import { screenContract } from './screen-contract.ts';

screenContract({
  title: 'Streamable HTTP without a handshake',
  listen: 'streamable-http',
  target: 'streamable-http',
  isModern: true,
});
