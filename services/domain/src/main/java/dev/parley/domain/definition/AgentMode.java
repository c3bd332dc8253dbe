package dev.parley.domain.definition;

/** Whether people talk to an agent, other agents delegate to it, or both. */
public enum AgentMode {
    PRIMARY,
    SUBAGENT,
    ALL
}
