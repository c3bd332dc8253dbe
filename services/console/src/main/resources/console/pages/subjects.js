// Links a line of the audit log to the page of its subject.
import { to } from '../route.js';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The names in a path, in any order. */
const names = (text) => (text ?? '').split('/');

/** By kind of subject: its address, null if no page shows it. `own`: the subject is the user themself. */
const PAGES = {
  process: (here, id) => (UUID.test(id) ? to(here.project, 'processes', [id]) : to(here.project, 'workflows', [id])),
  workflow: (here, id, own) => (own ? to(here.project, 'workflows') : UUID.test(id) ? to(here.project, 'workflows', [id]) : null),
  task: (here, id) => to(here.project, 'inbox', [], { whose: 'all', task: id }),
  session: (here, id) => to(here.project, 'sessions', [id]),
  turn: (here, id) => {
    const turn = names(id).find((one) => UUID.test(one));
    const session = names(id).find((one) => one !== turn);
    return session ? to(here.project, 'sessions', [session], { turn }) : null;
  },
  approval: (here, id) => {
    const session = names(id).find((one) => !UUID.test(one));
    return session ? to(here.project, 'sessions', [session]) : null;
  },
  'dead-letter': (here, id) => to(here.project, 'dead-letters', /^\d+-\d+$/.test(id) ? [id] : []),
  topic: (here, id) => {
    const record = names(id).find((one) => /^\d+-\d+$/.test(one));
    return to(here.project, 'topics', [names(id).find((one) => one !== record), record].filter(Boolean));
  },
  'bot-person': (here, id) => to(here.project, 'bots', [names(id).find((one) => /^[a-z]/i.test(one)) ?? names(id)[0]]),
  webhook: (here, id) => {
    const found = names(id).filter((one) => UUID.test(one));
    return to(here.project, 'webhooks', found.length === 1 ? found : []); // of a delivery's two names one is the webhook's
  },
  'tool-call': (here) => to(here.project, 'inbox'),
};

export function subject(here, { source, subject: id, user }) {
  const page = PAGES[source];
  return page && id ? page(here, id, id === user) : null;
}
