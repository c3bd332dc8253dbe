package dev.parley.platform.config;

import dev.parley.domain.Coded;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/** A role of a process. A process may have all roles or any subset. */
public enum ProcessRole implements Coded {
    /** Keeps people, projects, keys and settings, and answers who may do what. */
    CONTROL,
    /** Takes turns in and shows them: HTTP, SSE, WebSocket. */
    CHANNELS,
    /** Decides: the turn topology. */
    AGENTS,
    /** Calls models. */
    MODELS,
    /** Calls tools. */
    TOOLS,
    /** Remembers: banks, what they know, and how it is found. */
    MEMORY,
    /** Runs workflows: their processes, their calls, their tables. */
    WORKFLOWS,
    /** Projects the events into tables, and reads them. */
    SESSIONS,
    /** Shows operators what happens, as a page. */
    CONSOLE,
    /** Offers sessions, memory and workflows to programs that speak MCP. */
    MCP;

    /**
     * Reads {@code all}, or names separated by commas.
     *
     * @throws ConfigException when a name is not known
     */
    public static Set<ProcessRole> parse(String text) {
        if (text.strip().equals("all")) {
            return EnumSet.allOf(ProcessRole.class);
        }
        var roles = EnumSet.noneOf(ProcessRole.class);
        for (String name : text.split(",")) {
            roles.add(Coded.of(ProcessRole.class, name.strip())
                    .orElseThrow(() -> new ConfigException(
                            "roles", "there is no role '" + name.strip() + "'; roles are all, " + known())));
        }
        return roles;
    }

    private static String known() {
        return Arrays.stream(values()).map(Coded::code).collect(Collectors.joining(", "));
    }
}
