package dev.parley.sessions.archive;

import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The content of an archive.
 *
 * @param more Counts of agents, banks, documents, files, fileVersions, rules, skills and tools.
 * @param absent Parts of the project that the archive does not contain, in words.
 * @param missing number of named files that were not found
 */
@Serdeable
@Schema(name = "ArchiveSummary")
public record Summary(
        UUID id,
        String project,
        Instant instant,
        long sessions,
        long turns,
        long messages,
        long events,
        long blobs,
        Map<String, Long> more,
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
