package dev.parley.tools.files;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.model.DataType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A version of a file.
 *
 * @param metadata the metadata; kept from the previous version unless it is given
 * @param text whether the content is text
 * @param sha256 SHA-256 of the content; null for a deletion
 * @param byAgent whether the author is an agent, as opposed to a user
 * @param author the agent's name, or the user's id
 * @param sessionId the session of an agent; likewise turn, step and call
 * @param topTurnId the turn at the top of the delegation
 */
@MappedEntity(value = "file_version_t", schema = "tools")
public record FileVersion(
        @Id UUID file,
        String path,
        int version,
        String mime,

        @MappedProperty(type = DataType.STRING, converter = FileMetadata.Column.class)
        FileMetadata metadata,

        boolean text,
        long size,
        @Nullable String sha256,
        boolean byAgent,
        String author,
        @Nullable UUID sessionId,
        @Nullable UUID turnId,
        @Nullable UUID topTurnId,
        @Nullable Integer step,
        @Nullable UUID callId,
        Instant at) {
    /** Whether this version is the deletion of the file. */
    public boolean deletes() {
        return sha256 == null;
    }
}
