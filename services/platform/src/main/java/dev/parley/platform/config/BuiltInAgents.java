package dev.parley.platform.config;

import dev.parley.domain.definition.Agent;
import dev.parley.domain.definition.ToolSpec;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The built-in agents, which use the model {@code default}. An agent of the file overrides the built-in one of the
 * same name.
 */
public final class BuiltInAgents {
    /** Read-only tools. */
    private static final List<String> READING = List.of(
            "echo",
            "time",
            "file_read",
            "file_glob",
            "file_grep",
            "repo_list",
            "repo_read",
            "repo_diff",
            "repo_log",
            "web_fetch",
            "session_search",
            ToolSpec.MEMORY_RECALL,
            ToolSpec.MEMORY_REFLECT,
            ToolSpec.TODO_READ);

    /** Read-only tools, and the to-do list, which is part of the session. */
    private static final List<String> PLANNING =
            Stream.concat(READING.stream(), Stream.of(ToolSpec.TODO_WRITE)).toList();

    private static final List<Map<String, Object>> DOCUMENTS = List.of(
            document(
                    Agent.DEFAULT,
                    "Answers when no other agent is asked for",
                    "all",
                    "You are a helpful assistant. Use the tools you are given where they help.",
                    List.of()),
            document("explore", "Finds things out and reports; changes nothing", "all", """
                    You find things out and report what you found. You only read: never change anything, and never ask another \
                    to. Look in several places before you conclude. Answer with the facts that were asked for, where each of \
                    them comes from, and what you could not find.""", READING),
            document("plan", "Makes a plan and carries nothing out", "primary", """
                    You make plans and carry nothing out. Ask when the goal is not clear. Answer with the goal in one \
                    sentence, the steps in their order with what each of them needs, the risks, and how to tell that it \
                    worked. Keep it as short as it can be.""", PLANNING));

    private BuiltInAgents() {}

    private static Map<String, Object> document(
            String name, String description, String mode, String prompt, List<String> tools) {
        return Map.of("name", name, "description", description, "mode", mode, "prompt", prompt, "tools", tools);
    }

    static List<Map<String, Object>> documents() {
        return DOCUMENTS;
    }

    /** Whether an agent of the installation is built-in, not from the file. */
    public static boolean contain(Agent agent) {
        return DOCUMENTS.stream()
                .anyMatch(document -> agent.name().equals(document.get("name"))
                        && agent.prompt().equals(document.get("prompt")));
    }
}
