// The pages, in the order of the navigation.
import { Overview } from './pages/overview.js';
import { Sessions } from './pages/sessions.js';
import { Chat } from './pages/chat.js';
import { Inbox, Waiting } from './pages/inbox.js';

/** [{code: in the address, group, title, view, needs?: a capability, operator?: for the installation's own host, badge?}] */
export const PAGES = [
  { code: 'overview', group: 'Now', title: 'Overview', view: Overview },
  { code: 'chat', group: 'Now', title: 'Chat', view: Chat, needs: 'session.send' },
  { code: 'inbox', group: 'Now', title: 'Inbox', view: Inbox, badge: Waiting },
  { code: 'sessions', group: 'Now', title: 'Sessions', view: Sessions, needs: 'session.read' },
];
