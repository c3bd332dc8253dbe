package dev.parley.domain.definition;

/** Whether an agent is for users, for delegation by other agents, or both. */
public enum AgentMode {
    PRIMARY,
    SUBAGENT,
    ALL
}
