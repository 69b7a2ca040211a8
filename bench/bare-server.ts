// The limit for any HTTP service in Node: a bare server that sends prepared bytes. Runs as a separate process, with the
// headers and body as JSON in the environment.

import { createServer } from 'node:http';

const { headers, body } = JSON.parse(process.env.BARE_RESPONSE ?? '{}') as {
  headers: Record<string, string>;
  body: string;
};
const bytes = Buffer.from(body);
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
