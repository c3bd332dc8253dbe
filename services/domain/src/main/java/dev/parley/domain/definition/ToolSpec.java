package dev.parley.domain.definition;

import dev.parley.domain.permission.About;
import dev.parley.domain.permission.Subject;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A tool as a model and the turn machine see it.
 *
 * @param parameters JSON Schema of the arguments
 * @param effect what may be done with a call whose worker died
 * @param timeout from the request to the result
 * @param about which argument rules look at, or null where a call is about nothing in particular
 * @param version empty for one that comes with a program; {@link #OF_CALLER} for one of the caller of a turn
 * @param access what it does to the world
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
    /** Sends text to the person at once; carried out by the turn machine itself. */
    public static final String MESSAGE = "message";

    /** Asks another agent; carried out by the turn machine itself. */
    public static final String DELEGATE = "delegate";

    /** Replaces the list of the session's todos; carried out by the turn machine itself. */
    public static final String TODO_WRITE = "todo_write";

    /** Gives that list back; carried out by the turn machine itself. */
    public static final String TODO_READ = "todo_read";

    /** Loads a skill; carried out by the turn machine itself. */
    public static final String LOAD_SKILL = "load_skill";

    /** Takes a loaded skill out of sight; carried out by the turn machine itself. */
    public static final String UNLOAD_SKILL = "unload_skill";

    /** Finds skills and tools; a worker carries it out, and the turn machine shows the tools that it found. */
    public static final String TOOL_SEARCH = "tool_search";

    /** Puts files back that turns changed. Only the turn machine calls it; no model is told of it. */
    public static final String FILES_REVERT = "files_revert";

    /** Says what is remembered of something. Only the turn machine calls it; no model is told of it. */
    public static final String MEMORY_REMIND = "memory_remind";

    /** Finds what is remembered. */
    public static final String MEMORY_RECALL = "memory_recall";

    /** Has something remembered. */
    public static final String MEMORY_RETAIN = "memory_retain";

    /** Has something forgotten. */
    public static final String MEMORY_FORGET = "memory_forget";

    /** Has a bank think about a question. */
    public static final String MEMORY_REFLECT = "memory_reflect";

    /** Those that show models what is remembered. */
    public static final Set<String> OF_MEMORY = Set.of(MEMORY_RECALL, MEMORY_FORGET, MEMORY_REFLECT);

    /** Those that only agents with a memory have. */
    static final Set<String> NEEDS_MEMORY = Set.of(MEMORY_RECALL, MEMORY_RETAIN, MEMORY_FORGET, MEMORY_REFLECT);

    /** Starts a process of a workflow. */
    public static final String WORKFLOW_START = "workflow_start";

    /** Says how a process is. */
    public static final String WORKFLOW_SHOW = "workflow_show";

    /** Tells processes an event. */
    public static final String WORKFLOW_SIGNAL = "workflow_signal";

    /** Those that only agents have that name them: most agents have nothing to do with workflows. */
    static final Set<String> BY_NAME = Set.of(WORKFLOW_START, WORKFLOW_SHOW, WORKFLOW_SIGNAL);

    /** Those that no model is told of. */
    public static final Set<String> HIDDEN = Set.of(FILES_REVERT, MEMORY_REMIND);

    /** Those that workers carry out, and that the turn machine knows by name. */
    public static final Set<String> OF_MACHINE = Set.of(TOOL_SEARCH, FILES_REVERT, MEMORY_REMIND);

    /** Those that work in the checkout of a project, which only projects have that have one. */
    public static final Set<String> OF_CHECKOUT = Set.of(
            "repo_list", "repo_read", "repo_write", "repo_edit", "repo_diff", "repo_log", "repo_commit", "shell");

    /** Those that the turn machine carries out itself: nobody else may have a tool of such a name. */
    public static final Set<String> OWN = Set.of(MESSAGE, DELEGATE, TODO_WRITE, TODO_READ, LOAD_SKILL, UNLOAD_SKILL);

    /** The version of a tool that the caller of a turn brings with it: nobody in Parley carries out calls of it. */
    public static final String OF_CALLER = "caller";

    /** How long the caller has to give the result of a call. */
    public static final Duration CALLER_PATIENCE = Duration.ofHours(1);

    /** A tool of the caller of a turn. */
    public static ToolSpec ofCaller(String name, String description, String parameters) {
        return new ToolSpec(
                name,
                description,
                parameters,
                ToolEffect.AT_MOST_ONCE,
                CALLER_PATIENCE,
                null,
                OF_CALLER,
                ToolAccess.EXECUTE);
    }

    /** A tool of a program that may do anything, whose calls are about nothing in particular. */
    public ToolSpec(String name, String description, String parameters, ToolEffect effect, Duration timeout) {
        this(name, description, parameters, effect, timeout, null);
    }

    /** A tool of a program that may do anything. */
    public ToolSpec(
            String name,
            String description,
            String parameters,
            ToolEffect effect,
            Duration timeout,
            @Nullable About about) {
        this(name, description, parameters, effect, timeout, about, "", ToolAccess.EXECUTE);
    }

    /** Whether the caller of a turn carries out the calls of it. */
    public boolean isCallers() {
        return version.equals(OF_CALLER);
    }

    /** The same tool, which does this much to the world. */
    public ToolSpec with(ToolAccess what) {
        return new ToolSpec(name, description, parameters, effect, timeout, about, version, what);
    }

    /** The same tool as a model is to read it. */
    ToolSpec shown(String words, String schema) {
        return new ToolSpec(name, words, schema, effect, timeout, about, version, access);
    }

    /** About how many characters a model reads of it. */
    public int weight() {
        return name.length() + description.length() + parameters.length();
    }

    /**
     * What a call is about whose telling argument has this value.
     *
     * @throws IllegalArgumentException when rules cannot look at it
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
