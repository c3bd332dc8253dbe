package dev.parley.tools.files;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a file in an archive: a line of JSON.
 *
 * @param metadata what somebody noted, as JSON; null for nothing
 * @param text of a text; other bytes stand in an entry that their SHA-256 names
 * @param sha256 null for the deletion of the file
 * @param by {@code agent} or {@code user}
 * @param author the agent's name, or the person's id
 * @param session of an agent: the session, and so on, that it did it in
 * @param top the turn at the top of the delegation
 * @param at when it was made, in ISO 8601
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

    /** With what is in it. */
    ArchivedVersion with(@Nullable String newText) {
        return new ArchivedVersion(
                file, path, version, mime, metadata, newText, sha256, by, author, session, turn, top, step, call, at);
    }
}
