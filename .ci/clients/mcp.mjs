// The client of the MCP SDK: tools, resources, prompts and a call.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [url, key] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${key}` };
const client = new Client({ name: 'guest', version: '1' });
await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: { headers } }));
const { tools } = await client.listTools();
assert(tools.some(tool => tool.name === 'ask_agent'), JSON.stringify(tools));
await client.listResources();
await client.listPrompts();
const result = await client.callTool({ name: 'ask_agent', arguments: { text: '!say hello there' } });
assert.equal(result.isError ?? false, false, JSON.stringify(result));
assert(JSON.stringify(result.structuredContent).includes('hello there'), JSON.stringify(result));
await client.close();
