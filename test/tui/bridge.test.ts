import { screenContract } from './screen-contract.ts';

screenContract({
  title: 'a program behind Streamable HTTP',
  listen: 'streamable-http',
  target: 'stdio',
  isModern: false,
});
