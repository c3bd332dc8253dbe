package dev.parley.sessions.archive;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.UUID;

/**
 * What is in an archive.
 *
 * @param missing how many files were named and not to be found
 */
@Serdeable
@Schema(name = "ArchiveSummary", description = "What is in an archive.")
public record Summary(
        UUID id,
        String project,
        Instant instant,
        long sessions,
        long turns,
        long messages,
        long events,
        long blobs,
        int missing) {
    static Summary of(Manifest manifest) {
        var counts = manifest.counts();
        return new Summary(
                manifest.id(),
                manifest.project(),
                Instant.parse(manifest.instant()),
                counts.sessions(),
                counts.turns(),
                counts.messages(),
                counts.events(),
                counts.blobs(),
                manifest.missing().size());
    }
}
