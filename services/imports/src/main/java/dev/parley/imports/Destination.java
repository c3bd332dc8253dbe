package dev.parley.imports;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.parley.language.text.Clip;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Receives the data of another system. Data that exists already is not changed. */
interface Destination {
    int MAX_DESCRIPTION = 1_024;

    /** The note for a tool that is a script. */
    String SCRIPT_DISABLED =
            "scripts are disabled until they are reviewed: they get 'args' here, and have no access to files or the"
                    + " network (docs/tools/scripts.md)";

    /** Kinds of definitions. */
    enum Kind {
        TOOLS,
        SKILLS,
        AGENTS;

        /** Its path segment in the API. */
        String path() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether a definition can have several versions. */
        boolean hasVersions() {
            return this != AGENTS;
        }
    }

    /**
     * A session with its messages.
     *
     * @param key of the new session
     * @param format of the messages, as in {@code POST /v1/sessions/import}
     * @param messages the oldest first
     * @param agent name of the agent that continues it, if there is one; null for the default agent
     * @param rules permission rules of the session, as in the API
     */
    record Conversation(
            String key,
            @Nullable String title,
            @Nullable String agent,
            boolean archived,
            String format,
            ArrayNode messages,
            List<ObjectNode> rules) {}

    /**
     * The owner of memory.
     *
     * @param scope user, user_agent, agent or host
     * @param profile of a new bank, as in the API, or null
     */
    record Bank(
            String scope, @Nullable String agent, @Nullable ObjectNode profile) {}

    /** Creates or finds the project of all data that follows; returns false when nothing can be imported into it. */
    boolean project(ObjectNode body) throws IOException, InterruptedException;

    /**
     * Defines a tool, a skill or an agent.
     *
     * @param body of the request
     */
    void define(Kind kind, ObjectNode body) throws IOException, InterruptedException;

    /** Creates a session. */
    void conversation(Conversation conversation) throws IOException, InterruptedException;

    /** Creates a permission rule of the project or the host. */
    void rule(ObjectNode rule, boolean ofHost) throws IOException, InterruptedException;

    /** Writes a file of the workspace. */
    void file(String path, byte[] content) throws IOException, InterruptedException;

    /**
     * Retains a document in a bank.
     *
     * @param document with an {@code id}
     */
    void document(Bank bank, ObjectNode document) throws IOException, InterruptedException;

    /** Sets a directive of a bank. */
    void directive(Bank bank, String name, String content, int priority) throws IOException, InterruptedException;

    Report report();

    /** Reports something that is not imported. */
    default void skip(String kind, String reason, String example) {
        report().countSkipped(kind, reason, example);
    }

    /** Reports the number of objects of a kind that are not imported. */
    default void skip(String kind, String reason, long count) {
        report().countSkipped(kind, reason, count);
    }

    /** Reports the messages that exceed the limits of a session. */
    default void skipDropped(History history) {
        skip("messages", "the oldest ones, beyond the limits of a session (1 MiB, 10,000 messages)", history.dropped());
    }

    /** Reports a difference from the source. */
    default void note(String kind, String difference, String example) {
        report().note(kind, difference, example);
    }

    /** Reports the new name of a definition, unless it is the same. */
    default void noteName(String kind, String before, String after) {
        if (!before.equals(after)) {
            note(kind, "it has another name here", before + " → " + after);
        }
    }

    /** A description, clipped to 1,024 characters; the name without one. */
    default String description(String kind, String name, @Nullable String text) {
        if (text != null && text.length() > MAX_DESCRIPTION) {
            note(kind, "its description was cut after 1,024 characters", name);
        }
        return text == null || text.isBlank() ? name : Clip.start(text, MAX_DESCRIPTION);
    }
}
