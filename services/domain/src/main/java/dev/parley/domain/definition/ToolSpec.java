package dev.parley.domain.definition;

import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Specification of a tool for the model and the turn machine.
 *
 * @param parameters JSON Schema of the arguments
 * @param effect handling of a call whose worker crashed
 * @param timeout from the request to the result
 * @param about the argument that permission rules match, or null if they match the tool only
 * @param version empty for a built-in tool; {@link #OF_CALLER} for a tool of the turn's caller
 * @param access the tool's side effects
 */
public record ToolSpec(
        String name,
        String description,
        String parameters,
        ToolEffect effect,
        Duration timeout,
        @Nullable About about,
        String version,
        ToolAccess access)
        implements Definition {
    /** Sends a text to the user immediately; executed by the turn machine. */
    public static final String MESSAGE = "message";

    /** Delegates a task to another agent; executed by the turn machine. */
    public static final String DELEGATE = "delegate";

    /** Replaces the session's todo list; executed by the turn machine. */
    public static final String TODO_WRITE = "todo_write";

    /** Sets a reminder for the turn's person; executed by the turn machine. */
    public static final String REMIND = "remind";

    /** Returns the reminders of the turn's person, or cancels one; executed by the turn machine. */
    public static final String REMINDERS = "reminders";

    /** Asks for a person to answer in the agent's place; executed by the turn machine. */
    public static final String ASK_OPERATOR = "ask_operator";

    /** Maximum characters of the reason for which a person is asked for. */
    public static final int MAX_HANDOFF_REASON = 2_000;

    /** Maximum characters of a reminder. */
    public static final int MAX_REMINDER = 2_000;

    /** Returns the session's todo list; executed by the turn machine. */
    public static final String TODO_READ = "todo_read";

    /** Loads a skill; executed by the turn machine. */
    public static final String LOAD_SKILL = "load_skill";

    /** Unloads a skill; executed by the turn machine. */
    public static final String UNLOAD_SKILL = "unload_skill";

    /** Finds skills and tools; executed by a worker, and the turn machine shows the tools found. */
    public static final String TOOL_SEARCH = "tool_search";

    /** Reverts file changes of turns. Called by the turn machine only; hidden from models. */
    public static final String FILES_REVERT = "files_revert";

    /** Recalls memories for a turn. Called by the turn machine only; hidden from models. */
    public static final String MEMORY_REMIND = "memory_remind";

    /** Searches memories. */
    public static final String MEMORY_RECALL = "memory_recall";

    /** Retains a text. */
    public static final String MEMORY_RETAIN = "memory_retain";

    /** Forgets memories. */
    public static final String MEMORY_FORGET = "memory_forget";

    /** Has a bank reflect on a question. */
    public static final String MEMORY_REFLECT = "memory_reflect";

    /** The tools whose results contain memories. */
    public static final Set<String> OF_MEMORY = Set.of(MEMORY_RECALL, MEMORY_FORGET, MEMORY_REFLECT);

    /** The tools that only agents with a memory have. */
    static final Set<String> NEEDS_MEMORY = Set.of(MEMORY_RECALL, MEMORY_RETAIN, MEMORY_FORGET, MEMORY_REFLECT);

    /** Starts a workflow process. */
    public static final String WORKFLOW_START = "workflow_start";

    /** Shows the status of a workflow process. */
    public static final String WORKFLOW_SHOW = "workflow_show";

    /** Sends an event to workflow processes. */
    public static final String WORKFLOW_SIGNAL = "workflow_signal";

    /** The tools that an agent has only if it lists them: most agents use no workflows, and have no operators. */
    static final Set<String> BY_NAME = Set.of(WORKFLOW_START, WORKFLOW_SHOW, WORKFLOW_SIGNAL, ASK_OPERATOR);

    /** The tools hidden from models. */
    public static final Set<String> HIDDEN = Set.of(FILES_REVERT, MEMORY_REMIND);

    /** The tools executed by workers that the turn machine knows by name. */
    public static final Set<String> OF_MACHINE = Set.of(TOOL_SEARCH, FILES_REVERT, MEMORY_REMIND);

    /** The tools that need a project's checkout; available only in projects with one. */
    public static final Set<String> OF_CHECKOUT = Set.of(
            "repo_list", "repo_read", "repo_write", "repo_edit", "repo_diff", "repo_log", "repo_commit", "shell");

    /** The tools executed by the turn machine; their names are reserved. */
    public static final Set<String> OWN =
            Set.of(MESSAGE, DELEGATE, TODO_WRITE, TODO_READ, REMIND, REMINDERS, ASK_OPERATOR, LOAD_SKILL, UNLOAD_SKILL);

    /** The version of tools passed by the caller of a turn, who also executes their calls. */
    public static final String OF_CALLER = "caller";

    /** Time limit of the caller for the result of a call. */
    public static final Duration CALLER_TIMEOUT = Duration.ofHours(1);

    /** A tool of the turn's caller. */
    public static ToolSpec ofCaller(String name, String description, String parameters) {
        return new ToolSpec(
                name,
                description,
                parameters,
                ToolEffect.AT_MOST_ONCE,
                CALLER_TIMEOUT,
                null,
                OF_CALLER,
                ToolAccess.EXECUTE);
    }

    /** A built-in tool with unrestricted access, matched by permission rules by its name only. */
    public ToolSpec(String name, String description, String parameters, ToolEffect effect, Duration timeout) {
        this(name, description, parameters, effect, timeout, null);
    }

    /** A built-in tool with unrestricted access. */
    public ToolSpec(
            String name,
            String description,
            String parameters,
            ToolEffect effect,
            Duration timeout,
            @Nullable About about) {
        this(name, description, parameters, effect, timeout, about, "", ToolAccess.EXECUTE);
    }

    /** Whether the turn's caller executes calls of this tool. */
    public boolean isCallers() {
        return version.equals(OF_CALLER);
    }

    /** This tool with the given access. */
    public ToolSpec with(ToolAccess access) {
        return new ToolSpec(name, description, parameters, effect, timeout, about, version, access);
    }

    /** This tool with the given description and schema, as shown to the model. */
    ToolSpec withDescription(String description, String schema) {
        return new ToolSpec(name, description, schema, effect, timeout, about, version, access);
    }

    /** Approximate characters that the model reads of this tool. */
    public int weight() {
        return name.length() + description.length() + parameters.length();
    }

    /**
     * The subject that permission rules match, for a call whose {@code about} argument has this value.
     *
     * @throws IllegalArgumentException if rules cannot match the value
     */
    public Subject subject(String value) {
        return about == null ? Subject.NONE : Subject.of(about.kind(), value);
    }

    public ToolSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(parameters, "parameters");
        Objects.requireNonNull(version, "version");
        Objects.requireNonNull(access, "access");
    }
}
