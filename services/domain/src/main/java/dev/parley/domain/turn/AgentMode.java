package dev.parley.domain.turn;

/** Whether people talk to an agent, other agents delegate to it, or both. */
public enum AgentMode {
    PRIMARY,
    SUBAGENT,
    ALL
}
