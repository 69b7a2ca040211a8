// The limit for anything on HTTP in Node: a bare server that sends ready bytes. Run as a process of its own:
// the status, headers and body to send come as JSON in the environment.

import { createServer } from 'node:http';

const { headers, body } = JSON.parse(process.env.BARE_ANSWER ?? '{}') as {
  headers: Record<string, string>;
  body: string;
};
const bytes = Buffer.from(body);
const server = createServer((_request, response) => {
  response.writeHead(200, headers);
  response.end(bytes);
});
server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log('ready'));
