// The diagram of a workflow, or of a process with its progress; each task links to its runs.
import { html, useEffect, useMemo, useRef, useState } from '../lib/preact.js';
import { getText } from '../api.js';
import { Failure, useAsked } from '../ui.js';
import { layOut, read } from './flowchart.js';

const MOST_NODES = 400;
/** Task states in order of interest. */
const NOW = ['faulted', 'waiting', 'running'];

/** @param path of the diagram in the API  @param round changes to fetch again  @param linkOf address of a task by its name */
export function Diagram({ path, round, linkOf, label }) {
  const asked = useAsked(() => getText(path, 'text/vnd.mermaid').then(({ text }) => text), [path, round]);
  const chart = useMemo(() => asked.value && drawable(asked.value), [asked.value]);
  const [zoom, setZoom] = useState(1);
  const box = useRef(null);
  const now = chart && [...chart.nodes.values()].find((node) => NOW.includes(node.phase));
  useEffect(() => {
    if (now && box.current) box.current.scrollTop = Math.max(0, now.y * zoom - box.current.clientHeight / 3);
  }, [now?.id, now?.phase]);
  if (!asked.value) return html`<${Failure} problem=${asked.problem} again=${asked.again} />`;
  if (!chart) return html`<p class="muted">It has more than ${MOST_NODES} tasks, too many to be drawn. The list of tasks has them all.</p>`;
  const fit = () => setZoom(Math.min(1, (box.current.clientWidth - 4) / chart.w));
  return html`<div class="diagram">
    <p class="buttons" role="group" aria-label="Size of the diagram">
      <button type="button" onClick=${() => setZoom(Math.min(3, zoom * 1.25))}>Larger</button>
      <button type="button" onClick=${() => setZoom(Math.max(0.2, zoom / 1.25))}>Smaller</button>
      <button type="button" onClick=${fit}>Fit</button>
    </p>
    <div class="scroll" ref=${box} tabindex="0" role="region" aria-label=${label}>
      <svg width=${chart.w * zoom} height=${chart.h * zoom} viewBox=${`0 0 ${chart.w} ${chart.h}`} role="group" aria-label=${label}>
        <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path d="M0 0 L10 5 L0 10 z" class="head-of-edge" /></marker></defs>
        ${groups(chart.root).map((group) => html`<g key=${group.id}><rect class=${`group ${group.phase ?? ''}`} x=${group.x} y=${group.y} width=${group.w} height=${group.h} rx="8" />
          <text x=${group.x + 10} y=${group.y + 17} class="small">${group.label}${group.phase ? ` · ${group.phase}` : ''}</text></g>`)}
        ${chart.edges.map((edge) => html`<${Edge} key=${`${edge.from}-${edge.to}-${edge.label}`} edge=${edge} />`)}
        ${[...chart.nodes.values()].filter((node) => node.shape !== 'group').map((node) => html`<${Node} key=${node.id} node=${node} linkOf=${linkOf} />`)}
      </svg>
    </div>
  </div>`;
}

function drawable(text) {
  const chart = read(text);
  return chart.nodes.size > MOST_NODES ? null : layOut(chart);
}

const groups = (node) => node.children.flatMap((child) => (child.shape === 'group' ? [child, ...groups(child)] : []));

function Edge({ edge }) {
  const [first, ...rest] = edge.points;
  let [x, y] = first;
  const path = edge.back
    ? `M${edge.points.map((one) => one.join(' ')).join(' L')}`
    : `M${x} ${y}${rest.map(([toX, toY]) => {
        const middle = (y + toY) / 2;
        const curve = ` C${x} ${middle} ${toX} ${middle} ${toX} ${toY}`;
        [x, y] = [toX, toY];
        return curve;
      }).join('')}`;
  const [nextX, nextY] = rest[0];
  return html`<path class=${`edge ${edge.dashed ? 'dashed' : ''}`} d=${path} marker-end="url(#arrow)" />
    ${edge.label && html`<text class="small on-edge" text-anchor="middle" x=${first[0] * 0.3 + nextX * 0.7} y=${first[1] * 0.45 + nextY * 0.55 + 2}>${edge.label}</text>`}`;
}

function Node({ node, linkOf }) {
  const { x, y, w, h } = node;
  if (node.shape === 'dot') return html`<circle class="node" cx=${x + w / 2} cy=${y + h / 2} r=${w / 2} />`;
  const lines = [node.label, node.kind, node.phase].filter(Boolean);
  const drawn = html`<g>
    ${outline(node)}
    ${lines.map((line, n) => html`<text class=${n === 0 ? '' : 'small'} x=${x + w / 2} y=${y + h / 2 + 5 + (n - (lines.length - 1) / 2) * 16} text-anchor="middle">${brief(line, w)}</text>`)}
    ${lines.some((line) => brief(line, w) !== line) && html`<title>${lines.join(', ')}</title>`}
  </g>`;
  return linkOf && node.kind ? html`<a href=${linkOf(node.label)}>${drawn}</a>` : drawn;
}

const brief = (line, width) => (line.length * 7.6 > width - 16 ? `${line.slice(0, Math.floor((width - 24) / 7.6))}…` : line);

function outline({ x, y, w, h, shape, phase }) {
  const kind = `node ${phase ?? ''}`;
  const corners = {
    choice: [[x + 12, y], [x + w - 12, y], [x + w, y + h / 2], [x + w - 12, y + h], [x + 12, y + h], [x, y + h / 2]],
    catch: [[x + 8, y], [x + w - 8, y], [x + w, y + h / 2], [x + w - 8, y + h], [x + 8, y + h], [x, y + h / 2]],
    person: [[x + 10, y], [x + w, y], [x + w - 10, y + h], [x, y + h]],
  }[shape];
  return corners
    ? html`<polygon class=${kind} points=${corners.map((one) => one.join(',')).join(' ')} />`
    : html`<rect class=${kind} x=${x} y=${y} width=${w} height=${h} rx=${shape === 'round' ? h / 2 : 5} />`;
}
