package dev.parley.sessions.archive;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Summary of the content of an archive.
 *
 * @param more counts, by name, of content outside of sessions
 * @param absent descriptions of the parts of the project that the archive does not contain
 * @param missing number of named files that were not found
 */
@Serdeable
@Schema(name = "ArchiveSummary", description = "The content of an archive.")
public record Summary(
        UUID id,
        String project,
        Instant instant,
        long sessions,
        long turns,
        long messages,
        long events,
        long blobs,

        @Schema(description = "Counts of agents, banks, documents, files, fileVersions, rules, skills and tools.")
        Map<String, Long> more,

        @Schema(description = "Parts of the project that the archive does not contain, in words.")
        List<String> absent,

        int missing) {
    public Summary {
        more = Objects.requireNonNullElseGet(more, Map::of);
        absent = Objects.requireNonNullElseGet(absent, List::of);
    }

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
                counts.more(),
                manifest.absent(),
                manifest.missing().size());
    }
}
