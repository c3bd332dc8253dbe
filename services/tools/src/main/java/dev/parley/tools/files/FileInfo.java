package dev.parley.tools.files;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file as it is now, without what is in it.
 *
 * @param id another one for each file that had this path
 * @param metadata of the newest version
 * @param size bytes
 * @param sha256 of the bytes, in lower-case hex
 * @param version the newest one, 1 for the first; that of its deletion where it is deleted
 */
public record FileInfo(
        UUID id,
        String path,
        String mime,
        FileMetadata metadata,
        boolean text,
        long size,
        String sha256,
        int version,
        Instant createdAt,
        Instant updatedAt,
        @Nullable Instant deletedAt) {}
