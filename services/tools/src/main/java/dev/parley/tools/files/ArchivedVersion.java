package dev.parley.tools.files;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a file in an archive; one line of JSON.
 *
 * @param metadata the metadata as JSON; null for none
 * @param text the content if it is text; binary content is stored in an entry named by its SHA-256
 * @param sha256 null for the deletion of the file
 * @param by {@code agent} or {@code user}
 * @param author the agent's name, or the user's id
 * @param session the session of an agent; likewise turn, step and call
 * @param top the turn at the top of the delegation
 * @param at creation time, in ISO 8601
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonIgnoreProperties(ignoreUnknown = true)
record ArchivedVersion(
        UUID file,
        String path,
        int version,
        String mime,
        @Nullable String metadata,
        @Nullable String text,
        @Nullable String sha256,
        String by,
        String author,
        @Nullable UUID session,
        @Nullable UUID turn,
        @Nullable UUID top,
        @Nullable Integer step,
        @Nullable UUID call,
        String at) {
    static final String USER = "user";
    static final String AGENT = "agent";

    /** A version without its content. */
    static ArchivedVersion of(FileVersion version) {
        return new ArchivedVersion(
                version.file(),
                version.path(),
                version.version(),
                version.mime(),
                version.metadata().json(),
                null,
                version.sha256(),
                version.byAgent() ? AGENT : USER,
                version.author(),
                version.sessionId(),
                version.turnId(),
                version.topTurnId(),
                version.step(),
                version.callId(),
                version.at().toString());
    }

    /** A copy of the version with this text. */
    ArchivedVersion with(@Nullable String newText) {
        return new ArchivedVersion(
                file, path, version, mime, metadata, newText, sha256, by, author, session, turn, top, step, call, at);
    }
}
