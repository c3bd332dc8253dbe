package dev.parley.server.movingin;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What takes in the data of another system. What is there already stays as it is. */
interface Destination {
    /** What is defined by name. */
    enum Kind {
        TOOLS,
        SKILLS,
        AGENTS;

        /** The end of its path in the API. */
        String path() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** Whether versions of one stand side by side. */
        boolean hasVersions() {
            return this != AGENTS;
        }
    }

    /**
     * What was said in a session.
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
     * Whose memory something is.
     *
     * @param scope user, user_agent, agent or host
     * @param profile of a new bank, as the API has it; null where nothing is said of it
     */
    record Bank(
            String scope, @Nullable String agent, @Nullable ObjectNode profile) {}

    /** Makes or finds a project, of which all is that comes now. @return false when nothing can come into it */
    boolean project(ObjectNode body) throws IOException, InterruptedException;

    /** Defines a tool, a skill or an agent; {@code body} is as the API takes it. */
    void define(Kind kind, ObjectNode body) throws IOException, InterruptedException;

    /** Makes a session. */
    void conversation(Conversation conversation) throws IOException, InterruptedException;

    /** Makes a rule about tool calls, of the project or of the host. */
    void rule(ObjectNode rule, boolean ofHost) throws IOException, InterruptedException;

    /** Writes a file of the workspace. */
    void file(String path, byte[] content) throws IOException, InterruptedException;

    /** Has a bank remember a document, which has an {@code id}. */
    void document(Bank bank, ObjectNode document) throws IOException, InterruptedException;

    /** Gives a bank a hard rule. */
    void directive(Bank bank, String name, String content, int priority) throws IOException, InterruptedException;

    /** What is counted and why; {@link #notTaken} has its words. */
    Report report();

    /** Something stays behind. */
    default void notTaken(String kind, String reason, String example) {
        report().notTaken(kind, reason, example);
    }

    /** So many of a kind stay behind. */
    default void notTaken(String kind, String reason, long count) {
        report().notTaken(kind, reason, count);
    }

    /** Something is otherwise here than it was there. */
    default void note(String kind, String what, String example) {
        report().note(kind, what, example);
    }

    /** An id that is the same whenever the same text is given. */
    static String digest(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }
}
