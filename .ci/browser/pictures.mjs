// Draws docs/images: talks to a new server (./parley dev), and prints pages of its console as SVG. CONTRIBUTING.md says how to run it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'package';

const [url, keyFile, folder] = process.argv.slice(2);
if (!folder) {
  console.error('It is: node .ci/browser/pictures.mjs URL FILE_WITH_THE_KEY FOLDER');
  process.exit(2);
}
const key = readFileSync(keyFile, 'utf8').trim();
const WIDTH = 1080; // widths and heights are whole points: no edge is left white

const TOOLS = [
  {
    name: 'find_order', description: 'Looks an order up by its number', type: 'javascript', access: 'read', effect: 'idempotent',
    parameters: [{ name: 'order', type: 'string', required: true }],
    implementation: { script: 'return `Order ${args.order}: a blue teapot, sent on Tuesday, expected on Thursday.`' },
  },
  {
    name: 'refund', description: 'Pays money back', type: 'javascript', access: 'write', effect: 'at_most_once',
    parameters: [{ name: 'order', type: 'string', required: true }, { name: 'amount', type: 'number', required: true }, { name: 'reason', type: 'string' }],
    implementation: { script: "return 'paid'" },
  },
];

const WORKFLOW = `
document: { dsl: '1.0.3', namespace: shop, name: refund, version: '1.0.0' }
do:
  - load: { call: tool, with: { tool: find_order, arguments: { order: '\${ .order }' } }, output: { as: $input } }
  - route: { switch: [ { small: { when: .amount <= 50, then: pay } }, { large: { then: approve } } ] }
  - approve:
      ask:
        prompt: '\${ "May Ann have \\(.amount) dollars back for order \\(.order)?" }'
        mode: approval
        options: [ { value: PAY, label: Pay }, { value: REFUSE, label: Refuse } ]
        timeout: { after: PT24H }
        onTimeout: { action: default, default: REFUSE }
  - decide: { switch: [ { refused: { when: .value == "REFUSE", then: refuse } }, { approved: { then: pay } } ] }
  - refuse: { set: { status: REFUSED }, then: end }
  - pay: { set: { status: PAID } }
`;

const REMEMBERED = [
  'Alice Chen moved to Oslo in May, because she joined Equinor.',
  'Alice Chen works with Bob Miller on wind farms in the North Sea.',
  'Bob Miller lives in Bergen with his sister Clara.',
  'Alice Chen met Clara Miller in Vienna last summer.',
  'Equinor has its head office in Stavanger.',
];

