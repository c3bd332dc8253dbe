// The route: #/project/page/more…?filters. The address holds the whole state, so it can be bookmarked and shared.
import { useEffect, useState } from './lib/preact.js';

export function route() {
  const [path, search] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [project, page, ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  return {
    project: project ?? 'default',
    page: page ?? 'overview',
    rest,
    filters: Object.fromEntries(new URLSearchParams(search ?? '')),
  };
}

/** The address of a page. @param filters empty ones are left out */
export function to(project, page, rest = [], filters = {}) {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  return `#/${[project, page, ...rest].map(encodeURIComponent).join('/')}${search}`;
}

/** Identifies this entry of the browser's history. */
export function entry() {
  if (!history.state?.entry) history.replaceState({ entry: Math.random() }, '');
  return history.state.entry;
}

export function go(address) {
  location.hash = address;
}

/** Changes the filters without a new history entry. */
export function filter(changed) {
  const now = route();
  history.replaceState(history.state, '', to(now.project, now.page, now.rest, { ...now.filters, ...changed }));
  dispatchEvent(new HashChangeEvent('hashchange'));
}

export function useRoute() {
  const [now, setNow] = useState(route);
  useEffect(() => {
    const changed = () => setNow(route());
    addEventListener('hashchange', changed);
    changed(); // it may have changed since the page was drawn
    return () => removeEventListener('hashchange', changed);
  }, []);
  return now;
}
