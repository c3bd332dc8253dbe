package dev.parley.domain.memory;

import dev.parley.domain.RecordKey;
import dev.parley.domain.access.TimeZones;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Content given to a bank to retain: a turn, or any text.
 *
 * @param session source session, or null
 * @param turnId the turn it consists of, or null
 * @param turnSeq number of that turn in its session, or null
 * @param contentHash SHA-256 of the content
 * @param context hint for the extraction, or null
 * @param chunks pieces of text that are extracted separately
 * @param forgetAt expiry, or null
 * @param timeZone IANA zone of who said it, in which its relative times are meant, or null for UTC
 */
@RecordBuilder
public record Document(
        UUID id,
        @Nullable RecordKey session,
        @Nullable UUID turnId,
        @Nullable Long turnSeq,
        String contentHash,
        List<Utterance> sayings,
        @Nullable String context,
        List<String> tags,
        Instant mentionedAt,
        List<Piece> chunks,
        @Nullable Instant forgetAt,
        @Nullable String timeZone)
        implements DocumentBuilder.With {
    /** Maximum characters of a document. */
    public static final int MAX_LENGTH = 1 << 20;

    /** Maximum tags of a document. */
    public static final int MAX_TAGS = 50;

    public Document {
        sayings = List.copyOf(sayings);
        tags = List.copyOf(tags);
        chunks = List.copyOf(chunks);
    }

    /** The zone in which its relative times are meant. */
    public ZoneId zone() {
        return timeZone == null ? TimeZones.UTC : ZoneId.of(timeZone);
    }

    /** Size of the text in UTF-8 bytes. */
    public long bytes() {
        return sayings.stream()
                .mapToLong(utterance -> utterance.text().getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    /** The text of a chunk. */
    public String text(Piece chunk) {
        return sayings.get(chunk.saying()).text().substring(chunk.from(), chunk.to());
    }

    /**
     * A chunk of the document.
     *
     * @param saying index of the part it belongs to
     * @param from start index in the part
     * @param to end index in the part, exclusive
     * @param hash SHA-256 of its text: equal chunks are extracted once
     */
    public record Piece(int saying, int from, int to, String hash) {}
}
