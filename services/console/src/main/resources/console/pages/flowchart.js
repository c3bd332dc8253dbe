// Parses Mermaid flowcharts of the API and lays them out. Pure: diagram.js draws the result.

const SHAPES = { '([': 'round', '{{': 'catch', '((': 'dot', '[/': 'person', '{': 'choice', '[': 'task' };
const NODE = /^(\w+)(\(\[|\{\{|\(\(|\[\/|\{|\[)(?:"(.*)"|(.*?))(?:\]\)|\}\}|\)\)|\/\]|\}|\])$/;
const EDGE = /^(\w+) (-->|-\.->)(?:\|"(.*)"\|)? (\w+)$/;
const PADDING = 14;
const TITLE = 26;
const BETWEEN = 26;
const DOWN = 46;

const plain = (text) => text.replace(/#(\d+);/g, (_, point) => String.fromCodePoint(Number(point)));

/** @return {root, nodes, edges}: root has children, which may have children; edges are [{from, to, label, dashed}] */
export function read(text) {
  const root = { id: '', children: [], parent: null };
  const nodes = new Map();
  const edges = [];
  let within = root;
  const add = (node) => {
    nodes.set(node.id, node);
    within.children.push(node);
    node.parent = within;
    return node;
  };
  for (const line of text.split('\n').map((one) => one.trim())) {
    let found;
    if ((found = /^subgraph (\w+)\["(.*)"\]$/.exec(line))) {
      within = add({ id: found[1], shape: 'group', label: plain(found[2]), children: [] });
    } else if (line === 'end') {
      within = within.parent ?? root;
    } else if ((found = EDGE.exec(line))) {
      edges.push({ from: found[1], to: found[4], label: plain(found[3] ?? ''), dashed: found[2] === '-.->' });
    } else if ((found = /^class ([\w,]+) (\w+)$/.exec(line))) {
      found[1].split(',').forEach((id) => nodes.has(id) && (nodes.get(id).phase = found[2]));
    } else if ((found = NODE.exec(line))) {
      const [label, kind] = (found[3] ?? found[4] ?? '').split(/<br\/><small>|<\/small>/);
      add({ id: found[1], shape: SHAPES[found[2]], label: plain(label.trim()), kind: kind && plain(kind), children: [] });
    }
  }
  return { root, nodes, edges: edges.filter((edge) => nodes.has(edge.from) && nodes.has(edge.to)) };
}

/** Gives each node x, y, w and h, and each edge its points; returns the size of the whole. */
export function layOut(chart) {
  size(chart.root, chart);
  place(chart.root, 0, 0);
  chart.edges.forEach((edge) => {
    edge.points = points(edge, chart.nodes.get(edge.from), chart.nodes.get(edge.to));
  });
  return { ...chart, w: chart.root.w + 60, h: chart.root.h };
}

function size(node, chart) {
  if (node.shape === 'dot') {
    Object.assign(node, { w: 14, h: 14 });
  } else if (node.children.length === 0) {
    const wide = Math.max(node.label.length * 7.6, (node.kind ?? '').length * 6.6, (node.phase ?? '').length * 6.6);
    Object.assign(node, { w: Math.min(300, Math.max(60, wide + 36)), h: 18 + 16 * [node.label, node.kind, node.phase].filter(Boolean).length });
  } else {
    node.children.forEach((child) => size(child, chart));
    const inside = arrange(node.children, inner(node, chart));
    const wide = Math.max(inside.w, (node.label ?? '').length * 7.2);
    Object.assign(node, { w: wide + 2 * PADDING, h: inside.h + PADDING + (node.parent ? TITLE : PADDING), shift: (wide - inside.w) / 2 });
  }
}

function place(node, x, y) {
  Object.assign(node, { x, y });
  const top = node.parent ? TITLE : PADDING;
  node.children.forEach((child) => place(child, x + PADDING + (node.shift ?? 0) + child.dx, y + top + child.dy));
}

/** Edges between the children of a node or their descendants, with those children. */
function inner(node, chart) {
  const child = (id) => {
    let one = chart.nodes.get(id);
    while (one && one.parent !== node) one = one.parent;
    return one;
  };
  return chart.edges.map((edge) => ({ edge, from: child(edge.from), to: child(edge.to) })).filter(({ from, to }) => from && to && from !== to);
}

/** Places children in rows so that edges lead down; back edges go around. */
function arrange(children, edges) {
  backwards(children, edges);
  const row = rows(children, edges.filter((one) => !one.edge.back));
  const levels = [];
  children.forEach((child) => (levels[row.get(child)] ??= []).push(child));
  edges.filter((one) => !one.edge.back).forEach((one) => {
    one.edge.over = [];
    let before = one.from;
    for (let level = row.get(one.from) + 1; level < row.get(one.to); level++) {
      const gap = { w: 10, h: 0, ins: [before], gap: true };
      one.edge.over.push(gap);
      levels[level].push(gap);
      before = gap;
    }
    (one.to.ins ??= []).push(before);
  });
  return measure(levels);
}

function backwards(children, edges) {
  const state = new Map();
  const walk = (child) => {
    state.set(child, 'open');
    edges.filter((one) => one.from === child).forEach((one) => {
      if (state.get(one.to) === 'open') one.edge.back = true;
      else if (!state.has(one.to)) walk(one.to);
    });
    state.set(child, 'done');
  };
  children.forEach((child) => state.has(child) || walk(child));
}

/** The row of each child: below all sources of its edges. */
function rows(children, edges) {
  const row = new Map();
  const of = (child) => {
    if (!row.has(child)) {
      row.set(child, 0);
      row.set(child, Math.max(0, ...edges.filter((one) => one.to === child).map((one) => of(one.from) + 1)));
    }
    return row.get(child);
  };
  children.forEach(of);
  return row;
}

function measure(levels) {
  const widths = [];
  levels.forEach((level, n) => {
    if (n > 0) {
      const middle = (one) => (one.ins?.length ? one.ins.reduce((all, each) => all + each.dx + each.w / 2, 0) / one.ins.length : 0);
      level.sort((a, b) => middle(a) - middle(b));
    }
    let x = 0;
    level.forEach((one) => {
      one.dx = x;
      x += one.w + BETWEEN;
    });
    widths[n] = x - BETWEEN;
    level.forEach((one) => (one.dx -= widths[n] / 2));
  });
  const w = Math.max(0, ...widths);
  let y = 0;
  levels.forEach((level) => {
    const h = Math.max(...level.map((one) => one.h));
    level.forEach((one) => {
      one.dx += w / 2;
      one.dy = y + (h - one.h) / 2;
    });
    y += h + DOWN;
  });
  return { w, h: Math.max(0, y - DOWN) };
}

function points(edge, from, to) {
  if (edge.back) {
    const right = Math.max(from.x + from.w, to.x + to.w) + 30;
    return [[from.x + from.w, from.y + from.h / 2], [right, from.y + from.h / 2], [right, to.y + to.h / 2], [to.x + to.w, to.y + to.h / 2]];
  }
  const over = (edge.over ?? []).map((gap) => {
    let common = to.parent;
    while (common && !has(common, from)) common = common.parent;
    return [common.x + PADDING + (common.shift ?? 0) + gap.dx + gap.w / 2, common.y + (common.parent ? TITLE : PADDING) + gap.dy];
  });
  return [[from.x + from.w / 2, from.y + from.h], ...over, [to.x + to.w / 2, to.y]];
}

function has(group, node) {
  for (let one = node; one; one = one.parent) {
    if (one === group) return true;
  }
  return false;
}
