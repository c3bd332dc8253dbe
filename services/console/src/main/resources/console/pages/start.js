// Starts a process: its input as a form where the schema is simple, otherwise as JSON.
import { html, useRef, useState } from '../lib/preact.js';
import { api, parse, part, uuid } from '../api.js';
import { go, to } from '../route.js';
import { Failure, Plain } from '../ui.js';

const SIMPLE = ['string', 'integer', 'number', 'boolean'];
const MOST_FIELDS = 30;

/** Form fields for a schema; null if the schema needs more than a form. */
export function fields(schema) {
  const properties = Object.entries(schema?.properties ?? {});
  const others = ['oneOf', 'anyOf', 'allOf', '$ref', 'if', 'not'].some((word) => schema?.[word] !== undefined);
  if (schema?.type !== 'object' || others || properties.length === 0 || properties.length > MOST_FIELDS) return null;
  const found = properties.map(([name, of]) => ({
    name,
    title: of.title ?? name,
    description: of.description,
    type: of.enum?.every((one) => typeof one === 'string') ? 'enum' : of.enum ? null : of.type,
    options: of.enum,
    required: (schema.required ?? []).includes(name),
    default: of.default === undefined ? '' : String(of.default),
  }));
  return found.every((field) => field.type === 'enum' || SIMPLE.includes(field.type)) ? found : null;
}

/** The input of a form without empty fields. @throws Error for an invalid number */
export function inputOf(form, values) {
  const input = {};
  form.forEach(({ name, title, type, default: standard }) => {
    const said = values[name] ?? standard;
    if (said === '') return;
    input[name] = type === 'boolean' ? said === 'true' : type === 'integer' || type === 'number' ? numeric(title, said) : said;
  });
  return input;
}

function numeric(title, text) {
  if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new Error(`${title} is a number, such as 12.5.`);
  return parse(text);
}

export function Start({ here, workflow, reference }) {
  const form = fields(workflow.inputSchema);
  const [asJson, setAsJson] = useState(form === null);
  const [values, setValues] = useState({});
  const [text, setText] = useState('{}');
  const [instanceId, setInstanceId] = useState('');
  const [state, setState] = useState({});
  // Resending the same form after a lost connection starts one process.
  const key = useRef(uuid());
  const toJson = () => {
    try {
      if (!asJson) setText(JSON.stringify(inputOf(form, values), null, 2));
      setAsJson(!asJson);
    } catch (problem) {
      setState({ problem });
    }
  };
  const start = async (event) => {
    event.preventDefault();
    setState({ busy: true });
    try {
      const input = asJson ? read(text) : inputOf(form, values);
      const made = await api('POST', `v1/projects/${here.project}/workflows/${part(reference)}/instances`, { input, ...(instanceId ? { instanceId } : {}) }, { 'Idempotency-Key': key.current });
      go(to(here.project, 'processes', [made.id]));
    } catch (problem) {
      if (problem.status) key.current = uuid();
      setState({ problem });
    }
  };
  return html`<section class="card" aria-label="Start a process"><h2>Start a process</h2>
    <form onSubmit=${start}>
      <${Failure} problem=${state.problem} />
      <div>${asJson
        ? html`<label>Input, as JSON <textarea value=${text} spellcheck="false" onInput=${(e) => setText(e.target.value)}></textarea></label>`
        : form.map((field) => html`<${Field} key=${field.name} field=${field} value=${values[field.name] ?? field.default} onChange=${(value) => setValues((before) => ({ ...before, [field.name]: value }))} />`)}</div>
      ${workflow.inputSchema && html`<details><summary>Schema of the input</summary><${Plain} text=${JSON.stringify(workflow.inputSchema)} lines=${40} /></details>`}
      <label>Instance id <span class="muted">optional idempotency key: starting twice with the same key starts one process</span>
        <input value=${instanceId} autocomplete="off" onInput=${(e) => setInstanceId(e.target.value)} /></label>
      <p class="buttons"><button class="main" disabled=${state.busy}>Start</button>
        ${form && html`<button type="button" onClick=${toJson}>${asJson ? 'As a form' : 'As JSON'}</button>`}</p>
    </form></section>`;
}

function read(text) {
  try {
    return parse(text.trim() === '' ? '{}' : text);
  } catch (e) {
    throw new Error(`The input is not valid JSON: ${e.message}`);
  }
}

function Field({ field, value, onChange }) {
  const options = field.type === 'boolean' ? ['true', 'false'] : field.options;
  const note = html`${field.title}${field.required ? ' (needed)' : ''} ${field.description && html`<span class="muted">${field.description}</span>`}`;
  return html`<label>${note}
    ${options
      ? html`<select value=${value} required=${field.required} onChange=${(e) => onChange(e.target.value)}><option value="">–</option>${options.map((one) => html`<option key=${one} value=${one} selected=${one === value}>${one}</option>`)}</select>`
      : html`<input value=${value} required=${field.required} inputmode=${field.type === 'string' ? undefined : 'decimal'} onInput=${(e) => onChange(e.target.value)} />`}
  </label>`;
}
