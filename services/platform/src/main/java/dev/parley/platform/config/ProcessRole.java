package dev.parley.platform.config;

import dev.parley.domain.Coded;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A role of a process. A process may have all roles or any subset. */
public enum ProcessRole implements Coded {
    /** Manages people, projects, keys and settings, and publishes access rights. */
    CONTROL,
    /** Accepts turns and shows them: HTTP, SSE, WebSocket, chat platforms. */
    CHANNELS,
    /** Runs the turn topology. */
    AGENTS,
    /** Calls models. */
    MODELS,
    /** Calls tools. */
    TOOLS,
    /** Runs memory banks: their topology, tables and recall. */
    MEMORY,
    /** Runs workflows: their processes, calls and tables. */
    WORKFLOWS,
    /** Projects events into the views, and serves them. */
    SESSIONS,
    /** Serves the web page for operators. */
    CONSOLE,
    /** Serves sessions, memory and workflows to MCP clients. */
    MCP;

    /**
     * Reads {@code all}, or names separated by commas.
     *
     * @throws ConfigException if a name is unknown
     */
    public static Set<ProcessRole> parse(String text) {
        if (text.strip().equals("all")) {
            return EnumSet.allOf(ProcessRole.class);
        }
        var roles = EnumSet.noneOf(ProcessRole.class);
        for (String name : text.split(",")) {
            roles.add(Coded.of(ProcessRole.class, name.strip())
                    .orElseThrow(() -> new ConfigException(
                            "roles", "there is no role '" + name.strip() + "'; roles are all, " + knownCodes())));
        }
        return roles;
    }

    private static String knownCodes() {
        return Arrays.stream(values()).map(Coded::code).collect(Collectors.joining(", "));
    }
}
