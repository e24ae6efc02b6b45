import { screenContract } from './screen-contract.ts';

screenContract({
  title: 'Streamable HTTP',
  listen: 'streamable-http',
  target: 'streamable-http',
  isModern: false,
});