async function api(method, path, body) {
  const isText = typeof body === 'string';
  const response = await fetch(`${url}/v1/${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': isText ? 'application/yaml' : 'application/json' }) },
    body: isText ? body : body && JSON.stringify(body),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

/** Says something; with a wait it is answered when this returns. */
const say = (session, text, wait = '?wait=30s') => api('POST', `sessions/${session}/turns${wait}`, { agent: 'shop', text });

/** Conversations with the scripted model, a question about a tool, two processes, and some memory. */
async function fill() {
  for (const tool of TOOLS) await api('POST', 'projects/default/tools', tool);
  await api('POST', 'projects/default/permissions', { tool: 'find_order', action: 'allow' });
  await api('POST', 'projects/default/agents', {
    name: 'shop', model: 'scripted/scripted', description: 'Answers questions about orders', prompt: 'You help people with their orders.',
    tools: TOOLS.map((tool) => tool.name), options: { memory: 'user' },
  });
  await api('POST', 'projects/default/workflows', WORKFLOW);

  await say('ann', 'Where is my order?\n!call find_order {"order": "A-1042"}\n!usage in=1840 out=46 cacheRead=1200 cost=0.0031');
  await say('ann', 'Thank you! My name is Ann.');
  for (const name of ['bob', 'cleo', 'dora']) {
    await say(name, `Hello! My name is ${name}.`);
    await say(name, '!call find_order {"order": "A-1043"}\n!usage in=1520 out=40 cost=0.0027');
  }
  await say('cleo', 'Is anybody there?\n!fail auth');
  await say('dora', 'It arrived broken!\n!call refund {"order": "A-1043", "amount": 49.90, "reason": "The spout is broken"}', '');
  await say('bob', 'Tell me a long story.\n!delay 20m', '');

  const start = (input) => api('POST', 'projects/default/workflows/shop:refund:1.0.0/instances', { input, instanceId: `refund-${input.order}` });
  await start({ order: 'A-1044', amount: 20 });
  const process = await start({ order: 'A-1045', amount: 180 });

  const bank = await api('POST', 'banks', { scope: 'user' });
  for (const text of REMEMBERED) await api('POST', `banks/${bank.id}/docs?wait=30s`, { text });
  const [alice] = (await api('GET', `banks/${bank.id}/entities?name=Alice`)).data;
  return { process: process.id, alice: `${bank.id}/entities/${alice.id}` };
}

/** What cuts off is left away: it costs a path for each letter. */
const STYLE = 'html { font-family: Inter, system-ui, sans-serif; } .hidden { display: none; } .said, .scroll { content-visibility: visible !important; overflow: visible !important; }';

/** Prints a page of the console. @param until what it shows when it is complete  @param open a fold that is opened */
async function print(browser, place, { until, open, height, colours = 'light' }) {
  const context = await browser.newContext({ viewport: { width: WIDTH, height }, colorScheme: colours, bypassCSP: true, locale: 'en-GB', timezoneId: 'UTC' });
  await context.request.post(`${url}/console/sign-in`, { data: {}, headers: { Authorization: `Bearer ${key}`, 'Parley-Page': '1' } });
  const page = await context.newPage();
  await page.emulateMedia({ media: 'screen' });
  await page.goto(`${url}/#/default/${place}`);
  await page.locator(until).first().waitFor();
  if (open) await page.locator('summary', { hasText: open }).click();
  await page.addStyleTag({ content: STYLE });
  await page.evaluate(() => scrollTo(0, 0)); // what sticks to the window is at its top
  const pdf = await page.pdf({ width: `${WIDTH}px`, height: `${height}px`, printBackground: true, pageRanges: '1' });
  await context.close();
  return pdf;
}

const SVGO = "export default { multipass: true, floatPrecision: 1, js2svg: { finalNewline: true }, plugins: ['convertStyleToAttrs', 'preset-default'] };";

/** Letters that follow each other in one colour are a group. */
const grouped = (svg) => svg.replace(/<use [^>]*?( fill="[^"]*")[^>]*\/>(?:<use [^>]*?\1[^>]*\/>)+/g, (run, fill) => `<g${fill}>${run.replaceAll(fill, '')}</g>`);

/** Writes PDFs, by their names, as small SVGs. */
function vectors(pdfs, folder) {
  const scratch = mkdtempSync(join(tmpdir(), 'pictures-'));
  try {
    for (const [name, pdf] of Object.entries(pdfs)) {
      writeFileSync(join(scratch, 'page.pdf'), pdf);
      execFileSync('pdftocairo', ['-svg', join(scratch, 'page.pdf'), join(scratch, `${name}.svg`)]);
    }
    writeFileSync(join(scratch, 'svgo.config.mjs'), SVGO);
    execFileSync('npx', ['--yes', 'svgo@4.1.0', '--quiet', '--config', join(scratch, 'svgo.config.mjs'), '-f', scratch]);
    for (const name of Object.keys(pdfs)) {
      const svg = grouped(readFileSync(join(scratch, `${name}.svg`), 'utf8'));
      const refused = /<(?:script|image|foreignObject|style)\b|\son\w+=|(?:href|src)="(?!#)|url\((?!#)/.exec(svg);
      if (refused) throw new Error(`${name}: GitHub does not show what has ${refused[0]}`);
      writeFileSync(join(folder, `${name}.svg`), svg);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

const made = await fill();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' });
const pdfs = {};
try {
  pdfs.overview = await print(browser, 'overview', { until: 'text=All parts of this process work', height: 800 });
  pdfs.session = await print(browser, 'sessions/ann', { until: 'text=a blue teapot', open: 'find_order', height: 752 });
  pdfs.approvals = await print(browser, 'inbox', { until: 'text=May Ann have', height: 800 });
  pdfs.memory = await print(browser, `memory/${made.alice}`, { until: '.graph circle', height: 752 });
  pdfs.process = await print(browser, `processes/${made.process}`, { until: '.diagram svg', height: 1184, colours: 'dark' });
} finally {
  await browser.close();
}
vectors(pdfs, folder);
