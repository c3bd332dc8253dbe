package dev.parley.tools.files;

import io.micronaut.data.annotation.Id;
import io.micronaut.data.annotation.MappedEntity;
import io.micronaut.data.annotation.MappedProperty;
import io.micronaut.data.model.DataType;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The current state of a file, without its content.
 *
 * @param id differs between successive files of the same path
 * @param metadata the metadata of the newest version
 * @param size bytes
 * @param sha256 SHA-256 of the content, in lower-case hex
 * @param version the newest version, from 1; of a deleted file, its deletion
 */
@MappedEntity(value = "file_t", schema = "tools")
public record FileInfo(
        @Id UUID id,
        String path,
        String mime,

        @MappedProperty(type = DataType.STRING, converter = FileMetadata.Column.class)
        FileMetadata metadata,

        boolean text,
        long size,
        String sha256,
        int version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant deletedAt) {}
