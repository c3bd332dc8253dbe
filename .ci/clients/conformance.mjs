// The conformance suite of MCP: its scenarios for servers that need no fixtures. It sends no key, so that a proxy adds it.
import assert from 'node:assert/strict';
import { spawnSync, spawn } from 'node:child_process';
import http from 'node:http';
import { fileURLToPath } from 'node:url';

const [url, key] = process.argv.slice(2);
const suite = fileURLToPath(new URL('node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url));
if (spawnSync('node', [suite, 'list']).status !== 0) {
    console.log('skipped: the suite needs a newer Node.js than ' + process.version);
    process.exit(0);
}
const proxy = http.createServer((request, response) => {
    const headers = { ...request.headers, host: new URL(url).host, authorization: `Bearer ${key}` };
    const sent = http.request(`${url}${request.url}`, { method: request.method, headers }, answer => {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
    });
    sent.on('error', () => response.destroy());
    request.pipe(sent);
});
await new Promise(listening => proxy.listen(0, '127.0.0.1', listening));
const endpoint = `http://127.0.0.1:${proxy.address().port}/mcp`;
for (const scenario of ['server-initialize', 'ping', 'tools-list', 'resources-list', 'prompts-list']) {
    const child = spawn('node', [suite, 'server', '--url', endpoint, '--scenario', scenario], { cwd: process.env.TMPDIR });
    let output = '';
    child.stdout.on('data', data => { output += data; });
    child.stderr.on('data', data => { output += data; });
    assert.equal(await new Promise(ended => child.on('close', ended)), 0, `${scenario}: ${output}`);
}
proxy.close();
