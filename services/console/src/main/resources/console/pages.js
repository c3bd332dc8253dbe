// The pages, in the order of the navigation.
import { Agents, Rules, Skills, Tools, Usage } from './pages/agents.js';
import { Audit } from './pages/audit.js';
import { Bots } from './pages/bots.js';
import { Chat } from './pages/chat.js';
import { DeadLetters } from './pages/dead-letters.js';
import { Guardrails } from './pages/guardrails.js';
import { Inbox, Waiting } from './pages/inbox.js';
import { Memory } from './pages/memory.js';
import { Overview } from './pages/overview.js';
import { Keys, Members, People } from './pages/people.js';
import { Powers } from './pages/powers.js';
import { Processes } from './pages/processes.js';
import { Sessions } from './pages/sessions.js';
import { Topics } from './pages/topics.js';
import { Turns } from './pages/turns.js';
import { Webhooks } from './pages/webhooks.js';
import { Workflows } from './pages/workflows.js';

/** [{code: in the address, group, title, view, needs?: a capability, operator?: for the installation's own host, badge?}] */
export const PAGES = [
  { code: 'overview', group: 'Now', title: 'Overview', view: Overview },
  { code: 'chat', group: 'Now', title: 'Chat', view: Chat, needs: 'session.send' },
  { code: 'inbox', group: 'Now', title: 'Inbox', view: Inbox, badge: Waiting },
  { code: 'sessions', group: 'Now', title: 'Sessions', view: Sessions, needs: 'session.read' },
  { code: 'turns', group: 'Now', title: 'Turns', view: Turns, needs: 'session.read' },
  { code: 'agents', group: 'Agents', title: 'Agents', view: Agents, needs: 'agent.read' },
  { code: 'tools', group: 'Agents', title: 'Tools', view: Tools, needs: 'agent.read' },
  { code: 'skills', group: 'Agents', title: 'Skills', view: Skills, needs: 'agent.read' },
  { code: 'rules', group: 'Agents', title: 'Rules', view: Rules, needs: 'agent.read' },
  { code: 'guardrails', group: 'Agents', title: 'Guardrails', view: Guardrails, needs: 'agent.read' },
  { code: 'memory', group: 'Agents', title: 'Memory', view: Memory, needs: 'memory.read' },
  { code: 'processes', group: 'Workflows', title: 'Processes', view: Processes, needs: 'workflow.read' },
  { code: 'workflows', group: 'Workflows', title: 'Workflows', view: Workflows, needs: 'workflow.read' },
  { code: 'usage', group: 'Operations', title: 'Usage', view: Usage, needs: 'ops.read' },
  { code: 'bots', group: 'Operations', title: 'Bots', view: Bots, needs: 'bot.read' },
  { code: 'webhooks', group: 'Operations', title: 'Webhooks', view: Webhooks, needs: 'project.update' },
  { code: 'dead-letters', group: 'Operations', title: 'Dead letters', view: DeadLetters, needs: 'host.manage', operator: true },
  { code: 'topics', group: 'Operations', title: 'Topics', view: Topics, needs: 'host.manage', operator: true },
  { code: 'powers', group: 'Operations', title: 'Powers', view: Powers, needs: 'host.manage', operator: true },
  { code: 'audit', group: 'Operations', title: 'Audit', view: Audit, needs: 'audit.read' },
  { code: 'members', group: 'People', title: 'Members', view: Members, needs: 'member.read' },
  { code: 'people', group: 'People', title: 'People', view: People, needs: 'user.read' },
  { code: 'keys', group: 'People', title: 'Keys', view: Keys, needs: 'key.manage' },
];
