package dev.parley.server.imports;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Receives the data of another system. Data that exists already is not changed. */
interface Destination {
    int MAX_DESCRIPTION = 1_024;

    /** Kinds of definitions. */
    enum Kind {
        TOOLS,
        SKILLS,
        AGENTS;

        /** Its path segment in the API. */
        String path() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether several versions of one can exist. */
        boolean hasVersions() {
            return this != AGENTS;
        }
    }

    /**
     * A session with its messages.
     *
     * @param key of the session here
     * @param format as {@code POST /v1/conversations} knows it
     * @param messages the oldest first
     * @param agent who goes on with it, where there is one of this name; null for the default agent
     * @param rules of the session about tool calls, as the API has them
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
     * @param profile of a new bank, as the API has it, or null
     */
    record Bank(
            String scope, @Nullable String agent, @Nullable ObjectNode profile) {}

    /** Creates or finds the project of all data that follows. @return false when nothing can be imported into it */
    boolean project(ObjectNode body) throws IOException, InterruptedException;

    /** Defines a tool, a skill or an agent. @param body as the API takes it */
    void define(Kind kind, ObjectNode body) throws IOException, InterruptedException;

    /** Creates a session. */
    void conversation(Conversation conversation) throws IOException, InterruptedException;

    /** Creates a permission rule of the project or the host. */
    void rule(ObjectNode rule, boolean ofHost) throws IOException, InterruptedException;

    /** Writes a file of the workspace. */
    void file(String path, byte[] content) throws IOException, InterruptedException;

    /** Retains a document in a bank. @param document with an {@code id} */
    void document(Bank bank, ObjectNode document) throws IOException, InterruptedException;

    /** Sets a directive of a bank. */
    void directive(Bank bank, String name, String content, int priority) throws IOException, InterruptedException;

    Report report();

    /** Something is not imported. */
    default void notTaken(String kind, String reason, String example) {
        report().notTaken(kind, reason, example);
    }

    /** {@code count} of a kind are not imported. */
    default void notTaken(String kind, String reason, long count) {
        report().notTaken(kind, reason, count);
    }

    /** Something is imported with a difference. */
    default void note(String kind, String what, String example) {
        report().note(kind, what, example);
    }

    /** A definition is imported under a new name, unless the two are equal. */
    default void renamed(String kind, String before, String now) {
        if (!before.equals(now)) {
            note(kind, "it has another name here", before + " → " + now);
        }
    }

    /** A description, clipped to 1,024 characters; the name where there is none. */
    default String description(String kind, String name, @Nullable String text) {
        if (text != null && text.length() > MAX_DESCRIPTION) {
            note(kind, "its description was cut after 1,024 characters", name);
        }
        return text == null || text.isBlank() ? name : Names.clipped(text, MAX_DESCRIPTION);
    }

    /** A UUID that is equal for equal texts. */
    static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
